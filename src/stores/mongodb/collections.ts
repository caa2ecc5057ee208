// Collections: their record, their counts, and removal with everything inside. Removing and renaming touch more than a
// transaction may; each leaves a mark first, by which any process can finish what another began.

import { INGEST_PROFILE } from '../../domain/chunk.ts';
import type { Collection } from '../../domain/collection.ts';
import { VaiError } from '../../domain/errors.ts';
import type { Collections } from '../../ports/store.ts';
import type { Database } from './client.ts';
import { fieldOf } from './documents.ts';
import { codeOf } from './errors.ts';
import { foreignModel } from './foreign.ts';
import { introspectCollection } from './introspect.ts';
import { docId } from './ids.ts';
import {
  ensureChunks,
  isHidden,
  NAMES,
  type ArchiveDocument,
  type ChunkDocument,
  type CollectionDocument,
  type DocumentDocument,
} from './layout.ts';
import { parallel } from './graph/mentions.ts';
import { forgetStats, statsOf, toCollection, unknownCollection, type CollectionView } from './rows.ts';
import { sampleDimensions, type IndexBook } from './search/indexes.ts';
import { foreignNames } from './search/scope.ts';

const LOOK_MS = 30_000;

export function createCollections(
  database: Database,
  book: IndexBook,
  ready: () => Promise<void>,
): Collections {
  const { connection, limits } = database;
  const records = () => database.collection<CollectionDocument>(NAMES.collections);

  const looks = new Map<string, { until: number; view: CollectionView }>();

  /** Looking into a foreign collection is slow, and it changes by other hands than ours. */
  async function foreign(name: string): Promise<CollectionView> {
    const known = looks.get(name);
    if (known && known.until > Date.now()) return known.view;
    const view = await foreignCollection(database, name);
    looks.set(name, { until: Date.now() + LOOK_MS, view });
    return view;
  }

  async function finishPending(): Promise<void> {
    const pending = await records()
      .find({ $or: [{ removing: true }, { renaming: { $exists: true } }] }, limits)
      .toArray();
    for (const row of pending) {
      if (row.removing) await finishRemoval(database, row._id);
      else await finishRename(database, row._id, row.renaming!);
    }
  }

  return {
    list: () =>
      connection.run(async () => {
        const rows = await records().find({}, limits).sort({ _id: 1 }).toArray();
        const stats = await statsOf(database);
        const views = rows.filter((row) => !row.removing).map((row) => toCollection(row, stats.get(row._id)));
        await parallel(await foreignNames(database, new Set(rows.map((row) => row._id))), async (name) => {
          views.push(await foreign(name));
        });
        return views.sort((a, b) => (a.name < b.name ? -1 : 1));
      }),
    get: (name) =>
      connection.run(async () => {
        const row = await records().findOne({ _id: name }, limits);
        if (row?.removing) return undefined;
        if (row) return toCollection(row, (await statsOf(database, [name])).get(name));
        if (isHidden(name) || (await foreignNames(database, new Set(), [name])).length === 0)
          return undefined;
        return foreign(name);
      }),
    put: (collection) =>
      connection.run(async () => {
        checkName(collection.name);
        await ready();
        await finishPending();
        await ensureChunks(database, collection.name);
        await putCollection(database, collection);
        forgetStats(database);
        await book.ensure(collection.name, collection.embedding?.dimensions);
      }),
    remove: (name) =>
      connection.run(async () => {
        const marked = await records().updateOne({ _id: name }, { $set: { removing: true } });
        const others = isHidden(name) ? [] : await foreignNames(database, new Set(), [name]);
        if (marked.matchedCount === 0 && others.length === 0) return false;
        looks.delete(name);
        await finishRemoval(database, name);
        book.forget(name);
        return true;
      }),
    rename: (from, to) =>
      connection.run(async () => {
        if (from === to) return;
        checkName(to);
        const taken = await records().findOne({ _id: to }, limits);
        if (taken || (await foreignNames(database, new Set(), [to])).length > 0)
          throw new VaiError('SOURCE_EXISTS', `There is already a collection \`${to.slice(0, 120)}\`.`);
        const marked = await records().updateOne(
          { _id: from, removing: { $exists: false } },
          { $set: { renaming: to } },
        );
        if (marked.matchedCount === 0) throw unknownCollection(from);
        await finishRename(database, from, to);
        book.forget(from);
        book.forget(to);
      }),
  };
}

function checkName(name: string): void {
  if (isHidden(name) || name.includes('$'))
    throw new VaiError(
      'INVALID_INPUT',
      'MongoDB keeps names with `$`, `system.` or `_vai_` for itself and for vai.',
      {
        hint: 'Choose another name for the collection.',
      },
    );
}

