// The searches of the store, put together.

import type { Document } from 'mongodb';
import type { Searches } from '../../../ports/store.ts';
import { readVector } from '../chunks.ts';
import type { Database } from '../client.ts';
import { fieldOf, groupIds, loadChunks } from '../documents.ts';
import { mongoId } from '../foreign.ts';
import { formatChunkId } from '../ids.ts';
import type { IndexBook } from './indexes.ts';
import { findPages } from './pages.ts';
import { findSimilar } from './similar.ts';
import { searchVectors } from './vectors.ts';
import { searchWords } from './words.ts';

export function createSearches(database: Database, book: IndexBook): Searches {
  const { connection } = database;
  return {
    words: (search) => connection.run(() => searchWords(database, book, search)),
    vectors: (search) => connection.run(() => searchVectors(database, book, search)),
    chunks: (ids) => connection.run(() => loadChunks(database, ids)),
    pages: (search) => connection.run(() => findPages(database, search)),
    vectorsOf: (ids) =>
      connection.run(async () => {
        const field = fieldOf(database);
        const found = new Map<string, Float32Array>();
        for (const [collection, group] of groupIds(ids)) {
          const rows = database
            .collection(collection)
            .find<Document>(
              { _id: { $in: group.map(mongoId) as never[] } },
              { ...database.limits, projection: { [field]: 1 } },
            );
          for await (const row of rows) {
            const vector = readVector(row[field]);
            if (vector) found.set(formatChunkId(collection, row._id), vector);
          }
        }
        return found;
      }),
    similarWords: (words, collections) =>
      connection.run(() => findSimilar(database, book, { words, collections })),
  };
}
