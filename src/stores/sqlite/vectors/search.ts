// Search by meaning: the cosine of the query with every vector in scope.

import type { VectorHits, VectorSearch } from '../../../ports/store.ts';
import { throwIfAborted } from '../../../domain/errors.ts';
import type { Connection } from '../connection.ts';
import { keepBy } from '../predicate.ts';
import { collectionIds, spansOf } from '../scope.ts';
import { decodeVector } from './code.ts';

export async function searchVectors(connection: Connection, search: VectorSearch): Promise<VectorHits> {
  throwIfAborted(search.signal);
  return connection.read(() => {
    const keep = search.scope.filter && keepBy(connection, search.scope.filter);
    const hits: { id: number; score: number }[] = [];
    const owners = connection
      .sql('SELECT id FROM collections WHERE model = ? AND dimensions = ? AND vectors > 0')
      .all(search.model, search.vector.length) as { id: number }[];
    const wanted = collectionIds(connection, search.scope.collections);
    const ids = owners.map((row) => row.id).filter((id) => !wanted || wanted.includes(id));
    const rows = connection.sql(
      `SELECT v.chunk, c.document, v.data FROM vectors v JOIN codes c ON c.chunk = v.chunk
       WHERE v.chunk BETWEEN ? AND ?`,
    );
    for (const span of ids.length ? spansOf(ids) : []) {
      for (const row of rows.iterate(...span) as IterableIterator<{
        chunk: number;
        document: number;
        data: Uint8Array;
      }>) {
        if (keep && !keep(row.document, row.chunk)) continue;
        const vector = decodeVector(row.data);
        let score = 0;
        for (let at = 0; at < vector.length; at += 1) score += vector[at]! * search.vector[at]!;
        hits.push({ id: row.chunk, score });
      }
    }
    hits.sort((a, b) => b.score - a.score || a.id - b.id);
    return {
      hits: hits.slice(0, search.limit).map(({ id, score }) => ({ id: String(id), score })),
      notices: [],
    };
  });
}
