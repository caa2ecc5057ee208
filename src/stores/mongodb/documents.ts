// Documents as they are read: records, lines, headings and chunks. Writing them is in `write.ts`.

import type { Document } from 'mongodb';
import { sliceLines } from '../../domain/lines.ts';
import type { Documents, LinePlace, StoredChunk } from '../../ports/store.ts';
import { toStoredChunk, withoutVector } from './chunks.ts';
import type { Database } from './database.ts';
import { foreignSource, listForeign, loadForeign, mongoId, type ForeignDocument } from './foreign.ts';
import { parseChunkId, type ChunkId } from './ids.ts';
import { isHidden, type ChunkDocument } from './layout.ts';
import { createGate } from './parallel.ts';
import { collectionDocument, documentOf, toInfo } from './rows.ts';
import { readHeadings, readLines, readText } from './text.ts';
import { moveDocument, removeDocument, replaceDocument } from './write.ts';

const MAX_PAGE = 10_000;
/** Documents written at once: more would wait for each other, and for connections. */
const WRITERS = 8;

export function createDocuments(database: Database): Documents {
  const { limits } = database;
  const rows = () => database.own('documents');
  const gate = createGate(WRITERS);
  const attempts = createGate(WRITERS);

  async function foreign(collection: string, path: string): Promise<ForeignDocument | undefined> {
    if (isHidden(collection) || path === '') return undefined;
    return (await loadForeign(database, collection, [path])).get(path);
  }

  /** Of documents that others wrote. */
  async function foreignLines({ collection, path, lines }: LinePlace): Promise<string | undefined> {
    const text = (await foreign(collection, path))?.text;
    return text === undefined ? undefined : sliceLines(text, lines);
  }

  return {
    list: (collection, page) =>
      database.read(async () => {
        const owner = await collectionDocument(database, collection);
        if (!owner) return isHidden(collection) ? { documents: [] } : listForeign(database, collection, page);
        const limit = Math.max(1, Math.min(page.limit, MAX_PAGE));
        const found = await rows()
          .find({ collection, ...(page.after === undefined ? {} : { path: { $gt: page.after } }) }, limits)
          .sort({ path: 1 })
          .limit(limit + 1)
          .toArray();
        const documents = found.slice(0, limit).map(toInfo);
        return found.length > limit ? { documents, next: documents.at(-1)!.path } : { documents };
      }),
    get: (collection, path) =>
      database.read(async () => {
        const row = await documentOf(database, collection, path);
        return row ? toInfo(row) : (await foreign(collection, path))?.info;
      }),
    text: (collection, path) =>
      database.read(async () => {
        const row = await documentOf(database, collection, path);
        return row ? readText(database, row._id) : (await foreign(collection, path))?.text;
      }),
    lines: (places) =>
      database.read(async () => {
        const versions = await versionsOf(database, places);
        const wanted = places.map((place) => ({ place, doc: versions.get(keyOf(place)) }));
        const own = await readLines(
          database,
          wanted.flatMap(({ place, doc }) => (doc === undefined ? [] : [{ doc, lines: place.lines }])),
        );
        return Promise.all(
          wanted.map(async ({ place, doc }) => (doc === undefined ? foreignLines(place) : own.shift())),
        );
      }),
    headings: (collection, path) =>
      database.read(async () => {
        const row = await documentOf(database, collection, path);
        if (row) return readHeadings(database, row._id);
        return (await foreign(collection, path)) && [];
      }),
    chunks: (collection, path) =>
      database.read(async () => {
        const owner = await documentOf(database, collection, path);
        if (!owner) return (await foreign(collection, path))?.chunks ?? [];
        const found = await database
          .collection<ChunkDocument>(collection)
          .find({ '_vai.doc': owner._id }, { ...limits, projection: withoutVector(database.field) })
          .sort({ '_vai.ordinal': 1 })
          .toArray();
        return found.map((row) => toStoredChunk(row, owner));
      }),
    replace: (write) => gate(() => replaceDocument(database, write, attempts)),
    touch: (collection, path, fetchedAt) =>
      database.write(
        async () => void (await rows().updateOne({ collection, path }, { $set: { fetchedAt } })),
      ),
    move: (collection, from, to) => moveDocument(database, collection, from, to),
    remove: (collection, path) => removeDocument(database, collection, path),
  };
}

function keyOf({ collection, path }: { collection: string; path: string }): string {
  return `${collection}\n${path}`;
}

/** The version each document has now. */
async function versionsOf(database: Database, places: readonly LinePlace[]): Promise<Map<string, string>> {
  if (places.length === 0) return new Map();
  const byCollection = Map.groupBy(places, ({ collection }) => collection);
  const rows = await database
    .own('documents')
    .find(
      {
        $or: [...byCollection].map(([collection, members]) => ({
          collection,
          path: { $in: [...new Set(members.map(({ path }) => path))] },
        })),
      },
      { ...database.limits, projection: { collection: 1, path: 1 } },
    )
    .toArray();
  return new Map(rows.map((row) => [keyOf(row), row._id]));
}

/** Ids that are ours to look up, by collection. */
export function groupIds(ids: readonly string[]): Map<string, ChunkId[]> {
  const known = ids.map(parseChunkId).filter((id) => id !== undefined);
  return Map.groupBy(
    known.filter(({ collection }) => !isHidden(collection)),
    ({ collection }) => collection,
  );
}

/** Chunks by id, in the order asked; ids that no longer exist are left out. */
export async function loadChunks(database: Database, ids: readonly string[]): Promise<StoredChunk[]> {
  const loaded = new Map<string, StoredChunk>();
  for (const [collection, group] of groupIds(ids)) {
    const rows = await database
      .collection(collection)
      .find(
        { _id: { $in: group.map(mongoId) as never[] } },
        { ...database.limits, projection: withoutVector(database.field) },
      )
      .toArray();
    for (const chunk of await hydrate(database, collection, rows)) loaded.set(chunk.id, chunk);
  }
  return ids.flatMap((id) => loaded.get(id) ?? []);
}

async function hydrate(database: Database, collection: string, rows: Document[]): Promise<StoredChunk[]> {
  const ours = rows.filter((row) => row._vai !== undefined) as ChunkDocument[];
  const versions = [...new Set(ours.map((row) => row._vai.doc))];
  const owners = new Map(
    (
      await database
        .own('documents')
        .find({ _id: { $in: versions } }, database.limits)
        .toArray()
    ).map((owner) => [owner._id, owner]),
  );
  const chunks = ours.flatMap((row) => {
    const owner = owners.get(row._vai.doc);
    return owner ? [toStoredChunk(row, owner)] : [];
  });
  const others = rows.filter((row) => row._vai === undefined);
  if (others.length === 0) return chunks;
  const sources = [...new Set(others.map(foreignSource))];
  for (const document of (await loadForeign(database, collection, sources)).values())
    chunks.push(...document.chunks);
  return chunks;
}
