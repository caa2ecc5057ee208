// A filter inside a search: a function SQLite calls for every candidate, so that the limit applies after the filter.
// The fields of a document are read once per search.

import { hash } from 'node:crypto';
import type { IndexedWith, Metadata } from '../../domain/document.ts';
import { checkRoots, filterPaths, filterRecord, matches, type Filter } from '../../domain/filter.ts';
import type { Connection } from './connection.ts';
import type { CollectionRow, DocumentRow } from './rows.ts';

export type Keep = (document: number, chunk: number) => boolean;

const PER_CHUNK = 'metadata.chunkIndex';

interface Known {
  row: Pick<
    DocumentRow,
    'path' | 'metadata' | 'fetched_at' | 'first_chunk' | 'chunks' | 'vectors' | 'indexed_with'
  > &
    Pick<CollectionRow, 'name' | 'model' | 'dimensions'>;
  metadata: Metadata;
  reserved: Record<string, unknown>;
}

export function keepBy(connection: Connection, filter: Filter): Keep {
  const paths = filterPaths(filter);
  checkRoots(filter);
  const perChunk = paths.some((path) => path === PER_CHUNK || path.startsWith(`${PER_CHUNK}.`));
  const read = connection.sql<Known['row']>(
    `SELECT d.path, d.metadata, d.fetched_at, d.first_chunk, d.chunks, d.vectors, d.indexed_with, c.name, c.model, c.dimensions
     FROM documents d JOIN collections c ON c.id = d.collection WHERE d.id = ?`,
  );
  const documents = new Map<number, Known>();
  const verdicts = new Map<number, boolean>();

  function known(document: number): Known {
    let found = documents.get(document);
    if (!found) {
      const row = read.get(document)!;
      found = { row, metadata: JSON.parse(row.metadata) as Metadata, reserved: reservedOf(row) };
      documents.set(document, found);
    }
    return found;
  }

  function judge(document: number, chunk: number): boolean {
    const { row, metadata, reserved } = known(document);
    const record = filterRecord({
      path: row.path,
      metadata,
      fetchedAt: row.fetched_at,
      ordinal: chunk - row.first_chunk,
      totalChunks: row.chunks,
      reserved,
    });
    return matches(filter, record);
  }

  return (document, chunk) => {
    if (perChunk) return judge(document, chunk);
    let verdict = verdicts.get(document);
    if (verdict === undefined) verdicts.set(document, (verdict = judge(document, chunk)));
    return verdict;
  };
}

/** What every store writes beside the user's metadata. */
function reservedOf(row: Known['row']): Record<string, unknown> {
  const made = row.indexed_with === null ? undefined : (JSON.parse(row.indexed_with) as IndexedWith);
  return {
    ...(row.vectors > 0 ? { model: row.model, dimensions: row.dimensions } : {}),
    chunkStrategy: made?.chunking.strategy ?? 'blocks',
    docId: hash('sha256', `${row.name}\n${row.path}`, 'hex').slice(0, 24),
  };
}
