// Search indexes: what there is, creating, waiting until they answer, dropping. What was read is remembered for a short
// while, so that a search does not ask for it every time.

import { setTimeout as sleep } from 'node:timers/promises';
import type { Document } from 'mongodb';
import { throwIfAborted, VaiError } from '../../../domain/errors.ts';
import type { IndexInfo, IndexOptions, Indexes } from '../../../ports/store.ts';
import type { Database } from '../client.ts';
import { codeOf } from '../errors.ts';
import { fieldOf } from '../documents.ts';
import { readVector } from '../chunks.ts';
import { DEFAULT_INDEX, isHidden, NAMES, TEXT_INDEX } from '../layout.ts';
import { collectionDocument, unknownCollection } from '../rows.ts';
import { foreignTextDefinition, textDefinition, vectorDefinition } from './definitions.ts';

export interface SearchIndex extends IndexInfo {
  queryable: boolean;
  /** The latest definition is the one that answers; while it is being built, the one before it does. */
  current: boolean;
  similarity?: string;
  definition: Document;
}

export interface IndexBook extends Indexes {
  /** Indexes as last read, at most a few seconds ago. */
  known(collection: string): Promise<SearchIndex[]>;
  /** Text indexes of the shared words or of a foreign collection; none where the server has no search. */
  text(store: string): Promise<SearchIndex[]>;
  /** Creates what is missing without waiting; a server without search is left alone. */
  ensure(collection: string, dimensions: number | undefined): Promise<void>;
  forget(collection: string): void;
}

/** What is being built may be ready a moment later; what is ready stays so. */
const FRESH_MS = 250;
const READY_MS = 60_000;
const WAIT_MS = 300_000;
const NAMESPACE_MISSING = 26;
const NO_SEARCH = 31082;
const EXISTS = 68;

