// Records as they come out of the database, turned into the values of the domain.

import type { Document } from 'mongodb';
import type { Collection, CollectionStats } from '../../domain/collection.ts';
import type { DocumentInfo, IndexedWith, Metadata } from '../../domain/document.ts';
import { VaiError } from '../../domain/errors.ts';
import type { Database } from './database.ts';
import { NAMES, type CollectionDocument, type DocumentDocument } from './layout.ts';

export type CollectionView = Collection & { stats: CollectionStats };

/** What is counted of a collection, with what its own search by words must know. */
export interface Counts extends CollectionStats {
  /** Words in its postings, of how many chunks, and how many of its documents have none. */
  words: number;
  wordedChunks: number;
  unworded: number;
}

const NO_COUNTS: Counts = {
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

export async function collectionDocument(
  database: Database,
  name: string,
): Promise<CollectionDocument | undefined> {
  const collections = database.collection<CollectionDocument>(NAMES.collections);
  const found = await collections.findOne({ _id: name, removing: { $exists: false } }, database.limits);
  return found ?? undefined;
}

export function unknownCollection(name: string): VaiError {
  return new VaiError('COLLECTION_NOT_FOUND', `There is no collection \`${name.slice(0, 120)}\`.`, {
    hint: 'List the collections first, or add a document to create it.',
  });
}

export function toCollection(row: CollectionDocument, counts: Counts | undefined): CollectionView {
  const { words: _words, wordedChunks: _chunks, unworded: _unworded, ...stats } = counts ?? NO_COUNTS;
  return { ...(JSON.parse(row.record) as Collection), name: row._id, stats };
}

export async function documentOf(
  database: Database,
  collection: string,
  path: string,
): Promise<DocumentDocument | undefined> {
  const documents = database.collection<DocumentDocument>(NAMES.documents);
  return (await documents.findOne({ collection, path }, database.limits)) ?? undefined;
}

export function toInfo(row: DocumentDocument): DocumentInfo {
  return {
    collection: row.collection,
    path: row.path,
    title: row.title,
    sha256: row.sha256,
    ...(row.rawSha256 === undefined ? {} : { rawSha256: row.rawSha256 }),
    bytes: row.bytes,
    lines: row.lines,
    headings: row.headings,
    chunks: row.chunks,
    metadata: JSON.parse(row.metadata) as Metadata,
    ...(row.origin === undefined ? {} : { origin: row.origin }),
    fetchedAt: row.fetchedAt,
    ...(row.partial ? { partial: true } : {}),
    ...(row.indexedWith === undefined ? {} : { indexedWith: JSON.parse(row.indexedWith) as IndexedWith }),
  };
}

/** Counting that takes so long is not done again for every search. */
const SLOW_MS = 500;
const counted = new WeakMap<Database, { until: number; stats: Map<string, Counts> }>();

/**
 * Counts per collection, from the documents themselves, so that they cannot drift. In a database so big that counting
 * takes half a second, counts of other processes' writes may be seconds old.
 */
export async function statsOf(database: Database, names?: readonly string[]): Promise<Map<string, Counts>> {
  const known = counted.get(database);
  if (known && known.until > Date.now()) return known.stats;
  const began = performance.now();
  const stats = await countDocuments(database, names);
  const ms = performance.now() - began;
  if (!names && ms > SLOW_MS) counted.set(database, { until: Date.now() + Math.min(ms * 20, 30_000), stats });
  return stats;
}

/** After a write of this process its own counts are taken anew. */
export function forgetStats(database: Database): void {
  counted.delete(database);
}

async function countDocuments(
  database: Database,
  names: readonly string[] | undefined,
): Promise<Map<string, Counts>> {
  const sum = (field: string): Document => ({ $sum: `$${field}` });
  const worded = { $gte: [{ $ifNull: ['$words', -1] }, 0] };
  const rows = await database
    .collection<DocumentDocument>(NAMES.documents)
    .aggregate<Counts & { _id: string }>(
      [
        ...(names ? [{ $match: { collection: { $in: [...names] } } }] : []),
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
  return new Map(rows.map(({ _id, ...stats }) => [_id, stats]));
}
