// A document too big for one transaction, written ahead as staged chunks that no search returns. What a killed ingest
// leaves staged is swept by a later one of the same document, or by `vai compact`.

import type { ClientSession, Collection, Document } from 'mongodb';
import type { Database } from './database.ts';
import { Conflict } from './errors.ts';
import { docId } from './ids.ts';
import { NAMES, type ChunkDocument, type PostingsDocument, type WordsDocument } from './layout.ts';

/** Before this, what is staged may belong to another ingest that is still under way. */
const SWEEP_AFTER_MS = 10 * 60_000;
const BATCH = { chunks: 500, bytes: 8_000_000 };

/** What is written of a version in collections of chunks and words. */
export interface Content {
  collection: string;
  doc: string;
  chunks: ChunkDocument[];
  words: WordsDocument[];
  postings: PostingsDocument[];
}

/** Staged without a session; as part of a transaction with one. */
export async function insertContent(
  database: Database,
  { collection, chunks, words, postings }: Content,
  session?: ClientSession,
): Promise<void> {
  await insertAll(database.collection<ChunkDocument>(collection), chunks, session);
  await insertAll(database.own('words'), words, session);
  await insertAll(database.own('postings'), postings, session);
}

export async function unstage(
  database: Database,
  { collection, doc }: { collection: string; doc: string | { $in: string[] } },
): Promise<void> {
  for (const store of [NAMES.words, NAMES.postings])
    await database.collection(store).deleteMany({ doc, staged: true });
  await database.collection<ChunkDocument>(collection).deleteMany({ '_vai.doc': doc, '_vai.staged': true });
}

/** What an attempt wrote ahead, staged or not: a server may have kept a part of its publication. Nothing owns it yet. */
export async function dropVersion(
  database: Database,
  { collection, doc }: { collection: string; doc: string },
): Promise<void> {
  for (const store of [NAMES.words, NAMES.postings]) await database.collection(store).deleteMany({ doc });
  await database.collection<ChunkDocument>(collection).deleteMany({ '_vai.doc': doc });
}

export async function publishStaged(
  database: Database,
  { collection, doc, chunks, words, postings }: Content,
  session: ClientSession,
): Promise<void> {
  const isWhole = async (store: string, prefix: string, expected: number): Promise<boolean> => {
    const { modifiedCount } = await database
      .collection(store)
      .updateMany(
        { [`${prefix}doc`]: doc, [`${prefix}staged`]: true },
        { $unset: { [`${prefix}staged`]: '', [`${prefix}stagedAt`]: '' } },
        { session },
      );
    return modifiedCount === expected;
  };
  const whole =
    (await isWhole(collection, '_vai.', chunks.length)) &&
    (await isWhole(NAMES.words, '', words.length)) &&
    (await isWhole(NAMES.postings, '', postings.length));
  // Swept meanwhile, by `vai compact` or by an ingest that considered this one dead: start over.
  if (!whole) throw new Conflict();
}

/** Chunks of an ingest that was killed before it published them. */
export async function sweep(
  database: Database,
  { collection, path }: { collection: string; path: string },
): Promise<void> {
  const before = new Date(database.now().getTime() - SWEEP_AFTER_MS);
  const left = await database.collection<ChunkDocument>(collection).distinct('_vai.doc', {
    'metadata.docId': docId(collection, path),
    '_vai.staged': true,
    '_vai.stagedAt': { $not: { $gte: before } },
  });
  if (left.length > 0) await unstage(database, { collection, doc: { $in: left as string[] } });
}

export async function insertAll<T extends Document & { _id: string }>(
  collection: Collection<T>,
  documents: readonly T[],
  session?: ClientSession,
): Promise<void> {
  for (const batch of batches(documents))
    await collection.insertMany(batch as never[], {
      session,
      ordered: session !== undefined,
    });
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
