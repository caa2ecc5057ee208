// The indexes of a collection as a person and a search see them, whatever server keeps them.

import type { Document } from 'mongodb';
import { collectionNotFound } from '../../../domain/collection.ts';
import { VaiError } from '../../../domain/errors.ts';
import type { IndexInfo, Indexes } from '../../../ports/store.ts';
import { readVector } from '../chunks.ts';
import type { Database } from '../database.ts';
import { isHidden, TEXT_INDEX } from '../layout.ts';
import { collectionDocument } from '../rows.ts';
import { createAtlasIndexes } from './atlas/indexes.ts';
import { createOwnIndexes } from './own-indexes.ts';

export interface SearchIndex extends IndexInfo {
  queryable: boolean;
  /** The latest definition is the one that answers; while it is being built, the one before it does. */
  current: boolean;
  similarity?: string;
  definition: Document;
}

export interface SearchIndexes extends Indexes {
  /** Indexes as last read, at most a few seconds ago. */
  known(collection: string): Promise<SearchIndex[]>;
  /** Creates what is missing without waiting, after the collection was made. */
  ensure(collection: string, dimensions: number | undefined): Promise<void>;
  forget(collection: string): void;
}

export interface AllSearchIndexes extends SearchIndexes {
  /** That of Atlas Search, for searches that are its own. */
  atlas: ReturnType<typeof createAtlasIndexes>;
}

export function createSearchIndexes(database: Database): AllSearchIndexes {
  const atlas = createAtlasIndexes(database);
  const own = createOwnIndexes(database);
  const indexes = async (): Promise<SearchIndexes> =>
    (await database.server()).search === 'atlas' ? atlas : own;
  return {
    atlas,
    known: async (collection) => (await indexes()).known(collection),
    list: async (collection) => (await indexes()).list(collection),
    create: async (collection, type, options) => (await indexes()).create(collection, type, options),
    drop: async (collection, name) => (await indexes()).drop(collection, name),
    ensure: async (collection, dimensions) => (await indexes()).ensure(collection, dimensions),
    forget(collection) {
      atlas.forget(collection);
      own.forget(collection);
    },
  };
}

export function infoOf(index: SearchIndex): IndexInfo {
  const { name, type, status, field, dimensions, filterFields } = index;
  return { name, type, status, field, ...(dimensions === undefined ? {} : { dimensions }), filterFields };
}

/** What is not there is named as missing, so that a listing shows what would have to be created. */
export function withMissing(
  list: IndexInfo[],
  expected: { vectorName: string; dimensions: number | undefined; field: string },
): IndexInfo[] {
  const missing = { status: 'missing' as const, filterFields: [] };
  if (!list.some((index) => index.type === 'text'))
    list.push({ ...missing, name: TEXT_INDEX, type: 'text', field: 'text' });
  if (expected.dimensions !== undefined && !list.some((index) => index.type === 'vector'))
    list.push({
      ...missing,
      name: expected.vectorName,
      type: 'vector',
      field: expected.field,
      dimensions: expected.dimensions,
    });
  return list;
}

/** Whose collection it is, and how long the vectors of one of ours are. */
export async function ownerOf(
  database: Database,
  collection: string,
): Promise<{ foreign: boolean; dimensions?: number }> {
  const record = await collectionDocument(database, collection);
  if (record) return { foreign: false, ...(record.dimensions ? { dimensions: record.dimensions } : {}) };
  const [found] = isHidden(collection)
    ? []
    : await database.db().listCollections({ name: collection }).toArray();
  if (!found) throw collectionNotFound(collection);
  return { foreign: true };
}

/** How long the vectors of a new index are: as requested, as recorded, or as found in the stored vectors. */
export async function dimensionsFor(
  database: Database,
  collection: string,
  { stamped, asked }: { stamped: number | undefined; asked: number | undefined },
): Promise<number> {
  const dimensions = asked ?? stamped ?? (await sampleDimensions(database, collection));
  if (dimensions === undefined)
    throw new VaiError('INDEX_MISSING', `\`${collection}\` has no vectors yet.`, {
      hint: 'Add documents first, or say how many dimensions the vectors will have.',
    });
  if (stamped !== undefined && stamped !== dimensions)
    throw mismatch(`\`${collection}\` holds vectors of ${stamped} dimensions, not ${dimensions}.`);
  return dimensions;
}

export function mismatch(message: string): VaiError {
  return new VaiError('DIMENSION_MISMATCH', message, {
    hint: 'Use the model the collection was made with, or drop the index first.',
  });
}

export async function sampleDimensions(database: Database, collection: string): Promise<number | undefined> {
  const { field } = database;
  const row = await database.collection(collection).findOne({ [field]: { $exists: true } }, database.limits);
  return readVector((row as Document | null)?.[field])?.length;
}
