// Search by meaning: decides where to scan. What would hold the event loop for long goes to a thread of its own.

import { setImmediate } from 'node:timers/promises';
import { throwIfAborted } from '../../../domain/errors.ts';
import type { VectorHits, VectorSearch } from '../../../ports/store.ts';
import type { Connection } from '../connection.ts';
import { createScanClient, type ScanClient } from './client.ts';
import {
  createScanner,
  EXACT_BYTES,
  statesOf,
  type ScanHit,
  type Scanner,
  type ScanRequest,
} from './scanner.ts';

export interface VectorReads {
  search(search: VectorSearch): Promise<VectorHits>;
  close(): Promise<void>;
}

/** Vectors loaded at a time on the event loop: a few milliseconds. */
const SLICE = 2500;

export function createVectorReads(connection: Connection): VectorReads {
  let scanner: Scanner | undefined;
  let client: ScanClient | undefined;

  /** What is compared exactly takes a few milliseconds; loading it takes longer and is done in slices. */
  async function here(request: ScanRequest, signal: AbortSignal | undefined): Promise<ScanHit[]> {
    const ready = (scanner ??= createScanner(connection));
    while (!connection.read(() => ready.warm(request, SLICE))) {
      await setImmediate();
      throwIfAborted(signal);
    }
    return connection.read(() => ready.search(request));
  }

  function isSmall(request: ScanRequest): boolean {
    const states = connection.read(() => statesOf(connection, request));
    const total = states.reduce((sum, state) => sum + state.vectors, 0);
    return total * request.vector.length * 4 <= EXACT_BYTES;
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
      const hits = client && !small ? await client.search(request) : await here(request, signal);
      throwIfAborted(signal);
      return { hits: hits.map(({ id, score }) => ({ id: String(id), score })), notices: [] };
    },
    async close() {
      await client?.close();
      client = undefined;
    },
  };
}
