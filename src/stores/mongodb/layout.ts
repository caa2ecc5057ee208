// What lies where in a database. Chunks are in the user's own collection, shaped as the seed shapes them; everything
// else is in collections whose names begin with `_vai_`, which listings leave out.

import type { Binary, Collection as MongoCollection, Document, IndexDescription } from 'mongodb';
import type { Heading } from '../../domain/document.ts';
import type { LineRange } from '../../domain/lines.ts';
import type { HistoryEvent } from '../../ports/store.ts';
import type { Database } from './client.ts';

export const DEFAULT_FIELD = 'embedding';
export const DEFAULT_INDEX = 'vector_index';
export const TEXT_INDEX = 'vai_text';

export const NAMES = {
  collections: '_vai_collections',
  documents: '_vai_documents',
  words: '_vai_words',
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

/** What the seed and `vai_ingest` put under `metadata`, beside the user's own keys. */
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

/** What ours needs beyond the seed's shape. */
export interface ChunkPlace {
  /** The version of the document this chunk belongs to. */
  doc: string;
  ordinal: number;
  startLine: number;
  endLine: number;
  start: number;
  end: number;
  prefix?: string;
  page?: number;
  headingPath: string[];
  block: LineRange;
  /** Written ahead of the transaction that publishes it; searches leave it out. */
  staged?: true;
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

export interface DocumentDocument extends Document {
  /** A version of a document: new with every replacement. */
  _id: string;
  collection: string;
  path: string;
  title: string;
  sha256: string;
  rawSha256?: string;
  /** JSON, for the same reason as a collection's record. */
  metadata: string;
  origin?: string;
  fetchedAt: string;
  partial?: true;
  chunks: number;
  vectors: number;
  lines: number;
  headings: number;
  bytes: number;
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

export interface ArchiveDocument extends Document {
  /** The version whose text pieces are kept. */
  _id: string;
  collection: string;
  path: string;
  sha256: string;
  fetchedAt: string;
  archivedAt: string;
  lines: number;
  headings: number;
  bytes: number;
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

export interface CacheDocument extends Document {
  namespace: string;
  key: string;
  value: Binary;
  bytes: number;
  order: number;
}

const OWNED: IndexDescription[] = [
  { key: { collection: 1, owner: 1, doc: 1 } },
  { key: { collection: 1, chunk: 1 } },
  { key: { doc: 1 } },
];

const INDEXES: Partial<Record<keyof typeof NAMES, IndexDescription[]>> = {
  documents: [
    { key: { collection: 1, path: 1 }, unique: true },
    // Covers the counts of a collection.
    { key: { collection: 1, chunks: 1, vectors: 1, lines: 1, headings: 1, bytes: 1 } },
    { key: { unnamed: 1 }, partialFilterExpression: { unnamed: { $gt: 0 } } },
  ],
  words: [
    { key: { doc: 1 } },
    { key: { collection: 1, chunk: 1 } },
    { key: { mentions: 1, collection: 1, source: 1, ordinal: 1 } },
    { key: { pages: 1 }, partialFilterExpression: { pages: { $exists: true } } },
  ],
  texts: [{ key: { doc: 1, number: 1 } }, { key: { doc: 1, line: 1 } }],
  headings: [{ key: { doc: 1, number: 1 } }],
  archive: [{ key: { collection: 1, path: 1, order: -1 } }],
  history: [{ key: { collection: 1, order: -1 } }, { key: { order: -1 } }],
  entities: [
    { key: { collection: 1, key: 1 }, unique: true },
    { key: { key: 1 } },
    { key: { folded: 1 } },
    { key: { collection: 1, mentions: -1, name: 1 } },
  ],
  relations: [
    { key: { collection: 1, source: 1, target: 1, type: 1 }, unique: true },
    { key: { source: 1 } },
    { key: { target: 1 } },
    { key: { words: 1 } },
  ],
  entityMentions: OWNED,
  relationMentions: OWNED,
  cache: [{ key: { namespace: 1, key: 1 }, unique: true }, { key: { namespace: 1, order: -1 } }],
};

const CHUNK_INDEXES: IndexDescription[] = [
  { key: { '_vai.doc': 1, '_vai.ordinal': 1 }, name: 'vai_document' },
  { key: { 'metadata.docId': 1, 'metadata.chunkIndex': 1 }, name: 'vai_neighbours' },
];

/** Our own collections and their indexes; cheap when they exist, and done once per process and database. */
export async function ensureLayout(database: Database): Promise<void> {
  const db = database.db();
  const existing = new Set(
    (await db.listCollections({}, { nameOnly: true }).toArray()).map(({ name }) => name),
  );
  for (const [key, name] of Object.entries(NAMES)) {
    if (!existing.has(name)) await createQuietly(() => db.createCollection(name));
    const indexes = INDEXES[key as keyof typeof NAMES];
    if (indexes) await db.collection(name).createIndexes(indexes);
  }
}

/** The user's collection with the indexes that reading by document needs. */
export async function ensureChunks(
  database: Database,
  name: string,
): Promise<MongoCollection<ChunkDocument>> {
  const db = database.db();
  const collection = db.collection<ChunkDocument>(name);
  if (database.prepared.has(name)) return collection;
  await createQuietly(() => db.createCollection(name));
  await collection.createIndexes(CHUNK_INDEXES);
  database.prepared.add(name);
  return collection;
}

async function createQuietly(create: () => Promise<unknown>): Promise<void> {
  try {
    await create();
  } catch (thrown) {
    if ((thrown as { code?: number }).code !== 48) throw thrown;
  }
}
