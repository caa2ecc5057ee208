// What an ingest takes and gives, for every door.

import type { ChunkProfile } from '../../domain/chunk.ts';
import type { Metadata, ReadText } from '../../domain/document.ts';
import type { HistoryEvent, IndexInfo } from '../../ports/store.ts';

export interface IngestTextRequest {
  text: string;
  db?: string;
  collection?: string;
  /** Identifies the text in its collection; the same source replaces what it said before. */
  source?: string;
  metadata?: Record<string, unknown>;
  chunk?: Partial<ChunkProfile>;
  model?: string;
  dimensions?: number;
  /** `append` keeps the older text under its own path; `skip` leaves it alone. Default `replace`. */
  onExisting?: 'replace' | 'append' | 'skip';
}

export interface IngestTextResult {
  database: string;
  collection: string;
  source: string;
  path: string;
  docId: string;
  model: string;
  dimensions: number;
  chunksCreated: number;
  inserted: number;
  unchanged: number;
  removed: number;
  replaced: boolean;
  /** The vector index of the collection; on MongoDB it may still be building. */
  index?: { name: string; status: IndexInfo['status'] };
  metadata: Metadata;
  tokens: number;
  timeMs: number;
  warnings: string[];
}

export interface IngestFilesRequest {
  /** Files and folders of this machine; never from a client. */
  paths: string[];
  db?: string;
  collection?: string;
  model?: string;
  dimensions?: number;
  chunk?: Partial<ChunkProfile>;
  include?: string[];
  exclude?: string[];
  /** Remove documents of the folder that are no longer there. */
  sync?: boolean;
  force?: boolean;
  /** Stop before the hosted embedder has cost more than this many dollars. */
  maxCost?: number;
}

export interface IngestFailure {
  path: string;
  code: string;
  message: string;
}

export interface IngestFilesResult {
  database: string;
  collection: string;
  model: string;
  added: number;
  changed: number;
  unchanged: number;
  removed: number;
  chunks: number;
  embedded: number;
  tokens: number;
  cost: number;
  bytes: number;
  skipped: { reason: string; count: number; examples: string[] }[];
  failures: IngestFailure[];
  failuresTotal: number;
  timeMs: number;
  warnings: string[];
}

/** One text on its way into a collection: what every feeder (notes, files, documentation) hands to the pipeline. */
export interface DocumentInput {
  collection: string;
  path: string;
  read: ReadText;
  /** Hash of the bytes it was read from, where it came from bytes. */
  rawSha256?: string;
  bytes?: number;
  title?: string;
  metadata?: Metadata;
  origin?: string;
  fetchedAt: string;
  profile: ChunkProfile;
  archive?: { keep: number };
  event?: HistoryEvent;
}

export interface IngestedDocument {
  chunks: number;
  chunksRemoved: number;
  replaced: boolean;
  sha256: string;
  lines: number;
  headings: number;
  tokens: number;
  embedded: number;
  /** The text was stored, but some chunks have no vector because the provider failed. */
  partial: boolean;
  warnings: string[];
}