export function createIndexBook(database: Database): IndexBook {
  const { connection } = database;
  const { index: vectorName = DEFAULT_INDEX, filterFields = [], autoIndex = true } = connection.options;
  const books = new Map<string, { until: number; indexes: SearchIndex[] }>();

  async function read(collection: string): Promise<SearchIndex[]> {
    const rows = await database.collection(collection).listSearchIndexes(database.limits).toArray();
    const indexes = rows.map((row) => toIndex(row as unknown as Document, fieldOf(database)));
    const settled = indexes.length > 0 && indexes.every((index) => index.current);
    books.set(collection, { until: Date.now() + (settled ? READY_MS : FRESH_MS), indexes });
    return indexes;
  }

  async function known(collection: string): Promise<SearchIndex[]> {
    const book = books.get(collection);
    if (book && book.until > Date.now()) return book.indexes;
    return read(collection);
  }

  async function exists(collection: string): Promise<{ foreign: boolean; dimensions?: number }> {
    const record = await collectionDocument(database, collection);
    if (record) return { foreign: false, dimensions: record.dimensions };
    const [found] = isHidden(collection)
      ? []
      : await database.db().listCollections({ name: collection }).toArray();
    if (!found) throw unknownCollection(collection);
    return { foreign: true };
  }

  async function vectorIndex(
    collection: string,
    stamped: number | undefined,
    options: IndexOptions,
  ): Promise<Document> {
    const dimensions = options.dimensions ?? stamped ?? (await sampleDimensions(database, collection));
    if (dimensions === undefined)
      throw new VaiError('INDEX_MISSING', `\`${collection}\` has no vectors yet.`, {
        hint: 'Add documents first, or say how many dimensions the vectors will have.',
      });
    if (stamped !== undefined && stamped !== dimensions)
      throw mismatch(`\`${collection}\` holds vectors of ${stamped} dimensions, not ${dimensions}.`);
    return vectorDefinition({
      dimensions,
      field: fieldOf(database),
      filterFields: [...filterFields, ...(options.filterFields ?? [])],
    });
  }

  /** Brings one index into being, without waiting for it. */
  async function put(
    collection: string,
    name: string,
    wanted: { type: IndexInfo['type']; definition: Document },
  ): Promise<void> {
    const store = database.collection(collection);
    const existing = (await read(collection)).find((index) => index.name === name);
    if (existing?.status === 'failed') {
      await store.dropSearchIndex(name);
      await gone(name, () => read(collection));
    } else if (existing) {
      const merged = mergeDefinition(existing, wanted);
      if (merged) await store.updateSearchIndex(name, merged);
      return;
    }
    try {
      await store.createSearchIndex({
        name,
        type: wanted.type === 'vector' ? 'vectorSearch' : 'search',
        definition: wanted.definition,
      });
    } catch (thrown) {
      // Another process was first.
      if (codeOf(thrown) !== EXISTS) throw thrown;
    }
  }

  async function wait(collection: string, name: string, options: IndexOptions): Promise<SearchIndex> {
    const began = Date.now();
    for (let pause = 100; ; pause = Math.min(pause * 2, 2000)) {
      throwIfAborted(options.signal);
      const index = (await read(collection)).find((found) => found.name === name);
      if (index?.current) return index;
      if (index?.status === 'failed')
        throw new VaiError('INDEX_MISSING', `MongoDB could not build the index \`${name}\`.`, {
          hint: 'Drop it and create it again; the cluster may have reached its limit of search indexes.',
        });
      const seconds = Math.round((Date.now() - began) / 1000);
      options.onProgress?.(`Building the ${index?.type ?? ''} index ${name} (${seconds} s)`);
      if (Date.now() - began > WAIT_MS)
        throw new VaiError('TIMEOUT', `The index \`${name}\` is still being built.`, {
          hint: `See how far it is with \`vai index status ${collection}\`.`,
        });
      await sleep(pause, undefined, { ref: true });
    }
  }

  return {
    known,
    forget: (collection) => void books.delete(collection),
    text: async (store) => (await quiet(() => known(store))).filter((index) => index.type === 'text'),
    list: (collection) =>
      connection.run(async () => {
        const { dimensions, foreign } = await exists(collection);
        const own = await quiet(() => read(collection));
        const shared = foreign ? [] : await quiet(() => read(NAMES.words));
        return withMissing([...own, ...shared], { vectorName, dimensions, field: fieldOf(database) });
      }),
    create: (collection, type, options) =>
      connection.run(async () => {
        const { foreign, dimensions } = await exists(collection);
        const name = options.name ?? (type === 'vector' ? vectorName : TEXT_INDEX);
        const store = type === 'text' && !foreign ? NAMES.words : collection;
        const definition =
          type === 'vector'
            ? await vectorIndex(collection, dimensions, options)
            : foreign
              ? foreignTextDefinition()
              : textDefinition();
        await put(store, name, { type, definition });
        return info(await wait(store, name, options));
      }),
    drop: (collection, name) =>
      connection.run(async () => {
        const { foreign } = await exists(collection);
        for (const store of foreign ? [collection] : [collection, NAMES.words]) {
          if (!(await read(store)).some((index) => index.name === name)) continue;
          await database.collection(store).dropSearchIndex(name);
          books.delete(store);
          return true;
        }
        return false;
      }),
    async ensure(collection, dimensions) {
      if (!autoIndex) return;
      try {
        const words = await known(NAMES.words);
        if (!words.some((index) => index.type === 'text')) {
          await put(NAMES.words, TEXT_INDEX, { type: 'text', definition: textDefinition() });
          books.delete(NAMES.words);
        }
        if (dimensions === undefined) return;
        const vectors = (await known(collection)).filter((index) => index.type === 'vector');
        if (vectors.some((index) => index.dimensions === dimensions)) return;
        const definition = vectorDefinition({ dimensions, field: fieldOf(database), filterFields });
        // Vectors of another length went with the stamp they were made under.
        if (vectors.some((index) => index.name === vectorName))
          await database.collection(collection).updateSearchIndex(vectorName, definition);
        else await put(collection, vectorName, { type: 'vector', definition });
        books.delete(collection);
      } catch (thrown) {
        // No search here, no right to make indexes, or no room for one more: searches say so, writing goes on.
        if (codeOf(thrown) === undefined) throw thrown;
      }
    },
  };
}

