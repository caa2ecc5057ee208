// Where knowledge lives. One database, many collections. Everything is asynchronous and within what MongoDB can do as
// well as SQLite: no query language, no synchronous read, no join across collections leaks through this port. Access
// control is decided above the store.

import type { Chunk } from '../domain/chunk.ts';
import type { Collection, CollectionStats } from '../domain/collection.ts';
import type { DocumentInfo, Heading, Metadata } from '../domain/document.ts';
import type { Filter } from '../domain/filter.ts';
import type { LineRange } from '../domain/lines.ts';
import type { WordQuery } from '../domain/query.ts';
import type { GraphReads, GraphWrites } from './graph-store.ts';

/** Which chunks a search may return. The filter applies inside the search, never after the limit. */
export interface Scope {
  /** Undefined: every collection. Names that do not exist match nothing. */
  collections?: readonly string[];
  filter?: Filter;
}

export interface ChunkWrite extends Chunk, GraphWrites {
  /** `chunkText` of the document: what is ranked and shown. */
  text: string;
  /** Extra words to index: parts and joined forms of identifiers, CJK bigrams. */
  extraWords: string;
  /** What the word index reads in place of the title and the heading path: source code is found by other words. */
  words?: { title: string; heading: string };
  /** Unit length; absent when embedding was off or failed. */
  vector?: Float32Array;
}

/** A page of a document begins with this chunk and is asked for by these names, which a store only compares. */
export interface PageStart {
  ordinal: number;
  names: string[];
}

export interface DocumentWrite {
  info: DocumentInfo;
  text: string;
  headings: Heading[];
  chunks: ChunkWrite[];
  pages?: PageStart[];
  /** Keep the text that is replaced, at most this many old versions per document. */
  archive?: { keep: number };
  /** Recorded in the same transaction. */
  event?: HistoryEvent;
}

export interface Replaced {
  /** Whether a document of that path was there before. */
  replaced: boolean;
  chunksRemoved: number;
}

/** A store may return the same object to several callers, so it must not be modified. */
export interface StoredChunk extends Readonly<Chunk> {
  /** Opaque; valid until the document is replaced. */
  readonly id: string;
  readonly collection: string;
  readonly path: string;
  readonly title: string;
  readonly text: string;
  readonly metadata: Metadata;
  readonly origin?: string;
  readonly sha256: string;
  readonly fetchedAt: string;
  /** Chunks in the whole document. */
  readonly totalChunks: number;
}

export interface ScoredChunk {
  id: string;
  /** Higher is better; comparable within one answer only. */
  score: number;
}

export interface WordSearch {
  query: WordQuery;
  scope: Scope;
  limit: number;
  /** All that matters is whether anything matches: the search may end at the first hit, with any score and no total. */
  any?: true;
  signal?: AbortSignal;
}

export interface WordHits {
  /** Best first; ties by collection, path, ordinal. */
  hits: ScoredChunk[];
  /** Scores are shares of what the question could give at most, 0 to about 1, and so mean something by themselves. */
  shares?: true;
  /** Chunks that match, or a lower bound when `totalIsBound`. */
  total: number;
  totalIsBound: boolean;
  /** What the caller should know: words left out under the cost budget, no text index, … */
  notices: string[];
}

export interface VectorSearch {
  vector: Float32Array;
  /** Only vectors of this model's space and of this length are compared. */
  model: string;
  /** The words of the question: a store that cannot compare every vector chooses by them what it compares, and says so. */
  words?: WordQuery;
  scope: Scope;
  limit: number;
  signal?: AbortSignal;
}

export interface VectorHits {
  /** Score is the cosine. */
  hits: ScoredChunk[];
  notices: string[];
}

/** One entry of a collection's update history. */
export interface HistoryEvent {
  at: string;
  collection: string;
  path: string;
  result: 'added' | 'updated' | 'unchanged' | 'failed' | 'removed' | 'held';
  linesBefore?: number;
  linesAfter?: number;
  headingsBefore?: number;
  headingsAfter?: number;
  bytes?: number;
  message?: string;
}

