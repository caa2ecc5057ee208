// What goes into the index pipeline and what comes out of it, for every toolset.

import type { ChunkProfile } from '../../domain/chunk.ts';
import type { IndexedWith, Metadata, ReadText } from '../../domain/document.ts';
import type { DocumentWrite, HistoryEvent, IndexInfo } from '../../ports/store.ts';

export interface IngestTextRequest {
  text: string;
  db?: string;
  collection?: string;
  /** Identifies the text in its collection; the same source replaces its earlier text. */
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

/** Which files and folders of this machine are meant; never from a client. */
export interface FindRequest {
  paths: readonly string[];
  /** The folder that documents are named from; without it, from what the paths share. */
  base?: string;
  include?: string[];
  exclude?: string[];
  maxBytes?: number;
}

export interface IndexFilesRequest extends FindRequest {
  db?: string;
  collection?: string;
  /** `none` keeps vectors off. */
  model?: string;
  dimensions?: number;
  chunk?: Partial<ChunkProfile>;
  /** Remove documents whose file is gone from its folder. */
  sync?: boolean;
  /** Read every file again, changed or not. */
  force?: boolean;
  /** Stop before a hosted embedder has cost more than this many dollars. */
  maxCost?: number;
  /** The collection is searched only when it is named, or alone. */
  onlyNamed?: boolean;
}

/** Reads documents for entities and relations before they are written. */
export interface Annotator {
  readonly stamp: NonNullable<IndexedWith['graph']>;
  annotate(
    documents: readonly { input: DocumentInput; write: DocumentWrite }[],
    run: Annotating,
  ): Promise<void>;
}

export interface Annotating {
  calls: IndexCalls;
  fail: (failure: IndexFailure) => void;
}

export interface IndexFailure {
  path: string;
  startLine: number;
  endLine: number;
  stage: 'read' | 'extract' | 'embed' | 'write';
  code: string;
  message: string;
}

/** What one run over files did, and what the collection holds after it. */
export interface IndexReport {
  database: string;
  collection: string;
  /** Embedding model, or `none`. */
  model: string;
  run: {
    added: number;
    changed: number;
    renamed: number;
    deleted: number;
    unchanged: number;
    failed: number;
    /** Stored, but without some vectors or entities because a provider failed; tried again by the next run. */
    partial: number;
    /** Chunks and bytes of what was added and changed. */
    chunks: number;
    bytes: number;
    skipped: { reason: string; count: number; examples: string[] }[];
  };
  totals: { documents: number; chunks: number; entities: number; relations: number; vectors: number };
  calls: IndexCalls;
  /** US dollars that a hosted embedder took. */
  cost: number;
  failures: IndexFailure[];
  failuresTotal: number;
  durationMs: number;
  warnings: string[];
}

export interface IndexCalls {
  extractRequests: number;
  extractCacheHits: number;
  embedRequests: number;
  embeddedTexts: number;
  inputTokens: number;
  outputTokens: number;
}

/** One text on its way into a collection: what every caller (notes, files, documentation) passes to the pipeline. */
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
  /** Most chunks it may become. */
  maxChunks?: number;
  /** Fingerprint of the folder it was found in. */
  folder?: string;
  /** A document of this path is stored: its vectors are kept where the text is the same. */
  replaces?: boolean;
  event?: HistoryEvent;
}

/** What became of one document. */
export interface IndexedDocument {
  chunks: number;
  chunksRemoved: number;
  replaced: boolean;
  /** The text was stored, but a provider failed for some of its chunks. */
  partial: boolean;
}
