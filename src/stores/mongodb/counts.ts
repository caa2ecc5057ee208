// What is counted of collections: from the documents themselves, so that it cannot drift.
//
// Counting a large collection for every search would cost more than the search. So its counts are remembered for a while:
// until this process writes, until the record of the collection changes, as it does at the end of every run, or until they
// are old. How many chunks have a word is remembered longer, because it only weighs words.

import type { Document } from 'mongodb';
import type { CollectionStats } from '../../domain/collection.ts';
import type { Database } from './database.ts';
import { type CollectionDocument } from './layout.ts';

/** What is counted of a collection, with what its own search by words must know. */
export interface Counts extends CollectionStats {
  /** Words in its postings, of how many chunks, and how many of its documents have none. */
  words: number;
  wordedChunks: number;
  unworded: number;
}

export const NO_COUNTS: Counts = {
  documents: 0,
  chunks: 0,
  vectors: 0,
  lines: 0,
  headings: 0,
  bytes: 0,
  words: 0,
  wordedChunks: 0,
  unworded: 0,
};

/** Fewer documents are counted at once, and each time. */
const MANY = 500;
const COUNTS_MS = 30_000;
const WORDS_MS = 10 * 60_000;
/** By so large a share a collection may grow or shrink before the chunks that have a word are counted again. */
const CHANGED = 0.05;
const MAX_WORDS = 50_000;

/** What a caller has just read of a collection; it changes with every run. */
export type Stamp = Pick<CollectionDocument, '_id' | 'record'>;

interface Remembered {
  record: string;
  until: number;
  counts: Counts;
}

interface RememberedWords {
  chunks: number;
  until: number;
  having: Map<string, number>;
}

interface Memory {
  counts: Map<string, Remembered>;
  words: Map<string, RememberedWords>;
  /** Work under way that will remember words. */
  counting: Set<Promise<unknown>>;
}

const memories = new WeakMap<Database, Memory>();

function memoryOf(database: Database): Memory {
  let memory = memories.get(database);
  if (!memory)
    memories.set(database, (memory = { counts: new Map(), words: new Map(), counting: new Set() }));
  return memory;
}

/** Counts per collection; one without documents is not among them. */
export async function countsOf(
  database: Database,
  collections: readonly Stamp[],
): Promise<Map<string, Counts>> {
  const { counts: known } = memoryOf(database);
  const found = new Map<string, Counts>();
  const missing: Stamp[] = [];
  for (const stamp of collections) {
    const kept = known.get(stamp._id);
    if (kept && kept.record === stamp.record && kept.until > Date.now()) found.set(stamp._id, kept.counts);
    else missing.push(stamp);
  }
  if (missing.length === 0) return found;
  const until = Date.now() + COUNTS_MS;
  const counted = await countDocuments(
    database,
    missing.map(({ _id }) => _id),
  );
  for (const { _id, record } of missing) {
    const counts = counted.get(_id);
    if (counts) found.set(_id, counts);
    if (counts && counts.documents >= MANY) known.set(_id, { record, until, counts });
    else known.delete(_id);
  }
  return found;
}

/** After a write, this process counts again. */
export function forgetCounts(database: Database): void {
  // Another map: what is being counted now, and may not have seen the write, goes into the old one.
  memoryOf(database).counts = new Map();
}

/** How many chunks of a collection have each word, as far as it is remembered; what is put in is, of a large collection. */
export function wordMemory(
  database: Database,
  collection: string,
  { documents, wordedChunks: chunks }: Pick<Counts, 'documents' | 'wordedChunks'>,
): Map<string, number> {
  const { words } = memoryOf(database);
  const kept = words.get(collection);
  const close = kept && Math.abs(kept.chunks - chunks) <= CHANGED * chunks;
  if (close && kept.until > Date.now() && kept.having.size < MAX_WORDS) return kept.having;
  const having = new Map<string, number>();
  if (documents >= MANY) words.set(collection, { chunks, until: Date.now() + WORDS_MS, having });
  else words.delete(collection);
  return having;
}

/** Work that puts words into the memory. */
export async function countingWords<T>(database: Database, work: () => Promise<T>): Promise<T> {
  const { counting } = memoryOf(database);
  const running = work();
  counting.add(running);
  try {
    return await running;
  } finally {
    counting.delete(running);
  }
}

/**
 * The words of a question are searched and counted at the same time, so counting reuses what the search reads anyway.
 */
export async function wordsCounted(database: Database): Promise<void> {
  await Promise.allSettled([...memoryOf(database).counting]);
}

async function countDocuments(database: Database, names: readonly string[]): Promise<Map<string, Counts>> {
  const sum = (field: string): Document => ({ $sum: `$${field}` });
  const worded = { $gte: [{ $ifNull: ['$words', -1] }, 0] };
  const rows = await database
    .own('documents')
    .aggregate<Counts & { _id: string }>(
      [
        { $match: { collection: { $in: [...names] } } },
        {
          $group: {
            _id: '$collection',
            documents: { $sum: 1 },
            chunks: sum('chunks'),
            vectors: sum('vectors'),
            lines: sum('lines'),
            headings: sum('headings'),
            bytes: sum('bytes'),
            words: sum('words'),
            wordedChunks: { $sum: { $cond: [worded, '$chunks', 0] } },
            unworded: { $sum: { $cond: [worded, 0, 1] } },
          },
        },
      ],
      database.limits,
    )
    .toArray();
  return new Map(rows.map(({ _id, ...counts }) => [_id, counts]));
}