/** An older text of a document. */
export interface ArchivedVersion {
  sha256: string;
  /** When that text was fetched, and when it was replaced. */
  fetchedAt: string;
  archivedAt: string;
  lines: number;
  headings: number;
  bytes: number;
}

export interface IndexInfo {
  name: string;
  type: 'vector' | 'text';
  status: 'ready' | 'building' | 'failed' | 'missing';
  field: string;
  dimensions?: number;
  filterFields: string[];
}

export interface Page {
  limit: number;
  /** Opaque position to continue after. */
  after?: string;
}

export interface Collections {
  list(): Promise<(Collection & { stats: CollectionStats })[]>;
  get(name: string): Promise<(Collection & { stats: CollectionStats }) | undefined>;
  /** Creates or replaces the record; documents stay. A changed embedding stamp drops the collection's vectors. */
  put(collection: Collection): Promise<void>;
  /**
   * Puts what `edit` makes of the record as it is now, so that no change made meanwhile is lost; nothing where it makes
   * nothing. It may be asked again after a conflict. Gives what was put.
   */
  change(
    name: string,
    edit: (before: Readonly<Collection> | undefined) => Collection | undefined,
  ): Promise<Collection | undefined>;
  /** Removes the collection with everything in it; false when there was none. */
  remove(name: string): Promise<boolean>;
  rename(from: string, to: string): Promise<void>;
}

export interface LinePlace {
  collection: string;
  path: string;
  lines: LineRange;
}

export interface Documents {
  list(collection: string, page: Page): Promise<{ documents: DocumentInfo[]; next?: string }>;
  get(collection: string, path: string): Promise<DocumentInfo | undefined>;
  text(collection: string, path: string): Promise<string | undefined>;
  /** Exact lines without the final line end; empty past the end of a text, undefined where there is no document. */
  lines(places: readonly LinePlace[]): Promise<(string | undefined)[]>;
  headings(collection: string, path: string): Promise<Heading[] | undefined>;
  chunks(collection: string, path: string): Promise<StoredChunk[]>;
  /**
   * One transaction: text, headings, chunks, words, vectors, graph, archive and history change together; the names of
   * what was there before go, and those of the new chunks are still to be looked for (`graph.unnamed`). Calls made
   * without waiting for each other may share a transaction, which is quicker; each document is still whole or absent.
   */
  replace(write: DocumentWrite): Promise<Replaced>;
  /** Records a new check of an unchanged text. */
  touch(collection: string, path: string, fetchedAt: string): Promise<void>;
  /** Same text under another path: keeps chunks, vectors and graph. */
  move(collection: string, from: string, to: string): Promise<void>;
  remove(collection: string, path: string): Promise<boolean>;
}

export interface Searches {
  words(search: WordSearch): Promise<WordHits>;
  vectors(search: VectorSearch): Promise<VectorHits>;
  /** Says that vectors will soon be compared: a store that has to load them may begin. */
  expectVectors?(search: Omit<VectorSearch, 'vector' | 'limit'> & { dimensions: number }): void;
  /** Chunks by id, in the order asked; ids that no longer exist are left out. */
  chunks(ids: readonly string[]): Promise<StoredChunk[]>;
  /** First chunks of the pages that go by one of the names, at most `limit`, by collection, path and position. */
  pages(search: { names: readonly string[]; scope: Scope; limit: number }): Promise<string[]>;
  /** Vectors by chunk id, where they exist. */
  vectorsOf(ids: readonly string[]): Promise<Map<string, Float32Array>>;
  /** Words of these collections (none named: of all) within one edit of each given word, most frequent first. */
  similarWords(words: readonly string[], collections?: readonly string[]): Promise<Map<string, string[]>>;
  /** How many chunks of these collections there are, and how many have each word; undefined where no index can say. */
  wordCounts(
    words: readonly string[],
    collections: readonly string[],
  ): Promise<{ chunks: number; having: number[] } | undefined>;
}

