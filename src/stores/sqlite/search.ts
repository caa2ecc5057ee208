// The searches of the store, put together.

import type { Searches } from '../../ports/store.ts';
import type { Connection } from './connection.ts';
import { loadChunks } from './documents.ts';
import { registerKeep } from './predicate.ts';
import { toId, toIds } from './scope.ts';
import { decodeVector } from './vectors/code.ts';
import { createVectorReads } from './vectors/search.ts';
import { searchWords } from './words/search.ts';
import { findSimilar } from './words/similar.ts';

export function createSearches(connection: Connection): Searches & { close(): Promise<void> } {
  const { sql, read } = connection;
  const meaning = createVectorReads(connection);
  let using: ReturnType<typeof registerKeep> | undefined;
  return {
    async words(search) {
      using ??= registerKeep(connection);
      const register = using;
      return read(() => searchWords(connection, search, register));
    },
    vectors: (search) => meaning.search(search),
    async chunks(ids) {
      return read(() => loadChunks(connection, toIds(ids)));
    },
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
      return read(() => findSimilar(connection, words));
    },
    close: () => meaning.close(),
  };
}
