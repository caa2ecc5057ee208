// Brings our own collections into being, and a user's before chunks are written to it. Indexes are made together with
// their collection, in one call: on an existing one each may cost seconds (DocumentDB builds them in the background).

import type { Document } from 'mongodb';
import type { Database } from './database.ts';
import { codeOf } from './errors.ts';
import { NAMES } from './layout.ts';
import { parallel } from './parallel.ts';
import { fromOrdinary, vectorIndexes } from './search/cosmos.ts';

type Keys = Record<string, 1 | -1>;

interface IndexSpec extends Document {
  key: Keys;
  unique?: boolean;
  name?: string;
}

const OWNED: IndexSpec[] = [
  { key: { collection: 1, owner: 1, doc: 1 } },
  { key: { collection: 1, chunk: 1 } },
  { key: { doc: 1 } },
];

const INDEXES: Partial<Record<keyof typeof NAMES, IndexSpec[]>> = {
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
  postings: [{ key: { collection: 1, tokens: 1 } }, { key: { doc: 1 } }],
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

const CHUNK_INDEXES: IndexSpec[] = [
  { key: { '_vai.doc': 1, '_vai.ordinal': 1 }, name: 'vai_document' },
  { key: { 'metadata.docId': 1, 'metadata.chunkIndex': 1 }, name: 'vai_neighbours' },
];

/** Rises with every collection or index that is added above: a database that says less is completed. */
const LAYOUT = 2;
const NAMESPACE_EXISTS = 48;

/** Our own collections and their indexes; one read when they exist. */
export async function ensureLayout(database: Database): Promise<void> {
  const meta = database.own('meta');
  const done = await meta.findOne({ _id: 'layout' }, database.limits);
  if (Number(done?.value ?? 0) >= LAYOUT) return;
  await parallel(Object.entries(NAMES), async ([key, name]) => {
    const indexes = INDEXES[key as keyof typeof NAMES];
    if (indexes) await createIndexes(database, name, indexes);
    else await createCollection(database, name);
  });
  await meta.updateOne({ _id: 'layout' }, { $set: { value: String(LAYOUT) } }, { upsert: true });
}

/** The user's collection with the indexes that reading by document and searching by meaning need. */
export async function ensureChunks(
  database: Database,
  name: string,
  dimensions: number | undefined,
): Promise<void> {
  if (database.prepared.has(name) && database.prepared.get(name) === dimensions) return;
  const wanted = [...CHUNK_INDEXES, ...(await vectorIndexes(database, dimensions))];
  const there = await listIndexes(database, name);
  // Vectors of another length went with the stamp they were made under, and their index with them.
  for (const old of fromOrdinary(there).filter((index) => index.dimensions !== dimensions))
    await database.collection(name).dropIndex(old.name);
  const missing = wanted.filter(
    (index) => !there.some((old) => old.name === index.name && sameLength(old, dimensions)),
  );
  if (missing.length > 0) await createIndexes(database, name, missing);
  database.prepared.set(name, dimensions);
}

function sameLength(index: Document, dimensions: number | undefined): boolean {
  const options = index.cosmosSearchOptions as { dimensions: number } | undefined;
  return options === undefined || options.dimensions === dimensions;
}

/** Also creates the collection where there is none. The driver's own call knows none of the options of other servers. */
export async function createIndexes(
  database: Database,
  name: string,
  indexes: readonly (IndexSpec | Document)[],
): Promise<void> {
  await database.db().command({
    createIndexes: name,
    indexes: indexes.map((index) => ({
      name: Object.entries(index.key as Keys)
        .flat()
        .join('_'),
      ...index,
    })),
  });
}

/** None for a collection that does not exist. */
export async function listIndexes(database: Database, name: string): Promise<Document[]> {
  try {
    return (await database.collection(name).listIndexes(database.limits).toArray()) as Document[];
  } catch (thrown) {
    if (codeOf(thrown) === 26) return [];
    throw thrown;
  }
}

async function createCollection(database: Database, name: string): Promise<void> {
  try {
    await database.db().createCollection(name);
  } catch (thrown) {
    if (codeOf(thrown) !== NAMESPACE_EXISTS) throw thrown;
  }
}
