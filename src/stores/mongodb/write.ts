// Replaces, removes or moves one document. Text, headings, chunks, vectors, graph, archive and history change in one
// transaction. A document too big for one is written ahead as staged chunks, which no search returns; the transaction
// then only publishes them. What a killed ingest leaves staged is swept by a later one.

import { randomUUID } from 'node:crypto';
import type { ClientSession } from 'mongodb';
import { collectionNotFound } from '../../domain/collection.ts';
import { sourceOf } from '../../domain/document.ts';
import { VaiError } from '../../domain/errors.ts';
import type { DocumentWrite, Replaced } from '../../ports/store.ts';
import { NAMES, type ChunkDocument, type CollectionDocument, type DocumentDocument } from './layout.ts';
import { checkVectors } from '../check-vectors.ts';
import { fileName, toChunkDocument, toWordsDocument } from './chunks.ts';
import { forgetCounts } from './counts.ts';
import type { Database } from './database.ts';
import { updateGraph } from './graph/write.ts';
import { docId } from './ids.ts';
import { ensureChunks } from './prepare.ts';
import { toPostings } from './search/words/postings.ts';
import { wordsOfChunk } from './search/words/write.ts';
import { collectionDocument, documentOf } from './rows.ts';
import { headingPieces, piecesOf, removePieces } from './text.ts';
import type { Gate } from './parallel.ts';
import {
  dropVersion,
  insertAll,
  insertContent,
  publishStaged,
  sweep,
  unstage,
  type Content,
} from './staging.ts';
import { recordEvent } from './versions.ts';

/** Beyond this a transaction would strain the server's cache. */
const MAX_IN_TRANSACTION = { chunks: 500, bytes: 6_000_000 };

interface Plan {
  database: Database;
  write: DocumentWrite;
  doc: string;
  content: Content;
  /** Words in its postings; none on a server that searches words itself. */
  words: number | undefined;
  staged: boolean;
  /** An attempt before this one failed. */
  again: boolean;
  /** The version there is, or there was when an attempt before this one began. */
  before: DocumentDocument | undefined;
  vectors: number;
}

export async function replaceDocument(
  database: Database,
  write: DocumentWrite,
  attempts: Gate,
): Promise<Replaced> {
  const { info } = write;
  const doc = randomUUID();
  const place = { doc, collection: info.collection };
  let staged = false;
  let before: DocumentDocument | undefined;
  try {
    const attempt = async (again: boolean): Promise<Replaced> => {
      const owner = await collectionDocument(database, info.collection);
      if (!owner) throw collectionNotFound(info.collection);
      checkVectors(owner._id, owner.dimensions, write.chunks);
      await ensureChunks(database, info.collection, owner.dimensions);
      const there = await documentOf(database, info.collection, info.path);
      if (there?._id === doc) return outcome(before);
      before = there ?? before;
      if (staged) await dropVersion(database, place);
      const plan = await makePlan(database, write, { owner, doc, again, before });
      await sweep(database, info);
      if (plan.staged) {
        staged = true;
        await insertContent(database, plan.content);
      }
      return database.connection.attempt((session) => publish(plan, session));
    };
    const replaced = await database.patiently((number) => attempts(() => attempt(number > 1)));
    forgetCounts(database);
    return replaced;
  } catch (thrown) {
    if (staged) await unstage(database, place).catch(() => undefined);
    throw thrown;
  }
}

function outcome(old: DocumentDocument | undefined): Replaced {
  return { replaced: old !== undefined, chunksRemoved: old?.chunks ?? 0 };
}

