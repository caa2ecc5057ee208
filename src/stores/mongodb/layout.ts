// What is stored where in a database. Chunks are in the user's own collection, in the specification's format;
// everything else is in collections whose names begin with `_vai_`, which listings leave out.

import type { Binary, Document } from 'mongodb';
import type { Chunk } from '../../domain/chunk.ts';
import type { DocumentInfo, Heading } from '../../domain/document.ts';
import type { ArchivedVersion, HistoryEvent } from '../../ports/store.ts';

export const TEXT_INDEX = 'vai_text';

export const NAMES = {
  collections: '_vai_collections',
  documents: '_vai_documents',
  words: '_vai_words',
  postings: '_vai_postings',
  texts: '_vai_texts',
  headings: '_vai_headings',
  archive: '_vai_archive',
  history: '_vai_history',
  entities: '_vai_entities',
  relations: '_vai_relations',
  entityMentions: '_vai_entity_mentions',
  relationMentions: '_vai_relation_mentions',
  cache: '_vai_cache',
  locks: '_vai_locks',
  meta: '_vai_meta',
} as const;

export function isHidden(name: string): boolean {
  return name.startsWith('_vai_') || name.startsWith('system.');
}

/** What the specification and `vai_ingest` put under `metadata`, beside the user's own keys. */
export interface ReservedMetadata {
  source: string;
  filename: string;
  ingestedAt: string;
  chunkIndex: number;
  totalChunks: number;
  model?: string;
  chunkStrategy: string;
  dimensions?: number;
  docId: string;
  docVersion: string;
  contentHash: string;
}

/** Keys a user's metadata cannot have in a chunk; for the others the user's value wins, as in every filter. */
export const RESERVED: ReadonlySet<string> = new Set<keyof ReservedMetadata>([
  'chunkIndex',
  'totalChunks',
  'model',
  'chunkStrategy',
  'dimensions',
  'docId',
  'docVersion',
  'contentHash',
]);

/** What ours needs beyond the specification's shape. */
export interface ChunkPlace extends Chunk {
  /** The version of the document this chunk belongs to. */
  doc: string;
  /** Written ahead of the transaction that publishes it, and when; searches leave it out. */
  staged?: true;
  stagedAt?: Date;
}

export interface ChunkDocument extends Document {
  _id: string;
  text: string;
  source: string;
  metadata: Document & ReservedMetadata;
  _vai: ChunkPlace;
}

/**
 * What is searched of a chunk by words and mentions. All collections share one, so that one text index serves any
 * number of them, a word weighs the same in each, and a search over many is one query.
 */
export interface WordsDocument extends Document {
  _id: string;
  collection: string;
  doc: string;
  chunk: string;
  source: string;
  ordinal: number;
  title: string;
  heading: string;
  text: string;
  extra: string;
  /** Names of the page that begins with this chunk. */
  pages?: string[];
  /** Absent until they are looked for. */
  mentions?: string[];
  metadata: Document & ReservedMetadata;
  staged?: true;
}

/**
 * Which words some neighbouring chunks of a document have, and where: what a server without Atlas Search is searched by.
 * One entry has the ids of the chunks, the others have the words (`search/words/postings.ts`).
 */
export interface PostingsDocument extends Document {
  _id: string;
  collection: string;
  doc: string;
  source: string;
  /** Position in the document of the first of these chunks. */
  first: number;
  /** The `_id` of each chunk, sixteen bytes each. */
  ids?: Binary;
  /** Different words: what the multikey index holds. */
  tokens?: string[];
  /** Where each of them stands. */
  terms?: Map<string, Binary> | Record<string, Binary>;
  staged?: true;
}

export interface CollectionDocument extends Document {
  _id: string;
  /** The record as JSON: its free part may hold keys that MongoDB would read as its own. */
  record: string;
  model?: string;
  dimensions?: number;
  /** Set while a removal, a renaming or the dropping of vectors is under way, so that another process can finish it. */
  removing?: true;
  revectoring?: true;
  renaming?: string;
}

export interface DocumentDocument extends Document, Omit<DocumentInfo, 'metadata' | 'indexedWith'> {
  /** A version of a document: new with every replacement. */
  _id: string;
  /** JSON, for the same reason as a collection's record. */
  metadata: string;
  vectors: number;
  /** Words in its postings; absent where it has none: on a server that searches words itself, or of an older vai. */
  words?: number;
  graph: boolean;
  /** How many chunks at the end are still to be looked at for names; absent when none is. */
  unnamed?: number;
  /** What it was indexed with, as JSON. */
  indexedWith?: string;
}

/** A piece of a text, with the offset and the line it begins at. */
export interface TextPiece extends Document {
  _id: string;
  doc: string;
  number: number;
  start: number;
  line: number;
  text: string;
}

export interface HeadingPiece extends Document {
  _id: string;
  doc: string;
  number: number;
  headings: Heading[];
}

export interface ArchiveDocument extends Document, ArchivedVersion {
  /** The version whose text pieces are kept. */
  _id: string;
  collection: string;
  path: string;
  order: number;
}

export interface HistoryDocument extends Document {
  collection: string;
  order: number;
  at: Date;
  event: HistoryEvent;
}

export interface EntityDocument extends Document {
  collection: string;
  key: string;
  name: string;
  folded: string[];
  names: string[];
  type: string;
  description: string;
  mentions: number;
  tally: string;
}

export interface RelationDocument extends Document {
  collection: string;
  source: string;
  target: string;
  type: string;
  description: string;
  mentions: number;
  /** Absent where it was stored before it was counted. */
  confidence?: number;
  tally: string;
  words: string[];
}

export interface MentionDocument extends Document {
  collection: string;
  doc: string;
  chunk: string;
  ordinal: number;
  /** Key of the entity, or id of the relation. */
  owner: string;
  startLine: number;
  endLine: number;
  headingPath: string[];
  said: string;
}

export interface MetaDocument extends Document {
  _id: string;
  value: string;
}

export interface LockDocument extends Document {
  _id: string;
  owner: string;
  info: string;
  since: string;
  /** Only an older vai believes it; for others it is the mark that a renewal changes. */
  expires: Date;
}

export interface CacheDocument extends Document {
  namespace: string;
  key: string;
  value: Binary;
  bytes: number;
  order: number;
}

/** What each of our own collections holds. */
export interface Owned {
  collections: CollectionDocument;
  documents: DocumentDocument;
  words: WordsDocument;
  postings: PostingsDocument;
  texts: TextPiece;
  headings: HeadingPiece;
  archive: ArchiveDocument;
  history: HistoryDocument;
  entities: EntityDocument;
  relations: RelationDocument;
  entityMentions: MentionDocument;
  relationMentions: MentionDocument;
  cache: CacheDocument;
  locks: LockDocument;
  meta: MetaDocument;
}
