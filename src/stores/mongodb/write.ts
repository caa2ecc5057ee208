// One document in, out or elsewhere. Text, headings, chunks, vectors, graph, archive and history change in one
// transaction. A document too big for one is written ahead as staged chunks, which no search returns; the transaction
// then only publishes them. What a killed ingest leaves staged is swept by the next one.

import { randomUUID } from 'node:crypto';
import type { ClientSession, Collection } from 'mongodb';
import { VaiError } from '../../domain/errors.ts';
import type { DocumentWrite, Replaced } from '../../ports/store.ts';
import {
  DEFAULT_FIELD,
  ensureChunks,
  NAMES,
  type ArchiveDocument,
  type ChunkDocument,
  type CollectionDocument,
  type DocumentDocument,
  type HeadingPiece,
  type TextPiece,
  type WordsDocument,
} from './layout.ts';
import { fileName, toChunkDocument, toWordsDocument } from './chunks.ts';
import type { Database } from './client.ts';
import { updateGraph } from './graph/write.ts';
import { docId } from './ids.ts';
import { collectionDocument, documentOf, forgetStats, unknownCollection } from './rows.ts';
import { headingPieces, removePieces, textPieces } from './text.ts';
import { recordEvent } from './versions.ts';

/** Beyond this a transaction would strain the server's cache. */
const MAX_IN_TRANSACTION = { chunks: 500, bytes: 6_000_000 };
const BATCH = { chunks: 500, bytes: 8_000_000 };

interface Plan {
  database: Database;
  write: DocumentWrite;
  doc: string;
  chunks: ChunkDocument[];
  words: WordsDocument[];
  staged: boolean;
  vectors: number;
}

export async function replaceDocument(database: Database, write: DocumentWrite): Promise<Replaced> {
  const { info } = write;
  const owner = await collectionDocument(database, info.collection);
  if (!owner) throw unknownCollection(info.collection);
  checkVectors(owner, write);
  const before = await documentOf(database, info.collection, info.path);
  const plan = makePlan(database, write, { owner, sameText: before?.sha256 === info.sha256 });
  const chunks = await ensureChunks(database, info.collection);
  await sweep(database, chunks, docId(info.collection, info.path));
  if (plan.staged) await stage(plan, chunks);
  try {
    const replaced = await database.connection.transaction((session) => publish(plan, chunks, session));
    forgetStats(database);
    return replaced;
  } catch (thrown) {
    if (plan.staged) await unstage(plan, chunks).catch(() => undefined);
    throw thrown;
  }
}

async function stage(plan: Plan, chunks: Collection<ChunkDocument>): Promise<void> {
  const words = plan.database.collection<WordsDocument>(NAMES.words);
  for (const batch of batches(plan.chunks)) await chunks.insertMany(batch, { ordered: false });
  for (const batch of batches(plan.words)) await words.insertMany(batch, { ordered: false });
}

async function unstage(plan: Plan, chunks: Collection<ChunkDocument>): Promise<void> {
  await chunks.deleteMany({ '_vai.doc': plan.doc, '_vai.staged': true });
  await plan.database.collection<WordsDocument>(NAMES.words).deleteMany({ doc: plan.doc, staged: true });
}

function makePlan(
  database: Database,
  write: DocumentWrite,
  { owner, sameText }: { owner: CollectionDocument; sameText: boolean },
): Plan {
  const doc = randomUUID();
  const bytes = write.chunks.reduce(
    (sum, chunk) => sum + chunk.text.length + (chunk.vector?.byteLength ?? 0),
    0,
  );
  const staged = write.chunks.length > MAX_IN_TRANSACTION.chunks || bytes > MAX_IN_TRANSACTION.bytes;
  const context = {
    write,
    doc,
    field: database.connection.options.field ?? DEFAULT_FIELD,
    model: owner.model,
    dimensions: owner.dimensions,
    strategy: write.info.indexedWith?.chunking.strategy ?? 'blocks',
    ingestedAt: write.info.fetchedAt,
    salt: sameText ? doc : '',
    staged,
  };
  const chunks = write.chunks.map((chunk) => toChunkDocument(chunk, context));
  return {
    database,
    write,
    doc,
    staged,
    chunks,
    words: write.chunks.map((chunk, at) => toWordsDocument(chunk, chunks[at]!, context)),
    vectors: write.chunks.filter((chunk) => chunk.vector).length,
  };
}