async function makePlan(
  database: Database,
  write: DocumentWrite,
  { owner, doc, again, before }: { owner: CollectionDocument } & Pick<Plan, 'doc' | 'again' | 'before'>,
): Promise<Plan> {
  const { info } = write;
  const { search } = await database.server();
  const bytes = write.chunks.reduce(
    (sum, chunk) => sum + chunk.text.length + (chunk.vector?.byteLength ?? 0),
    0,
  );
  const staged = write.chunks.length > MAX_IN_TRANSACTION.chunks || bytes > MAX_IN_TRANSACTION.bytes;
  const context = {
    write,
    doc,
    field: database.field,
    model: owner.model,
    dimensions: owner.dimensions,
    strategy: info.indexedWith?.chunking.strategy ?? 'blocks',
    ingestedAt: info.fetchedAt,
    // What is there already, is being written by another at the same time or was left by an attempt before has chunks of
    // the same identity.
    salt: staged || again || before?.sha256 === info.sha256 ? doc : '',
    staged,
    now: database.now(),
    lists: search === 'cosmos',
  };
  const chunks = write.chunks.map((chunk) => toChunkDocument(chunk, context));
  const words = write.chunks.map((chunk, at) => toWordsDocument(chunk, chunks[at]!, context));
  const place = { collection: info.collection, doc, source: info.path, staged };
  const postings = search === 'atlas' ? undefined : toPostings(place, words.map(wordsOfChunk));
  return {
    database,
    write,
    doc,
    staged,
    again,
    before,
    content: { collection: info.collection, doc, chunks, words, postings: postings?.rows ?? [] },
    words: postings?.words,
    vectors: write.chunks.filter((chunk) => chunk.vector).length,
  };
}

async function publish(plan: Plan, session: ClientSession): Promise<Replaced> {
  const { database, write, doc } = plan;
  const { info } = write;
  const collections = database.own('collections');
  const documents = database.own('documents');
  if (!(await collections.findOne({ _id: info.collection, removing: { $exists: false } }, { session })))
    throw collectionNotFound(info.collection);
  const found = await documentWithin(database, info, session);
  // An attempt before this one was committed, and nobody saw it.
  if (found?._id === doc) return outcome(plan.before);
  // Or of such an attempt nothing but the removal of the record was kept (see below): the rest goes now.
  const old = found ?? (plan.again ? plan.before : undefined);
  if (old) {
    const kept = write.archive && (found || (await hasText(database, old, session)));
    await dropContent(database, old, {
      keepText: kept ? await archiveText(plan, old, session) : false,
      session,
    });
  }
  // A server may have kept a part of an attempt that failed: DocumentDB repeats by itself, outside of its transaction, a
  // statement that met a PostgreSQL shutting down.
  if (plan.again && !plan.staged)
    await dropContent(database, { _id: doc, collection: info.collection }, { keepText: false, session });
  await documents.insertOne(documentRow(plan), { session });
  await insertAll(database.own('texts'), piecesOf(doc, write.text), session);
  await insertAll(database.own('headings'), headingPieces(doc, write.headings), session);
  if (plan.staged) await publishStaged(database, plan.content, session);
  else await insertContent(database, plan.content, session);
  await updateGraph(database, {
    collection: info.collection,
    removed: old?.graph ? old._id : undefined,
    added: hasGraph(write)
      ? { doc, chunks: write.chunks, ids: plan.content.chunks.map((chunk) => chunk._id) }
      : undefined,
    session,
  });
  if (write.event) await recordEvent(database, write.event, session);
  return outcome(old);
}

