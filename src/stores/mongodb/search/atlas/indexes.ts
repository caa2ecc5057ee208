// Search indexes of Atlas: what there is, creating, waiting until they answer, dropping. What was read is remembered for a
// short while, so that a search does not ask for it every time.

import { setTimeout as sleep } from 'node:timers/promises';
import type { Document } from 'mongodb';
import { throwIfAborted, VaiError } from '../../../../domain/errors.ts';
import type { IndexInfo, IndexOptions } from '../../../../ports/store.ts';
import type { Database } from '../../database.ts';
import { codeOf } from '../../errors.ts';
import { NAMES, TEXT_INDEX } from '../../layout.ts';
import {
  dimensionsFor,
  infoOf,
  mismatch,
  ownerOf,
  withMissing,
  type SearchIndexes,
  type SearchIndex,
} from '../indexes.ts';
import { foreignTextDefinition, textDefinition, vectorDefinition } from './definitions.ts';

export interface AtlasIndexes extends SearchIndexes {
  /** Text indexes of the shared words or of a foreign collection. */
  text(store: string): Promise<SearchIndex[]>;
}

/** What is being built may be ready a moment later; what is ready stays so. */
const FRESH_MS = 250;
const READY_MS = 60_000;
const WAIT_MS = 300_000;
const NAMESPACE_MISSING = 26;
const EXISTS = 68;

export function createAtlasIndexes(database: Database): AtlasIndexes {
  const { connection } = database;
  const { index: vectorName, filterFields, autoIndex } = connection.options;
  const cache = new Map<string, { until: number; indexes: SearchIndex[] }>();

  async function read(collection: string): Promise<SearchIndex[]> {
    const rows = await database.collection(collection).listSearchIndexes(database.limits).toArray();
    const indexes = (rows as unknown as Document[])
      .filter((row) => !embedsItself(row))
      .map((row) => toIndex(row, database.field));
    const settled = indexes.length > 0 && indexes.every((index) => index.current);
    cache.set(collection, { until: Date.now() + (settled ? READY_MS : FRESH_MS), indexes });
    return indexes;
  }

  async function known(collection: string): Promise<SearchIndex[]> {
    const kept = cache.get(collection);
    if (kept && kept.until > Date.now()) return kept.indexes;
    return read(collection);
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
          hint: `\`vai index status ${collection}\` shows its progress.`,
        });
      await sleep(pause, undefined, { ref: true });
    }
  }

  return {
    known,
    forget: (collection) => void cache.delete(collection),
    text: async (store) => (await quiet(() => known(store))).filter((index) => index.type === 'text'),
    list: (collection) =>
      connection.run(async () => {
        const { dimensions, foreign } = await ownerOf(database, collection);
        const own = await quiet(() => read(collection));
        const shared = foreign ? [] : await quiet(() => read(NAMES.words));
        return withMissing([...own, ...shared].map(infoOf), {
          vectorName,
          dimensions,
          field: database.field,
        });
      }),
    create: (collection, type, options) =>
      connection.run(async () => {
        const { foreign, dimensions: stamped } = await ownerOf(database, collection);
        const name = options.name ?? (type === 'vector' ? vectorName : TEXT_INDEX);
        const store = type === 'text' && !foreign ? NAMES.words : collection;
        const definition =
          type === 'vector'
            ? vectorDefinition({
                dimensions: await dimensionsFor(database, collection, { stamped, asked: options.dimensions }),
                field: database.field,
                filterFields: [...filterFields, ...(options.filterFields ?? [])],
              })
            : foreign
              ? foreignTextDefinition()
              : textDefinition();
        await put(store, name, { type, definition });
        return infoOf(await wait(store, name, options));
      }),
    drop: (collection, name) =>
      connection.run(async () => {
        const { foreign } = await ownerOf(database, collection);
        for (const store of foreign ? [collection] : [collection, NAMES.words]) {
          if (!(await read(store)).some((index) => index.name === name)) continue;
          await database.collection(store).dropSearchIndex(name);
          cache.delete(store);
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
          cache.delete(NAMES.words);
        }
        if (dimensions === undefined) return;
        const vectors = (await known(collection)).filter((index) => index.type === 'vector');
        if (vectors.some((index) => index.dimensions === dimensions)) return;
        const definition = vectorDefinition({ dimensions, field: database.field, filterFields });
        // Vectors of another length went with the stamp they were made under.
        if (vectors.some((index) => index.name === vectorName))
          await database.collection(collection).updateSearchIndex(vectorName, definition);
        else await put(collection, vectorName, { type: 'vector', definition });
        cache.delete(collection);
      } catch (thrown) {
        // No right to make indexes, or no room for one more: searches report it, writing continues.
        if (codeOf(thrown) === undefined) throw thrown;
      }
    },
  };
}

/** A collection that is not there has no indexes. */
async function quiet(work: () => Promise<SearchIndex[]>): Promise<SearchIndex[]> {
  try {
    return await work();
  } catch (thrown) {
    if (codeOf(thrown) === NAMESPACE_MISSING) return [];
    throw thrown;
  }
}

async function gone(name: string, read: () => Promise<SearchIndex[]>): Promise<void> {
  for (let tries = 0; tries < 60; tries += 1) {
    if (!(await read()).some((index) => index.name === name)) return;
    await sleep(500);
  }
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

/** An index whose vectors the server makes from a text (`autoEmbed`): it is another application's, not over ours. */
function embedsItself({ latestDefinition }: Document): boolean {
  const { fields = [] } = (latestDefinition ?? {}) as { fields?: { type: string }[] };
  return Array.isArray(fields) && fields.some(({ type }) => type === 'autoEmbed');
}

function toIndex(row: Document, field: string): SearchIndex {
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
