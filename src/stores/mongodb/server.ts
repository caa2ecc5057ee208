// What the server at the other end can do. Asked once per connection, because most servers that speak MongoDB's protocol
// are not Atlas: some have no transactions, some no search, some a vector index of their own.

import type { Db, MongoClient } from 'mongodb';
import { VaiError } from '../../domain/errors.ts';
import { cannot, codeOf, passing } from './errors.ts';

export interface Server {
  /** Without them a document could be left half-written, so nothing is written. */
  transactions: boolean;
  /**
   * `atlas`: Atlas Search, or a `mongot` beside a server of one's own (`$search`, `$vectorSearch`, search indexes).
   * `cosmos`: DocumentDB and Azure, which have a vector index and no search by words. `none`: neither.
   */
  search: 'atlas' | 'cosmos' | 'none';
}

/** Vectors that are compared one by one on a server without a vector index: so many bytes of them, kept in memory. */
export const MAX_COMPARED_BYTES = 64 * 1024 * 1024;

/** A collection that need not exist: the stages are known, or not, without it. */
const PROBED = '_vai_words';
const UNAUTHORIZED = 13;
const BAD_VALUE = 2;

export async function askServer(client: MongoClient, db: Db): Promise<Server> {
  const [transactions, search] = await Promise.all([hasTransactions(client, db), searchOf(db)]);
  return { transactions, search };
}

/** Announcing them is not having them: a transaction that reads one document shows it. */
async function hasTransactions(client: MongoClient, db: Db): Promise<boolean> {
  const session = client.startSession();
  try {
    session.startTransaction();
    await db.collection(PROBED).findOne({ _id: '' as never }, { session });
    await session.commitTransaction();
    return true;
  } catch (thrown) {
    const kind = passing(thrown);
    if (kind === 'outage' || kind === 'overload' || codeOf(thrown) === UNAUTHORIZED) throw thrown;
    return kind === 'conflict';
  } finally {
    await session.endSession().catch(() => undefined);
  }
}

async function searchOf(db: Db): Promise<Server['search']> {
  const collection = db.collection(PROBED);
  try {
    await collection.aggregate([{ $listSearchIndexes: {} }]).toArray();
    return 'atlas';
  } catch (thrown) {
    // Who may not list search indexes may still search.
    if (codeOf(thrown) === UNAUTHORIZED) return 'atlas';
    if (!cannot(thrown)) throw thrown;
  }
  try {
    const probe = { path: 'embedding', vector: [1], k: 1 };
    await collection.aggregate([{ $search: { cosmosSearch: probe } }]).toArray();
    return 'cosmos';
  } catch (thrown) {
    if (codeOf(thrown) === BAD_VALUE) return 'cosmos';
    if (!cannot(thrown)) throw thrown;
    return 'none';
  }
}

/** One sentence for a person: what it is and what that means. */
export function describeServer({ transactions, search }: Server): string {
  const compared = `${MAX_COMPARED_BYTES / 1024 / 1024} MB`;
  const means = {
    atlas:
      'MongoDB with Atlas Search: words and meaning are searched by its indexes, which follow a write by about a second.',
    cosmos:
      'A MongoDB-compatible server with a vector index and without Atlas Search: meaning is searched by its index, words by an index that vai keeps itself; both follow a write at once.',
    none: `MongoDB without Atlas Search: words are searched by an index that vai keeps itself; by meaning, chunks are compared one by one up to ${compared} of vectors, and beyond that what the words found is put in order.`,
  }[search];
  return transactions ? means : `${means} It has no transactions, so vai reads it and writes nothing.`;
}

export function readOnlyServer(): VaiError {
  return new VaiError(
    'STORE_READONLY',
    'This MongoDB server has no transactions, so vai reads it and writes nothing: a document could be left half-written.',
    { hint: 'Run MongoDB as a replica set (one member is enough), or use DocumentDB or Atlas.' },
  );
}
