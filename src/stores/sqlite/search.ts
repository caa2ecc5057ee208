// The searches of the store, put together.

import type { Searches } from '../../ports/store.ts';
import type { ChunkReads } from './chunks.ts';
import type { Connection } from './connection.ts';
import { createPageReads } from './pages.ts';
import { toId, toIds } from './scope.ts';
import { decodeVector } from './vectors/code.ts';
import { createVectorReads } from './vectors/search.ts';
import { createWordSearch } from './words/search.ts';
import { findSimilar } from './words/similar.ts';

export function createSearches(
  connection: Connection,
  chunks: ChunkReads,
  postingsBudget?: number,
): Searches & { close(): Promise<void> } {
  const { sql, read } = connection;
  const meaning = createVectorReads(connection);
  let words: ReturnType<typeof createWordSearch> | undefined;
  return {
    async words(search) {
      const searchWords = (words ??= createWordSearch(connection, postingsBudget));
      return read(() => searchWords(search));
    },
    vectors: (search) => meaning.search(search),
    async chunks(ids) {
      return read(() => chunks.load(toIds(ids)));
    },
    pages: createPageReads(connection),
    async vectorsOf(ids) {
      return read(() => {
        const one = sql('SELECT data FROM vectors WHERE chunk = ?');
        const found = new Map<string, Float32Array>();
        for (const text of ids) {
          const id = toId(text);
          const row = id === undefined ? undefined : (one.get(id) as { data: Uint8Array } | undefined);
          if (row) found.set(text, decodeVector(row.data));
        }
        return found;
      });
    },
    async similarWords(words) {
      return read(() => findSimilar(connection, chunks, words));
    },
    close: () => meaning.close(),
  };
}