async function publish(
  plan: Plan,
  chunks: Collection<ChunkDocument>,
  session: ClientSession,
): Promise<Replaced> {
  const { database, write, doc } = plan;
  const { info } = write;
  const collections = database.collection<CollectionDocument>(NAMES.collections);
  const documents = database.collection<DocumentDocument>(NAMES.documents);
  if (!(await collections.findOne({ _id: info.collection, removing: { $exists: false } }, { session })))
    throw unknownCollection(info.collection);
  const old = await documents.findOne({ collection: info.collection, path: info.path }, { session });
  if (old) {
    const kept = write.archive ? await archiveText(plan, old, session) : false;
    await dropContent(database, old, { keepText: kept, session });
  }
  await documents.insertOne(documentRow(plan), { session });
  await insertAll(database.collection<TextPiece>(NAMES.texts), textPieces(doc, write.text), session);
  await insertAll(
    database.collection<HeadingPiece>(NAMES.headings),
    headingPieces(doc, write.headings),
    session,
  );
  if (plan.staged) await publishStaged(plan, chunks, session);
  else {
    await insertAll(chunks, plan.chunks, session);
    await insertAll(database.collection<WordsDocument>(NAMES.words), plan.words, session);
  }
  await updateGraph(database, {
    collection: info.collection,
    removed: old?.graph ? old._id : undefined,
    added: hasGraph(write)
      ? { doc, chunks: write.chunks, ids: plan.chunks.map((chunk) => chunk._id) }
      : undefined,
    session,
  });
  if (write.event) await recordEvent(database, write.event, session);
  return { replaced: old !== null, chunksRemoved: old?.chunks ?? 0 };
}

async function publishStaged(
  plan: Plan,
  chunks: Collection<ChunkDocument>,
  session: ClientSession,
): Promise<void> {
  const { modifiedCount } = await chunks.updateMany(
    { '_vai.doc': plan.doc, '_vai.staged': true },
    { $unset: { '_vai.staged': '' } },
    { session },
  );
  const words = await plan.database
    .collection<WordsDocument>(NAMES.words)
    .updateMany({ doc: plan.doc, staged: true }, { $unset: { staged: '' } }, { session });
  if (modifiedCount === plan.chunks.length && words.modifiedCount === plan.words.length) return;
  throw new VaiError(
    'WRITE_FAILED',
    'Another ingest of the same document was in the way; nothing was changed.',
    {
      hint: 'Run the same command again.',
    },
  );
}

function documentRow({ write, doc, vectors }: Plan): DocumentDocument {
  const { info } = write;
  return {
    _id: doc,
    collection: info.collection,
    path: info.path,
    title: info.title,
    sha256: info.sha256,
    ...(info.rawSha256 === undefined ? {} : { rawSha256: info.rawSha256 }),
    metadata: JSON.stringify(info.metadata),
    ...(info.origin === undefined ? {} : { origin: info.origin }),
    fetchedAt: info.fetchedAt,
    ...(info.partial ? { partial: true as const } : {}),
    chunks: write.chunks.length,
    vectors,
    lines: info.lines,
    headings: info.headings,
    bytes: info.bytes,
    graph: hasGraph(write),
    ...(info.indexedWith ? { indexedWith: JSON.stringify(info.indexedWith) } : {}),
    ...(write.chunks.length > 0 ? { unnamed: write.chunks.length } : {}),
  };
}

function hasGraph(write: DocumentWrite): boolean {
  return write.chunks.some((chunk) => chunk.entities?.length || chunk.relations?.length);
}

/** Keeps the replaced text under its own version; says whether it did. */
async function archiveText(plan: Plan, old: DocumentDocument, session: ClientSession): Promise<boolean> {
  const { database, write } = plan;
  const keep = Math.max(0, write.archive?.keep ?? 0);
  const archive = database.collection<ArchiveDocument>(NAMES.archive);
  const place = { collection: old.collection, path: old.path };
  const others = await archive.find(place, { session }).sort({ order: -1 }).toArray();
  const changed = keep > 0 && old.sha256 !== write.info.sha256;
  if (changed) {
    const { _id, sha256, fetchedAt, lines, headings, bytes } = old;
    const order = (others[0]?.order ?? 0) + 1;
    await archive.insertOne(
      {
        _id,
        ...place,
        sha256,
        fetchedAt,
        archivedAt: database.now().toISOString(),
        lines,
        headings,
        bytes,
        order,
      },
      { session },
    );
  }
  // The same text may come back: one copy, the newest.
  const kept = others
    .filter((version) => !changed || version.sha256 !== old.sha256)
    .slice(0, changed ? keep - 1 : keep);
  const gone = others.filter((version) => !kept.includes(version)).map((version) => version._id);
  if (gone.length) {
    await archive.deleteMany({ _id: { $in: gone } }, { session });
    await removePieces(database, { texts: gone, headings: [] }, session);
  }
  return changed;
}

