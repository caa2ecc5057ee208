// Search by meaning: decides where to scan. What would hold the event loop for long goes to a thread of its own.

import { throwIfAborted } from '../../../domain/errors.ts';
import type { VectorHits, VectorSearch } from '../../../ports/store.ts';
import type { Connection } from '../connection.ts';
import { createScanClient, type ScanClient } from './client.ts';
import { createScanner, statesOf, type ScanHit, type Scanner, type ScanRequest } from './scanner.ts';

export interface VectorReads {
  search(search: VectorSearch): Promise<VectorHits>;
  close(): Promise<void>;
}

/** Bytes of f32 that are loaded and compared within about 10 ms on the event loop. */
const INLINE_BYTES = 4 * 1024 * 1024;

export function createVectorReads(connection: Connection): VectorReads {
  let scanner: Scanner | undefined;
  let client: ScanClient | undefined;

  function here(request: ScanRequest): ScanHit[] {
    const ready = (scanner ??= createScanner(connection));
    return connection.read(() => ready.search(request));
  }

  function isSmall(request: ScanRequest): boolean {
    const states = connection.read(() => statesOf(connection, request));
    const total = states.reduce((sum, state) => sum + state.vectors, 0);
    return total * request.vector.length * 4 <= INLINE_BYTES;
  }

  return {
    async search({ vector, model, scope, limit, signal }) {
      throwIfAborted(signal);
      const request: ScanRequest = {
        vector,
        model,
        collections: scope.collections,
        filter: scope.filter,
        limit,
      };
      const { database, file } = connection;
      const small = isSmall(request);
      if (!small) client ??= createScanClient({ database, file });
      const hits = small || !client ? here(request) : await client.search(request);
      throwIfAborted(signal);
      return { hits: hits.map(({ id, score }) => ({ id: String(id), score })), notices: [] };
    },
    async close() {
      await client?.close();
      client = undefined;
    },
  };
}