export interface Versions {
  /** Newest first. */
  list(collection: string, path: string): Promise<ArchivedVersion[]>;
  /** The archived text whose SHA-256 begins with the given digits. */
  text(collection: string, path: string, shaPrefix: string): Promise<string | undefined>;
  /** Paths of the documents whose text has, or once had, a SHA-256 that begins with the given digits: those that have it first. */
  pathsOf(collection: string, shaPrefix: string): Promise<string[]>;
  /** Takes in an older text that was archived elsewhere, as the newest of them; whoever has several begins with the oldest. */
  keep(collection: string, path: string, version: ArchivedVersion & { text: string }): Promise<void>;
  /** Newest first; every collection when none is named. */
  history(collection: string | undefined, limit: number): Promise<HistoryEvent[]>;
  record(event: HistoryEvent): Promise<void>;
}

/** Answers of paid calls, by a key that names everything the value depends on. */
export interface Cache {
  get(namespace: string, keys: readonly string[]): Promise<Map<string, Uint8Array>>;
  put(namespace: string, entries: ReadonlyMap<string, Uint8Array>): Promise<void>;
  /** Removes the oldest entries beyond so many bytes; everything with 0. */
  trim(namespace: string, maxBytes: number): Promise<void>;
}

export type LockResult =
  | { held: true; renew(info: string): Promise<void>; release(): Promise<void> }
  | { held: false; info: string; since: string };

export interface Indexes {
  list(collection: string): Promise<IndexInfo[]>;
  create(collection: string, type: 'vector' | 'text', options: IndexOptions): Promise<IndexInfo>;
  drop(collection: string, name: string): Promise<boolean>;
}

export interface IndexOptions {
  name?: string;
  dimensions?: number;
  filterFields?: string[];
  signal?: AbortSignal;
  onProgress?: (message: string) => void;
}

export interface StoreHealth {
  ok: boolean;
  /** What is wrong, safe to show. */
  problems: string[];
}

export interface Store {
  readonly kind: 'sqlite' | 'mongodb';
  readonly database: string;
  readonly collections: Collections;
  readonly documents: Documents;
  readonly search: Searches;
  readonly graph: GraphReads;
  readonly versions: Versions;
  readonly cache: Cache;
  readonly indexes: Indexes;
  /** A lock over all processes; expires when its holder stops renewing for `ttlMs`. */
  lock(name: string, info: string, ttlMs: number): Promise<LockResult>;
  /** Small records of the database itself. */
  getMeta(key: string): Promise<string | undefined>;
  setMeta(key: string, value: string): Promise<void>;
  ping(): Promise<void>;
  /** Reads everything: index against text, counts, file integrity. */
  check(): Promise<StoreHealth>;
  bytes(): Promise<number>;
  /** After a bulk load: brings indexes into their quickest form; costs nothing when little was written. */
  optimize?(): Promise<void>;
  compact(): Promise<void>;
  /** A whole copy in one file, taken while others read and write. */
  backup(file: string): Promise<void>;
  close(): Promise<void>;
}

/** Opens databases by name; the same store for the same name within a process. */
export interface Stores {
  readonly kind: Store['kind'];
  open(database: string): Promise<Store>;
  /** Whether it exists; absent where opening one that does not creates nothing. */
  has?(database: string): Promise<boolean>;
  /** Databases that exist, without opening them. */
  list(): Promise<string[]>;
  /** Makes a database out of what `backup` wrote; refused where one of that name exists. */
  restore(database: string, file: string): Promise<void>;
  /** A free check that the store answers, for health probes. */
  ping(): Promise<void>;
  /** What the server behind the store can do and what that means, in one sentence; absent where there is no server. */
  about?(): Promise<string>;
  close(): Promise<void>;
}
