// The vector index of DocumentDB and Azure Cosmos DB for MongoDB: an ordinary index of the kind `cosmosSearch`, made with
// the collection. It holds lists of numbers only, and a filter inside the search needs an ordinary index on its path.

import type { Document } from 'mongodb';
import type { Database } from '../database.ts';
import { FILTER_FIELDS } from './atlas/definitions.ts';
import type { SearchIndex } from './indexes.ts';

/** Beyond it vectors are kept with half the precision, and beyond that not at all. */
const MAX_FULL = 2000;
const MAX_HALF = 4000;
const FILTER_PREFIX = 'vai_filter_';

/** What a collection of vectors of this length needs; nothing on another server or where indexes are made by hand. */
export async function vectorIndexes(database: Database, dimensions: number | undefined): Promise<Document[]> {
  const { autoIndex, filterFields } = database.connection.options;
  if (!autoIndex || dimensions === undefined || dimensions > MAX_HALF) return [];
  if ((await database.server()).search !== 'cosmos') return [];
  return cosmosIndexes(database, { dimensions, filterFields });
}

export function cosmosIndexes(
  { connection }: Database,
  wanted: { name?: string; dimensions: number; filterFields: readonly string[] },
): Document[] {
  const { field, index } = connection.options;
  const { dimensions } = wanted;
  const paths = [...new Set([...FILTER_FIELDS, ...wanted.filterFields])];
  return [
    {
      name: wanted.name ?? index,
      key: { [field]: 'cosmosSearch' },
      cosmosSearchOptions: {
        kind: 'vector-hnsw',
        similarity: 'COS',
        dimensions,
        m: 16,
        efConstruction: 64,
        ...(dimensions > MAX_FULL ? { compression: 'half' } : {}),
      },
    },
    ...paths.map((path) => ({ name: `${FILTER_PREFIX}${path}`, key: { [path]: 1 } })),
  ];
}

/** The vector indexes among the ordinary ones of a collection, with the paths that a search may filter by. */
export function fromOrdinary(rows: readonly Document[]): SearchIndex[] {
  const keyOf = (row: Document): [path: string, kind: unknown] | undefined =>
    Object.entries(row.key as Document)[0];
  const filterFields = rows.flatMap((row) => {
    const [path, kind] = keyOf(row) ?? [];
    return path !== undefined && kind === 1 && path !== '_id' && Object.keys(row.key as Document).length === 1
      ? [path]
      : [];
  });
  return rows.flatMap((row) => {
    const [path, kind] = keyOf(row) ?? [];
    if (path === undefined || kind !== 'cosmosSearch') return [];
    const { dimensions, similarity } = row.cosmosSearchOptions as { dimensions: number; similarity: string };
    return [
      {
        name: String(row.name),
        type: 'vector' as const,
        status: 'ready' as const,
        queryable: true,
        current: true,
        field: path,
        dimensions,
        // Like Atlas names them.
        similarity: { COS: 'cosine', IP: 'dotProduct', L2: 'euclidean' }[similarity] ?? similarity,
        filterFields,
        definition: row,
      },
    ];
  });
}
