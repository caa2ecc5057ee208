// Collections: their record and their counts, of ours and of those that others made.

import { collectionNotFound, type Collection } from '../../domain/collection.ts';
import { VaiError } from '../../domain/errors.ts';
import type { Collections } from '../../ports/store.ts';
import { countsOf, forgetCounts } from './counts.ts';
import type { Database } from './database.ts';
import { isDriverError, passing } from './errors.ts';
import { countForeignSources, foreignModel } from './foreign.ts';
import { isHidden, type CollectionDocument } from './layout.ts';
import { finishPending, finishRemoval, finishRename, finishRevectoring } from './lifecycle.ts';
import { parallel } from './parallel.ts';
import { ensureChunks } from './prepare.ts';
import { recordOf, toCollection, type CollectionView } from './rows.ts';
import { sampleDimensions, type SearchIndexes } from './search/indexes.ts';
import { visibleNames } from './search/scope.ts';

const LOOK_MS = 30_000;

export function createCollections(database: Database, indexes: SearchIndexes): Collections {
  const { limits } = database;
  const records = () => database.own('collections');

  const looks = new Map<string, { until: number; view: CollectionView }>();

  /** Inspecting a foreign collection is slow, and other programs change it. */
  async function foreign(name: string): Promise<CollectionView> {
    const known = looks.get(name);
    if (known && known.until > Date.now()) return known.view;
    const view = await foreignCollection(database, indexes, name);
    looks.set(name, { until: Date.now() + LOOK_MS, view });
    return view;
  }

  /** One that ours did not make is described; nothing where there is none. */
  async function notOurs(name: string): Promise<CollectionView | undefined> {
    if (isHidden(name) || (await visibleNames(database, [name])).length === 0) return undefined;
    return foreign(name);
  }

  async function recordOfOthers(name: string): Promise<Collection | undefined> {
    const view = await notOurs(name);
    if (!view) return undefined;
    const { stats: _stats, ...record } = view;
    return record;
  }

  const change = (name: string, edit: Edit): Promise<Collection | undefined> =>
    database.patiently(async () => {
      checkName(name);
      await finishPending(database);
      const changed = await changeRecord(database, name, edit);
      if (!changed) return undefined;
      await ensureChunks(database, name, changed.embedding?.dimensions);
      forgetCounts(database);
      await indexes.ensure(name, changed.embedding?.dimensions);
      return changed;
    });

  return {
    list: () =>
      database.read(async () => {
        const found = records().find({}, limits).sort({ _id: 1 }).toArray();
        const [rows, stats, listed] = await Promise.all([
          found,
          found.then((stamps) => countsOf(database, stamps)),
          visibleNames(database),
        ]);
        const views = rows.filter((row) => !row.removing).map((row) => toCollection(row, stats.get(row._id)));
        const ours = new Set(rows.map((row) => row._id));
        const others = listed.filter((name) => !ours.has(name));
        await parallel(others, async (name) => void views.push(await foreign(name)));
        return views.sort((a, b) => (a.name < b.name ? -1 : 1));
      }),
    get: (name) =>
      database.read(async () => {
        const row = await records().findOne({ _id: name }, limits);
        if (row?.removing) return undefined;
        if (row) return toCollection(row, (await countsOf(database, [row])).get(name));
        return notOurs(name);
      }),
    put: async (collection) => void (await change(collection.name, async () => collection)),
    change: (name, edit) => change(name, async (own) => edit(own ?? (await recordOfOthers(name)))),
    remove: (name) =>
      database.patiently(async (attempt) => {
        const marked = await records().updateOne({ _id: name }, { $set: { removing: true } });
        const others = isHidden(name) ? [] : await visibleNames(database, [name]);
        if (marked.matchedCount === 0 && others.length === 0) return attempt > 1;
        looks.delete(name);
        await finishRemoval(database, name);
        indexes.forget(name);
        return true;
      }),
    rename: (from, to) =>
      database.patiently(async (attempt) => {
        if (from === to) return;
        checkName(to);
        const taken = await records().findOne({ _id: to }, limits);
        if (attempt === 1 && (taken || (await visibleNames(database, [to])).length > 0))
          throw new VaiError('SOURCE_EXISTS', `There is already a collection \`${to.slice(0, 120)}\`.`);
        const marked = await records().updateOne(
          { _id: from, removing: { $exists: false } },
          { $set: { renaming: to } },
        );
        if (marked.matchedCount === 0) {
          if (attempt > 1 && taken) return;
          throw collectionNotFound(from);
        }
        await finishRename(database, from, to);
        indexes.forget(from);
        indexes.forget(to);
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

/** Of the record as it is now; undefined where ours has none, and where nothing is to be put. */
type Edit = (own: Collection | undefined) => Promise<Collection | undefined>;

async function changeRecord(database: Database, name: string, edit: Edit): Promise<Collection | undefined> {
  const { changed, restamped } = await database.connection.attempt(async (session) => {
    const records = database.own('collections');
    const old = await records.findOne({ _id: name }, { session });
    const changed = await edit(old ? recordOf(old) : undefined);
    if (!changed) return { changed, restamped: false };
    const { embedding } = changed;
    const restamped =
      old !== null && (old.model !== embedding?.model || old.dimensions !== embedding?.dimensions);
    const row: CollectionDocument = {
      _id: name,
      record: JSON.stringify(changed),
      ...(embedding ? { model: embedding.model, dimensions: embedding.dimensions } : {}),
      ...(restamped ? { revectoring: true as const } : {}),
    };
    await records.replaceOne({ _id: name }, row, { session, upsert: true });
    return { changed, restamped };
  });
  if (restamped) await finishRevectoring(database, name);
  return changed;
}

/** A collection that ours did not make, described from what is in it. */
async function foreignCollection(
  database: Database,
  indexes: SearchIndexes,
  name: string,
): Promise<CollectionView> {
  const seen = await lookInto(database, indexes, name);
  const { model, dimensions } = await sample(database, name).catch(() => ({
    model: undefined,
    dimensions: undefined,
  }));
  const length = seen.dimensions ?? dimensions;
  const at = new Date(0).toISOString();
  return {
    name,
    ...(model && length ? { embedding: { model, dimensions: length } } : {}),
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

/** What a look at a collection that ours did not make shows: how much is in it, and its vector index. */
interface CollectionLook {
  documentCount: number;
  /** Different sources among the documents; the count itself where that takes too long. */
  sources: number;
  /** Of its vector index. */
  dimensions?: number;
}

/** One that cannot be read shows nothing and does not hide the others. */
async function lookInto(database: Database, indexes: SearchIndexes, name: string): Promise<CollectionLook> {
  try {
    const documentCount = await database.collection(name).estimatedDocumentCount(database.limits);
    const sources = await countForeignSources(database, name).catch(() => documentCount);
    const dimensions = (await indexes.known(name)).find((index) => index.type === 'vector')?.dimensions;
    return { documentCount, sources, ...(dimensions === undefined ? {} : { dimensions }) };
  } catch (thrown) {
    if (!isDriverError(thrown) || passing(thrown) === 'outage') throw thrown;
    return { documentCount: 0, sources: 0 };
  }
}
