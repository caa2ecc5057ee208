// What a look at a database shows of its collections, as the seed wants it for `vai_collections`: names, counts and
// vector indexes. One that cannot be read is listed with its error and does not hide the others.

import { VaiError } from '../../domain/errors.ts';
import type { Database } from './client.ts';
import { toStoreError } from './errors.ts';
import { fieldOf } from './documents.ts';
import { countForeignSources } from './foreign.ts';
import { parallel } from './graph/mentions.ts';
import { isHidden } from './layout.ts';
import { toIndex } from './search/indexes.ts';

export interface CollectionLook {
  name: string;
  documentCount: number;
  hasVectorIndex: boolean;
  embeddingField?: string;
  dimensions?: number;
  indexName?: string;
  indexStatus?: string;
  filterFields: string[];
  /** Different sources among the documents; the count itself where that takes too long. */
  sources: number;
  error?: string;
}

export async function introspectCollections(database: Database): Promise<CollectionLook[]> {
  const listed = await database.db().listCollections({ type: 'collection' }, { nameOnly: true }).toArray();
  const looks: CollectionLook[] = [];
  await parallel(
    listed.map(({ name }) => name).filter((name) => !isHidden(name)),
    async (name) => void looks.push(await introspectCollection(database, name)),
  );
  return looks.sort((a, b) => (a.name < b.name ? -1 : 1));
}

export async function introspectCollection(database: Database, name: string): Promise<CollectionLook> {
  const look: CollectionLook = {
    name,
    documentCount: 0,
    hasVectorIndex: false,
    filterFields: [],
    sources: 0,
  };
  try {
    look.documentCount = await database.collection(name).estimatedDocumentCount(database.limits);
    look.sources = await countForeignSources(database, name).catch(() => look.documentCount);
    const rows = await database.collection(name).listSearchIndexes(database.limits).toArray();
    const vector = rows
      .map((row) => toIndex(row as never, fieldOf(database)))
      .find((index) => index.type === 'vector');
    if (!vector) return look;
    return {
      ...look,
      hasVectorIndex: true,
      embeddingField: vector.field,
      ...(vector.dimensions === undefined ? {} : { dimensions: vector.dimensions }),
      indexName: vector.name,
      indexStatus: vector.status,
      filterFields: vector.filterFields,
    };
  } catch (thrown) {
    const error = toStoreError(thrown);
    return {
      ...look,
      error: error instanceof VaiError ? error.message : 'The collection could not be read.',
    };
  }
}
