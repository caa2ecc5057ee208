// The searches of the store.

import type { Searches } from '../../ports/store.ts';
import type { ChunkReads } from './chunks.ts';
import type { Connection } from './connection.ts';
import { createPageReads } from './pages.ts';
import { toId, toIds } from './scope.ts';
import { decodeVector } from './vectors/code.ts';
import { createVectorReads } from './vectors/search.ts';
import type { Lengths } from './words/lengths.ts';
import { createWordSearch, statisticsOf } from './words/search.ts';
import { segmentsOf } from './words/segments.ts';
import { findSimilar } from './words/similar.ts';
import { countWords } from './words/count.ts';

export function createSearches(
  connection: Connection,
  chunks: ChunkReads,
  lengths: Lengths,
): Searches & { close(): Promise<void> } {
  const { sql, read } = connection;
  const meaning = createVectorReads(connection);
  const words = createWordSearch(connection, lengths);
  const groundsOf = (collections: readonly string[] | undefined) =>
    statisticsOf(connection, collections).map((statistics) => ({
      connection,
      collection: statistics.id,
      segments: segmentsOf(connection, statistics.id),
      lengths,
      statistics,
    }));
  return {
    async words(search) {
      return read(() => words(search));
    },
    vectors: (search) => meaning.search(search),
    expectVectors: (search) => meaning.expect(search),
    async chunks(ids) {
      return read(() => chunks.load(toIds(ids)));
    },
    pages: createPageReads(connection),
    async vectorsOf(ids) {
      return read(() => {
        const one = sql<{ data: Uint8Array }>('SELECT data FROM vectors WHERE chunk = ?');
        const found = new Map<string, Float32Array>();
        for (const text of ids) {
          const id = toId(text);
          const row = id === undefined ? undefined : one.get(id);
          if (row) found.set(text, decodeVector(row.data));
        }
        return found;
      });
    },
    async similarWords(words, collections) {
      return read(() => findSimilar(groundsOf(collections), chunks, words));
    },
    async wordCounts(words, collections) {
      return read(() => countWords(groundsOf(collections), words));
    },
    close: () => meaning.close(),
  };
}