async function putCollection(database: Database, collection: Collection): Promise<void> {
  const { name, embedding } = collection;
  await database.connection.transaction(async (session) => {
    const records = database.collection<CollectionDocument>(NAMES.collections);
    const old = await records.findOne({ _id: name }, { session });
    const row: CollectionDocument = {
      _id: name,
      record: JSON.stringify(collection),
      ...(embedding ? { model: embedding.model, dimensions: embedding.dimensions } : {}),
    };
    await records.replaceOne({ _id: name }, row, { session, upsert: true });
    if (!old || (old.model === row.model && old.dimensions === row.dimensions)) return;
    // Vectors of another space or length must not be compared with new ones.
    await database
      .collection<ChunkDocument>(name)
      .updateMany(
        { [fieldOf(database)]: { $exists: true }, _vai: { $exists: true } },
        { $unset: { [fieldOf(database)]: '', 'metadata.model': '', 'metadata.dimensions': '' } },
        { session },
      );
    await database
      .collection(NAMES.words)
      .updateMany(
        { collection: name },
        { $unset: { 'metadata.model': '', 'metadata.dimensions': '' } },
        { session },
      );
    await database
      .collection<DocumentDocument>(NAMES.documents)
      .updateMany({ collection: name, vectors: { $gt: 0 } }, { $set: { vectors: 0 } }, { session });
  });
}

/** Every step can be done twice; the record goes last. */
async function finishRemoval(database: Database, name: string): Promise<void> {
  database.prepared.delete(name);
  forgetStats(database);
  await database.collection(name).drop();
  const documents = database.collection<DocumentDocument>(NAMES.documents);
  const archive = database.collection<ArchiveDocument>(NAMES.archive);
  for (const store of [documents, archive]) {
    const versions = await store.distinct('_id', { collection: name });
    for (let at = 0; at < versions.length; at += 1000) {
      const doc = { $in: versions.slice(at, at + 1000) };
      await database.collection(NAMES.texts).deleteMany({ doc });
      await database.collection(NAMES.headings).deleteMany({ doc });
    }
  }
  const { words, entities, relations, entityMentions, relationMentions, history } = NAMES;
  for (const owned of [words, entities, relations, entityMentions, relationMentions, history])
    await database.collection(owned).deleteMany({ collection: name });
  await archive.deleteMany({ collection: name });
  await documents.deleteMany({ collection: name });
  await database.collection<CollectionDocument>(NAMES.collections).deleteOne({ _id: name });
}

async function finishRename(database: Database, from: string, to: string): Promise<void> {
  database.prepared.delete(from);
  forgetStats(database);
  try {
    await database.db().renameCollection(from, to);
  } catch (thrown) {
    // Done before, by a process that did not get to the end.
    if (codeOf(thrown) !== 26) throw thrown;
  }
  await database.connection.transaction(async (session) => {
    const records = database.collection<CollectionDocument>(NAMES.collections);
    const row = await records.findOne({ _id: from }, { session });
    if (!row) return;
    const { renaming: _done, ...rest } = row;
    await records.deleteOne({ _id: from }, { session });
    await records.insertOne({ ...rest, _id: to }, { session });
    const documents = database.collection<DocumentDocument>(NAMES.documents);
    const { words, entities, relations, entityMentions, relationMentions, archive } = NAMES;
    for (const owned of [
      NAMES.documents,
      words,
      archive,
      entities,
      relations,
      entityMentions,
      relationMentions,
    ])
      await database
        .collection(owned)
        .updateMany({ collection: from }, { $set: { collection: to } }, { session });
    await database
      .collection(NAMES.history)
      .updateMany({ collection: from }, { $set: { collection: to, 'event.collection': to } }, { session });
    for await (const document of documents.find({ collection: to }, { session, projection: { path: 1 } }))
      await database
        .collection<ChunkDocument>(to)
        .updateMany(
          { '_vai.doc': document._id },
          { $set: { 'metadata.docId': docId(to, document.path) } },
          { session },
        );
  });
}

/** A collection that ours did not make, described from what is in it. */
async function foreignCollection(database: Database, name: string): Promise<CollectionView> {
  const seen = await introspectCollection(database, name);
  const { model, dimensions } = await sample(database, name).catch(() => ({
    model: undefined,
    dimensions: undefined,
  }));
  const length = seen.dimensions ?? dimensions;
  const at = new Date(0).toISOString();
  return {
    name,
    ...(model && length ? { embedding: { model, dimensions: length } } : {}),
    chunking: INGEST_PROFILE,
    createdAt: at,
    updatedAt: at,
    stats: {
      documents: seen.sources,
      chunks: seen.documentCount,
      vectors: length === undefined ? 0 : seen.documentCount,
      lines: 0,
      headings: 0,
      bytes: 0,
    },
  };
}

async function sample(database: Database, name: string): Promise<{ model?: string; dimensions?: number }> {
  const row = await database.collection(name).findOne({ _type: { $ne: 'index_meta' } }, database.limits);
  return { model: row ? foreignModel(row) : undefined, dimensions: await sampleDimensions(database, name) };
}
