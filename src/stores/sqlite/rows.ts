// Rows as they come out of the database, turned into the values of the domain.

import { collectionNotFound, type Collection, type CollectionStats } from '../../domain/collection.ts';
import type { DocumentInfo, IndexedWith, Metadata } from '../../domain/document.ts';
import type { Evidence } from '../../domain/graph.ts';
import type { Connection } from './connection.ts';

export interface CollectionRow extends CollectionStats {
  id: number;
  name: string;
  record: string;
  model: string | null;
  dimensions: number | null;
  next_chunk: number;
  vector_version: number;
}

export interface DocumentRow {
  id: number;
  collection: number;
  path: string;
  title: string;
  sha256: string;
  raw_sha256: string | null;
  bytes: number;
  lines: number;
  headings: number;
  first_chunk: number;
  chunks: number;
  vectors: number;
  graph: number;
  length: number;
  origin: string | null;
  fetched_at: string;
  partial: number;
  metadata: string;
  unnamed: number;
  indexed_with: string | null;
}

export function collectionRow(connection: Connection, name: string): CollectionRow | undefined {
  return connection.sql<CollectionRow>('SELECT * FROM collections WHERE name = ?').get(name);
}

export function requireCollectionRow(connection: Connection, name: string): CollectionRow {
  const row = collectionRow(connection, name);
  if (!row) throw collectionNotFound(name);
  return row;
}

export function documentRow(
  connection: Connection,
  collection: string,
  path: string,
): DocumentRow | undefined {
  return connection
    .sql<DocumentRow>(
      'SELECT d.* FROM documents d JOIN collections c ON c.id = d.collection WHERE c.name = ? AND d.path = ?',
    )
    .get(collection, path);
}

export function toCollection(row: CollectionRow): Collection & { stats: CollectionStats } {
  const { documents, chunks, vectors, lines, headings, bytes } = row;
  return { ...recordOf(row), stats: { documents, chunks, vectors, lines, headings, bytes } };
}

export function recordOf({ name, record }: CollectionRow): Collection {
  return { ...(JSON.parse(record) as Collection), name };
}

export function toInfo(row: DocumentRow, collection: string): DocumentInfo {
  return {
    collection,
    path: row.path,
    title: row.title,
    sha256: row.sha256,
    ...(row.raw_sha256 === null ? {} : { rawSha256: row.raw_sha256 }),
    bytes: row.bytes,
    lines: row.lines,
    headings: row.headings,
    chunks: row.chunks,
    metadata: JSON.parse(row.metadata) as Metadata,
    ...(row.origin === null ? {} : { origin: row.origin }),
    fetchedAt: row.fetched_at,
    ...(row.partial ? { partial: true } : {}),
    ...(row.indexed_with === null ? {} : { indexedWith: JSON.parse(row.indexed_with) as IndexedWith }),
  };
}

/** Lines of a chunk, with the chunk and its document. */
export interface PlaceRow {
  collection: string;
  path: string;
  start_line: number;
  end_line: number;
  heading_path: string;
  chunk: number;
}

export function placeOf(row: PlaceRow): Omit<Evidence, 'by'> {
  return {
    collection: row.collection,
    path: row.path,
    startLine: row.start_line,
    endLine: row.end_line,
    headingPath: JSON.parse(row.heading_path) as string[],
    chunkId: String(row.chunk),
  };
}