/** Everything of a version but its share of the graph. */
async function dropContent(
  database: Database,
  old: DocumentDocument,
  { keepText, session }: { keepText: boolean; session: ClientSession },
): Promise<void> {
  await database.collection<DocumentDocument>(NAMES.documents).deleteOne({ _id: old._id }, { session });
  await removePieces(database, { texts: keepText ? [] : [old._id], headings: [old._id] }, session);
  await database.collection<ChunkDocument>(old.collection).deleteMany({ '_vai.doc': old._id }, { session });
  await database.collection<WordsDocument>(NAMES.words).deleteMany({ doc: old._id }, { session });
}

export async function removeDocument(database: Database, collection: string, path: string): Promise<boolean> {
  const removed = await database.connection.transaction((session) =>
    removeWithin(database, { collection, path }, session),
  );
  forgetStats(database);
  return removed;
}

async function removeWithin(
  database: Database,
  place: { collection: string; path: string },
  session: ClientSession,
): Promise<boolean> {
  const documents = database.collection<DocumentDocument>(NAMES.documents);
  const old = await documents.findOne(place, { session });
  if (!old) return false;
  await dropContent(database, old, { keepText: false, session });
  if (old.graph)
    await updateGraph(database, {
      collection: place.collection,
      removed: old._id,
      added: undefined,
      session,
    });
  const archive = database.collection<ArchiveDocument>(NAMES.archive);
  const versions = await archive.find(place, { session, projection: { _id: 1 } }).toArray();
  await archive.deleteMany(place, { session });
  await removePieces(database, { texts: versions.map((version) => version._id), headings: [] }, session);
  return true;
}

export async function moveDocument(
  database: Database,
  collection: string,
  from: string,
  to: string,
): Promise<void> {
  if (from === to) return;
  await database.connection.transaction(async (session) => {
    const documents = database.collection<DocumentDocument>(NAMES.documents);
    const row = await documents.findOne({ collection, path: from }, { session });
    if (!row)
      throw new VaiError(
        'DOCUMENT_NOT_FOUND',
        `There is no document \`${from.slice(0, 200)}\` in \`${collection}\`.`,
      );
    await removeWithin(database, { collection, path: to }, session);
    await documents.updateOne({ _id: row._id }, { $set: { path: to } }, { session });
    const user = JSON.parse(row.metadata) as Record<string, unknown>;
    const $set = {
      source: to,
      ...('source' in user ? {} : { 'metadata.source': to }),
      ...('filename' in user ? {} : { 'metadata.filename': fileName(to) }),
      'metadata.docId': docId(collection, to),
    };
    await database
      .collection<ChunkDocument>(collection)
      .updateMany({ '_vai.doc': row._id }, { $set }, { session });
    await database.collection<WordsDocument>(NAMES.words).updateMany({ doc: row._id }, { $set }, { session });
    await database
      .collection<ArchiveDocument>(NAMES.archive)
      .updateMany({ collection, path: from }, { $set: { path: to } }, { session });
  });
}

/** Chunks of an ingest that was killed before it published them. */
async function sweep(database: Database, chunks: Collection<ChunkDocument>, document: string): Promise<void> {
  const left = await chunks.distinct('_vai.doc', { 'metadata.docId': document, '_vai.staged': true });
  if (left.length === 0) return;
  const doc = { $in: left as string[] };
  await database.collection<WordsDocument>(NAMES.words).deleteMany({ doc, staged: true });
  await chunks.deleteMany({ '_vai.doc': doc, '_vai.staged': true });
}

async function insertAll<T extends { _id: string }>(
  collection: Collection<T>,
  documents: T[],
  session: ClientSession,
): Promise<void> {
  for (const batch of batches(documents)) await collection.insertMany(batch as never[], { session });
}

/** Bounded in count and, roughly, in bytes. */
function batches<T>(documents: readonly T[]): T[][] {
  const out: T[][] = [];
  let bytes = 0;
  for (const document of documents) {
    const size = sizeOf(document);
    const last = out.at(-1);
    if (last && last.length < BATCH.chunks && bytes + size <= BATCH.bytes) {
      last.push(document);
      bytes += size;
    } else {
      out.push([document]);
      bytes = size;
    }
  }
  return out;
}

function sizeOf(document: unknown): number {
  const { text, headings } = document as { text?: string; headings?: unknown[] };
  return 6000 + (text?.length ?? 0) * 3 + (headings?.length ?? 0) * 400;
}

function checkVectors(owner: CollectionDocument, write: DocumentWrite): void {
  for (const { vector } of write.chunks) {
    if (!vector || vector.length === owner.dimensions) continue;
    throw new VaiError(
      'DIMENSION_MISMATCH',
      owner.dimensions === undefined
        ? `The collection \`${owner._id}\` has no embedding model yet.`
        : `The collection \`${owner._id}\` holds vectors of ${owner.dimensions} dimensions, not ${vector.length}.`,
      { hint: 'Use the model the collection was made with, or another collection.' },
    );
  }
}