function documentRow({ write, doc, vectors, words }: Plan): DocumentDocument {
  const { collection, path, title, sha256, rawSha256, origin, fetchedAt } = write.info;
  const { metadata, partial, indexedWith, lines, headings, bytes } = write.info;
  return {
    ...{ _id: doc, collection, path, title, sha256, rawSha256, origin, fetchedAt },
    ...{ vectors, words, lines, headings, bytes },
    metadata: JSON.stringify(metadata),
    ...(partial ? { partial } : {}),
    chunks: write.chunks.length,
    graph: hasGraph(write),
    ...(indexedWith ? { indexedWith: JSON.stringify(indexedWith) } : {}),
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
  const archive = database.own('archive');
  const place = { collection: old.collection, path: old.path };
  const all = await archive.find(place, { session }).sort({ order: -1 }).toArray();
  const others = all.filter((version) => version._id !== old._id);
  const changed = keep > 0 && old.sha256 !== write.info.sha256;
  if (changed) {
    const { _id, sha256, fetchedAt, lines, headings, bytes } = old;
    const order = (others[0]?.order ?? 0) + 1;
    await archive.replaceOne(
      { _id },
      {
        ...place,
        sha256,
        fetchedAt,
        archivedAt: database.now().toISOString(),
        lines,
        headings,
        bytes,
        order,
      },
      { session, upsert: true },
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

async function hasText(
  database: Database,
  { _id }: DocumentDocument,
  session: ClientSession,
): Promise<boolean> {
  const texts = database.own('texts');
  return (await texts.findOne({ doc: _id }, { session, projection: { _id: 1 } })) !== null;
}

/** Everything of a version but its share of the graph. */
async function dropContent(
  database: Database,
  old: Pick<DocumentDocument, '_id' | 'collection'>,
  { keepText, session }: { keepText: boolean; session: ClientSession },
): Promise<void> {
  await database.own('documents').deleteOne({ _id: old._id }, { session });
  await removePieces(database, { texts: keepText ? [] : [old._id], headings: [old._id] }, session);
  await database.collection<ChunkDocument>(old.collection).deleteMany({ '_vai.doc': old._id }, { session });
  for (const store of [NAMES.words, NAMES.postings])
    await database.collection(store).deleteMany({ doc: old._id }, { session });
}

export async function removeDocument(database: Database, collection: string, path: string): Promise<boolean> {
  const place = { collection, path };
  // What an attempt before found: a server may have removed its record and nothing else.
  let before: DocumentDocument | undefined;
  const removed = await database.transaction(async (session, attempt) => {
    before = (await documentWithin(database, place, session)) ?? before;
    if (before) await removeWithin(database, before, session);
    return before !== undefined || attempt > 1;
  });
  forgetCounts(database);
  return removed;
}

async function documentWithin(
  database: Database,
  { collection, path }: { collection: string; path: string },
  session: ClientSession,
): Promise<DocumentDocument | undefined> {
  const documents = database.own('documents');
  return (await documents.findOne({ collection, path }, { session })) ?? undefined;
}

async function removeWithin(
  database: Database,
  old: DocumentDocument,
  session: ClientSession,
): Promise<void> {
  const place = { collection: old.collection, path: old.path };
  await dropContent(database, old, { keepText: false, session });
  if (old.graph)
    await updateGraph(database, {
      collection: place.collection,
      removed: old._id,
      added: undefined,
      session,
    });
  const archive = database.own('archive');
  const versions = await archive.find(place, { session, projection: { _id: 1 } }).toArray();
  await archive.deleteMany(place, { session });
  await removePieces(database, { texts: versions.map((version) => version._id), headings: [] }, session);
}

export async function moveDocument(
  database: Database,
  collection: string,
  from: string,
  to: string,
): Promise<void> {
  if (from === to) return;
  await database.transaction(async (session, attempt) => {
    const documents = database.own('documents');
    const row = await documents.findOne({ collection, path: from }, { session });
    if (!row && attempt > 1 && (await documents.findOne({ collection, path: to }, { session }))) return;
    if (!row)
      throw new VaiError(
        'DOCUMENT_NOT_FOUND',
        `There is no document \`${from.slice(0, 200)}\` in \`${collection}\`.`,
      );
    const there = await documentWithin(database, { collection, path: to }, session);
    if (there) await removeWithin(database, there, session);
    await documents.updateOne({ _id: row._id }, { $set: { path: to } }, { session });
    const user = JSON.parse(row.metadata) as Record<string, unknown>;
    const source = sourceOf(to);
    const $set = {
      source,
      ...('source' in user ? {} : { 'metadata.source': source }),
      ...('filename' in user ? {} : { 'metadata.filename': fileName(source) }),
      'metadata.docId': docId(collection, to),
    };
    await database
      .collection<ChunkDocument>(collection)
      .updateMany({ '_vai.doc': row._id }, { $set }, { session });
    await database.own('words').updateMany({ doc: row._id }, { $set }, { session });
    await database.own('postings').updateMany({ doc: row._id }, { $set: { source: to } }, { session });
    await database.own('archive').updateMany({ collection, path: from }, { $set: { path: to } }, { session });
  });
}
