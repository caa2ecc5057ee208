// Records as they come out of the database, turned into the values of the domain.

import type { Collection, CollectionStats } from '../../domain/collection.ts';
import type { DocumentInfo, IndexedWith, Metadata } from '../../domain/document.ts';
import { NO_COUNTS, type Counts } from './counts.ts';
import type { Database } from './database.ts';
import { type CollectionDocument, type DocumentDocument } from './layout.ts';

export type CollectionView = Collection & { stats: CollectionStats };

export async function collectionDocument(
  database: Database,
  name: string,
): Promise<CollectionDocument | undefined> {
  const collections = database.own('collections');
  const found = await collections.findOne({ _id: name, removing: { $exists: false } }, database.limits);
  return found ?? undefined;
}

export function toCollection(row: CollectionDocument, counts: Counts | undefined): CollectionView {
  const { words: _words, wordedChunks: _chunks, unworded: _unworded, ...stats } = counts ?? NO_COUNTS;
  return { ...recordOf(row), stats };
}

export function recordOf({ _id, record }: CollectionDocument): Collection {
  return { ...(JSON.parse(record) as Collection), name: _id };
}

export async function documentOf(
  database: Database,
  collection: string,
  path: string,
): Promise<DocumentDocument | undefined> {
  const documents = database.own('documents');
  return (await documents.findOne({ collection, path }, database.limits)) ?? undefined;
}

export function toInfo(row: DocumentDocument): DocumentInfo {
  const { collection, path, title, sha256, rawSha256, bytes, lines, headings, chunks, origin, fetchedAt } =
    row;
  return {
    ...{ collection, path, title, sha256 },
    ...(rawSha256 === undefined ? {} : { rawSha256 }),
    ...{ bytes, lines, headings, chunks },
    metadata: JSON.parse(row.metadata) as Metadata,
    ...(origin === undefined ? {} : { origin }),
    fetchedAt,
    ...(row.partial ? { partial: true } : {}),
    ...(row.indexedWith === undefined ? {} : { indexedWith: JSON.parse(row.indexedWith) as IndexedWith }),
  };
}
