// Search by meaning where there are more vectors than can be compared and no index: hits found by words are re-ordered
// by meaning, with a notice.

import { cosine } from '../../../../domain/vectors.ts';
import { readVector } from '../../chunks.ts';
import { mongoId } from '../../foreign.ts';
import { parseChunkId } from '../../ids.ts';
import { MAX_COMPARED_BYTES } from '../../server.ts';
import type { SearchTarget } from '../scope.ts';
import { searchOwnWords } from '../words/search.ts';
import type { Searching } from './search.ts';
import type { VectorRow } from './through-index.ts';

const CANDIDATES = 500;

export async function reorderWords(
  { database, search, notices }: Searching,
  { name }: SearchTarget,
): Promise<VectorRow[]> {
  const size = `${MAX_COMPARED_BYTES / 1024 / 1024} MB`;
  if (!search.words) {
    notices.push(
      `index_missing: \`${name}\` has more than ${size} of vectors and this server no vector index, so meaning was not searched there.`,
    );
    return [];
  }
  const found = await searchOwnWords(database, {
    query: search.words,
    scope: { ...search.scope, collections: [name] },
    limit: CANDIDATES,
    signal: search.signal,
  });
  notices.push(
    `words_reordered: \`${name}\` has more than ${size} of vectors and this server no vector index, so only the ${found.hits.length} chunks that match the words best were compared by meaning.`,
  );
  const { field } = database;
  const ids = found.hits.map(({ id }) => mongoId(parseChunkId(id)!));
  const rows = await database
    .collection(name)
    .find(
      { _id: { $in: ids as never[] } },
      {
        ...database.limits,
        projection: { [field]: 1, source: 1, '_vai.ordinal': 1 },
        batchSize: CANDIDATES,
      },
    )
    .toArray();
  return rows.flatMap((row): VectorRow[] => {
    const vector = readVector(row[field]);
    if (vector?.length !== search.vector.length) return [];
    const { source = '', _vai } = row as { source?: string; _vai?: { ordinal: number } };
    return [{ id: row._id, score: cosine(search.vector, vector), source, ordinal: _vai?.ordinal ?? 0 }];
  });
}
