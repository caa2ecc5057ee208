// The indexes of a server without Atlas Search: words in the postings that vai keeps itself, vectors in the server's own
// index where it has one.

import type { Document } from 'mongodb';
import { throwIfAborted, VaiError } from '../../../domain/errors.ts';
import type { IndexInfo, IndexOptions } from '../../../ports/store.ts';
import { readVector } from '../chunks.ts';
import { countsOf } from '../counts.ts';
import type { Database } from '../database.ts';
import { TEXT_INDEX } from '../layout.ts';
import { createIndexes, listIndexes } from '../prepare.ts';
import { collectionDocument } from '../rows.ts';
import { cosmosIndexes, fromOrdinary } from './cosmos.ts';
import {
  dimensionsFor,
  infoOf,
  mismatch,
  ownerOf,
  withMissing,
  type SearchIndexes,
  type SearchIndex,
} from './indexes.ts';
import { writePostings } from './words/write.ts';

const KNOWN_MS = 60_000;
const BATCH = 200;

export function createOwnIndexes(database: Database): SearchIndexes {
  const { connection } = database;
  const { index: vectorName, filterFields } = connection.options;
  const cache = new Map<string, { until: number; indexes: SearchIndex[] }>();

  async function read(collection: string): Promise<SearchIndex[]> {
    if ((await database.server()).search !== 'cosmos') return [];
    const indexes = fromOrdinary(await listIndexes(database, collection));
    if (indexes.length > 0) cache.set(collection, { until: Date.now() + KNOWN_MS, indexes });
    return indexes;
  }

  async function known(collection: string): Promise<SearchIndex[]> {
    const kept = cache.get(collection);
    return kept && kept.until > Date.now() ? kept.indexes : read(collection);
  }

  async function textIndex(collection: string): Promise<IndexInfo> {
    const record = await collectionDocument(database, collection);
    const counts = record && (await countsOf(database, [record])).get(collection);
    const status = counts && counts.unworded > 0 ? 'missing' : 'ready';
    return { name: TEXT_INDEX, type: 'text', status, field: 'text', filterFields: [] };
  }

  async function createVectorIndex(collection: string, options: IndexOptions): Promise<SearchIndex> {
    const { dimensions: stamped } = await ownerOf(database, collection);
    if ((await database.server()).search !== 'cosmos')
      throw new VaiError('STORE_UNSUPPORTED', 'This MongoDB server has no vector index.', {
        hint: 'Search by meaning works without one, as `vai ping` says.',
      });
    const dimensions = await dimensionsFor(database, collection, { stamped, asked: options.dimensions });
    const name = options.name ?? vectorName;
    const existing = (await read(collection)).find((index) => index.field === database.field);
    if (existing && existing.dimensions !== dimensions)
      throw mismatch(
        `The index \`${existing.name}\` is for vectors of ${existing.dimensions} dimensions, not ${dimensions}.`,
      );
    options.onProgress?.(`Building the vector index ${existing?.name ?? name}`);
    await toLists(database, collection);
    const wanted = cosmosIndexes(database, {
      name: existing?.name ?? name,
      dimensions,
      filterFields: [...filterFields, ...(options.filterFields ?? [])],
    });
    const there = new Set((await listIndexes(database, collection)).map((index) => String(index.name)));
    const missing = wanted.filter((index) => !there.has(String(index.name)));
    if (missing.length > 0) await createIndexes(database, collection, missing);
    return (await read(collection)).find((index) => index.field === database.field)!;
  }

  return {
    known,
    forget: (collection) => void cache.delete(collection),
    list: (collection) =>
      database.read(async () => {
        const { foreign, dimensions } = await ownerOf(database, collection);
        const vectors = (await read(collection)).map(infoOf);
        if (foreign) return vectors;
        const list = [await textIndex(collection), ...vectors];
        const expected = (await database.server()).search === 'cosmos' ? dimensions : undefined;
        return withMissing(list, { vectorName, dimensions: expected, field: database.field });
      }),
    create: (collection, type, options) =>
      database.write(async () => {
        if (type === 'vector') return infoOf(await createVectorIndex(collection, options));
        if ((await ownerOf(database, collection)).foreign)
          throw new VaiError('STORE_UNSUPPORTED', `\`${collection}\` was not written by vai.`, {
            hint: 'Without Atlas Search vai indexes only its own collections; `vai copy` makes one from this.',
          });
        await indexWords(database, collection, options);
        return textIndex(collection);
      }),
    drop: (collection, name) =>
      database.write(async () => {
        await ownerOf(database, collection);
        if (name === TEXT_INDEX)
          throw new VaiError('NOT_ALLOWED', 'The index of words is part of the collection on this server.', {
            hint: 'Remove the collection instead.',
          });
        if (!(await read(collection)).some((index) => index.name === name)) return false;
        await database.collection(collection).dropIndex(name);
        cache.delete(collection);
        return true;
      }),
    // Made with the collection.
    ensure: async (collection) => void cache.delete(collection),
  };
}

/** Documents that came from a server with Atlas Search, or from an older vai, have no postings yet. */
async function indexWords(database: Database, collection: string, options: IndexOptions): Promise<void> {
  const documents = database.own('documents');
  const missing = { collection, words: { $exists: false } };
  const total = await documents.countDocuments(missing, database.limits);
  for (let done = 0; ;) {
    const rows = await documents.find(missing, { ...database.limits, limit: BATCH }).toArray();
    if (rows.length === 0) return;
    for (const row of rows) {
      throwIfAborted(options.signal);
      const words = await database
        .own('words')
        .find({ doc: row._id }, database.limits)
        .sort({ ordinal: 1 })
        .toArray();
      await database.transaction((session) => writePostings(database, { owner: row, words, session }));
      options.onProgress?.(`Indexing words (${(done += 1)} of ${total} documents)`);
    }
  }
}

/** The index holds lists of numbers; vectors that were written for another server are packed. */
async function toLists(database: Database, collection: string): Promise<void> {
  const { field } = database;
  const store = database.collection<Document>(collection);
  for (;;) {
    const rows = await store
      .find(
        { [field]: { $exists: true }, [`${field}.0`]: { $exists: false } },
        { ...database.limits, projection: { [field]: 1 }, limit: BATCH },
      )
      .toArray();
    const updates = rows.flatMap((row) => {
      const vector = readVector(row[field]);
      return vector
        ? [{ updateOne: { filter: { _id: row._id }, update: { $set: { [field]: [...vector] } } } }]
        : [];
    });
    if (updates.length === 0) return;
    await store.bulkWrite(updates, { ordered: false });
  }
}
