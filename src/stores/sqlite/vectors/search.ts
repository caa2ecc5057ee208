// Search by meaning: decides where to scan. What would hold the event loop for long goes to a thread of its own.

import { setImmediate } from 'node:timers/promises';
import { throwIfAborted, VaiError } from '../../../domain/errors.ts';
import type { Searches, VectorHits, VectorSearch } from '../../../ports/store.ts';
import { startThread } from '../../../small-heap.ts';
import type { Connection } from '../connection.ts';
import { createThread, type Thread, type ThreadData } from '../thread.ts';
import { createScanner, type ScanHit, type ScanRequest } from './scanner.ts';

export interface VectorReads {
  search(search: VectorSearch): Promise<VectorHits>;
  expect: NonNullable<Searches['expectVectors']>;
  close(): Promise<void>;
}

/** Vectors loaded at a time on the event loop: a few milliseconds. */
const SLICE = 1000;
const IDLE_MS = 120_000;

export function createVectorReads(connection: Connection): VectorReads {
  const scanner = createScanner(connection);
  const thread = scanningThread(connection);

  /** Undefined while some of what is compared is not loaded: that takes longer and is done in slices. */
  function tryHere(request: ScanRequest): ScanHit[] | undefined {
    return connection.read(() => (scanner.warm(request, SLICE) ? scanner.search(request) : undefined));
  }

  async function here(request: ScanRequest, signal: AbortSignal | undefined): Promise<ScanHit[]> {
    for (;;) {
      await setImmediate();
      throwIfAborted(signal);
      const hits = tryHere(request);
      if (hits) return hits;
    }
  }

  async function elsewhere(request: ScanRequest, signal: AbortSignal | undefined): Promise<ScanHit[]> {
    return thread?.ask(request) ?? here(request, signal);
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
      const { small, found } = connection.read(() => {
        const small = scanner.small(request);
        return { small, found: small ? tryHere(request) : undefined };
      });
      const hits = found ?? (await (small ? here : elsewhere)(request, signal));
      throwIfAborted(signal);
      return { hits: hits.map(({ id, score }) => ({ id: String(id), score })), notices: [] };
    },
    expect({ model, dimensions, scope }) {
      const { collections, filter } = scope;
      const zeros = { vector: new Float32Array(dimensions), model, collections, filter, limit: 0 };
      // What goes wrong goes wrong again for the search that follows, and is said there.
      if (thread?.isRunning === false && !connection.read(() => scanner.small(zeros)))
        thread.ask(zeros).catch(() => undefined);
    },
    close: async () => thread?.close(),
  };
}

/** Undefined where there is no thread: then scans run on the calling one. */
export function scanningThread({ database, file }: ThreadData): Thread<ScanRequest, ScanHit[]> | undefined {
  return createThread({
    source: './vectors/worker.ts',
    built: './vector-worker.js',
    options: { workerData: { database, file }, name: 'vai-vectors' },
    start: startThread,
    idleMs: IDLE_MS,
    lost: stopped,
  });
}

function stopped(cause: unknown): VaiError {
  return new VaiError('INTERNAL', 'The vector search stopped unexpectedly.', {
    hint: 'Try again; run `vai doctor` if it repeats.',
    cause,
  });
}
