// The searches of the store, put together: through Atlas Search where the server has it, through our own index else.

import type { Document } from 'mongodb';
import type { Searches } from '../../../ports/store.ts';
import { readVector } from '../chunks.ts';
import type { Database } from '../database.ts';
import { groupIds, loadChunks } from '../documents.ts';
import { mongoId } from '../foreign.ts';
import { formatChunkId } from '../ids.ts';
import { countAtlasWords } from './atlas/count.ts';
import { findSimilar } from './atlas/similar.ts';
import { searchWords } from './atlas/words.ts';
import type { AllSearchIndexes } from './indexes.ts';
import { findPages } from './pages.ts';
import { createVectorMemory } from './vectors/compare.ts';
import { searchVectors } from './vectors/search.ts';
import { countWords } from './words/count.ts';
import { searchOwnWords } from './words/search.ts';
import { findSimilarOwn } from './words/similar.ts';

export function createSearches(database: Database, indexes: AllSearchIndexes): Searches {
  const memory = createVectorMemory(database);
  const hasAtlas = async (): Promise<boolean> => (await database.server()).search === 'atlas';
  return {
    words: (search) =>
      database.read(async () =>
        (await hasAtlas()) ? searchWords(database, indexes.atlas, search) : searchOwnWords(database, search),
      ),
    vectors: (search) => database.read(() => searchVectors({ database, indexes, memory, search })),
    chunks: (ids) => database.read(() => loadChunks(database, ids)),
    pages: (search) => database.read(() => findPages(database, search)),
    vectorsOf: (ids) =>
      database.read(async () => {
        const { field } = database;
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
      database.read(async () =>
        (await hasAtlas())
          ? findSimilar(database, indexes.atlas, { words, collections })
          : findSimilarOwn(database, { words, collections }),
      ),
    wordCounts: (words, collections) =>
      database.read(async () =>
        (await hasAtlas())
          ? countAtlasWords(database, indexes.atlas, { words, collections })
          : countWords(database, words, collections),
      ),
  };
}