/** A server without search has no indexes, and saying so is better than failing. */
async function quiet(work: () => Promise<SearchIndex[]>): Promise<SearchIndex[]> {
  try {
    return await work();
  } catch (thrown) {
    if (codeOf(thrown) === NO_SEARCH || codeOf(thrown) === NAMESPACE_MISSING) return [];
    throw thrown;
  }
}

async function gone(name: string, read: () => Promise<SearchIndex[]>): Promise<void> {
  for (let tries = 0; tries < 60; tries += 1) {
    if (!(await read()).some((index) => index.name === name)) return;
    await sleep(500);
  }
}

function mismatch(message: string): VaiError {
  return new VaiError('DIMENSION_MISMATCH', message, {
    hint: 'Use the model the collection was made with, or drop the index first.',
  });
}

/** The definition an existing index needs to hold what is wanted; undefined when it does already. */
function mergeDefinition(
  existing: SearchIndex,
  wanted: { type: IndexInfo['type']; definition: Document },
): Document | undefined {
  if (existing.type !== wanted.type)
    throw new VaiError('INVALID_INPUT', `The index \`${existing.name}\` is a ${existing.type} index.`, {
      hint: 'Choose another name.',
    });
  if (wanted.type === 'text') return undefined;
  const fields = wanted.definition.fields as { type: string; path: string; numDimensions?: number }[];
  const vector = fields.find((field) => field.type === 'vector')!;
  if (existing.dimensions !== vector.numDimensions)
    throw mismatch(
      `The index \`${existing.name}\` is for vectors of ${existing.dimensions} dimensions, not ${vector.numDimensions}.`,
    );
  const had = existing.definition.fields as { path: string }[];
  const added = fields.filter(
    (field) => field.type === 'filter' && !had.some((old) => old.path === field.path),
  );
  return added.length === 0 ? undefined : { ...existing.definition, fields: [...had, ...added] };
}

export function toIndex(row: Document, field: string): SearchIndex {
  const definition = (row.latestDefinition ?? {}) as Document;
  const type = row.type === 'vectorSearch' ? 'vector' : 'text';
  const queryable = row.queryable === true;
  const status = queryable ? 'ready' : row.status === 'FAILED' ? 'failed' : 'building';
  const fields = (definition.fields ?? []) as {
    type: string;
    path: string;
    numDimensions?: number;
    similarity?: string;
  }[];
  const vectors = fields.filter((entry) => entry.type === 'vector');
  const vector = vectors.find((entry) => entry.path === field) ?? vectors[0];
  const filters = fields.filter((entry) => entry.type === 'filter').map((entry) => entry.path);
  return {
    name: String(row.name),
    type,
    status,
    queryable,
    current: row.status === 'READY',
    field: type === 'vector' ? (vector?.path ?? field) : 'text',
    ...(vector?.numDimensions === undefined ? {} : { dimensions: vector.numDimensions }),
    ...(vector?.similarity === undefined ? {} : { similarity: vector.similarity }),
    filterFields: filters,
    definition,
  };
}

function info(index: SearchIndex): IndexInfo {
  const { name, type, status, field, dimensions, filterFields } = index;
  return { name, type, status, field, ...(dimensions === undefined ? {} : { dimensions }), filterFields };
}

/** What is not there is named as missing, so that a listing shows what would have to be created. */
function withMissing(
  indexes: readonly SearchIndex[],
  expected: { vectorName: string; dimensions: number | undefined; field: string },
): IndexInfo[] {
  const list = indexes.map(info);
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

export async function sampleDimensions(database: Database, collection: string): Promise<number | undefined> {
  const field = fieldOf(database);
  const row = await database.collection(collection).findOne({ [field]: { $exists: true } }, database.limits);
  return readVector((row as Document | null)?.[field])?.length;
}
