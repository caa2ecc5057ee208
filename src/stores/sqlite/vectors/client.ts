// Asks the scanning thread and waits for its answers. The thread is started at the first question and ended when none
// came for a while, so that its memory is not held for nothing.

import { existsSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import type { Worker } from 'node:worker_threads';
import { VaiError, type ErrorCode } from '../../../domain/errors.ts';
import { startThread } from '../../../small-heap.ts';
import type { ScanHit, ScanRequest } from './scanner.ts';
import type { WorkerSetup } from './worker.ts';

export interface ScanClient {
  search(request: ScanRequest): Promise<ScanHit[]>;
  /** Asks a thread that is not running yet, for nobody who waits. */
  wake(request: ScanRequest): void;
  close(): Promise<void>;
}

interface Answer {
  number: number;
  hits?: ScanHit[];
  error?: { code: ErrorCode; message: string; hint?: string };
}

interface Waiting {
  resolve: (hits: ScanHit[]) => void;
  reject: (reason: unknown) => void;
}

const IDLE_MS = 120_000;

/** Beside this file while developing, beside the bundle once built. */
function workerFile(): URL {
  return new URL(import.meta.url.endsWith('.ts') ? './worker.ts' : './vector-worker.js', import.meta.url);
}

/** Undefined where the thread's program is missing: then scans run on the calling thread. */
export function createScanClient(setup: WorkerSetup): ScanClient | undefined {
  const file = workerFile();
  if (!existsSync(fileURLToPath(file))) return undefined;
  const waiting = new Map<number, Waiting>();
  let worker: Worker | undefined;
  let idle: NodeJS.Timeout | undefined;
  let next = 0;

  function start(): Worker {
    const started = startThread(file, { workerData: setup, name: 'vai-vectors' });
    started.on('message', ({ number, hits, error }: Answer) => {
      const asked = waiting.get(number);
      waiting.delete(number);
      if (error)
        asked?.reject(new VaiError(error.code, error.message, error.hint ? { hint: error.hint } : {}));
      else asked?.resolve(hits ?? []);
      rest();
    });
    started.on('error', (reason) => fail(started, reason));
    started.on('exit', () => fail(started, new Error('The scanning thread ended.')));
    return started;
  }

  function fail(ended: Worker, reason: unknown): void {
    if (worker !== ended) return;
    worker = undefined;
    const lost = new VaiError('INTERNAL', 'The vector search stopped unexpectedly.', {
      hint: 'Try again; run `vai doctor` if it repeats.',
      cause: reason,
    });
    for (const asked of waiting.values()) asked.reject(lost);
    waiting.clear();
  }

  /** Nothing asked: the thread must not keep the process alive, nor its memory for long. */
  function rest(): void {
    if (waiting.size > 0) return;
    worker?.unref();
    clearTimeout(idle);
    idle = setTimeout(() => void close(), IDLE_MS);
    idle.unref();
  }

  async function close(): Promise<void> {
    clearTimeout(idle);
    const ended = worker;
    worker = undefined;
    await ended?.terminate();
  }

  function search(request: ScanRequest): Promise<ScanHit[]> {
    worker ??= start();
    worker.ref();
    clearTimeout(idle);
    const asked = worker;
    return new Promise((resolve, reject) => {
      next += 1;
      waiting.set(next, { resolve, reject });
      asked.postMessage({ number: next, request });
    });
  }

  return {
    search,
    wake(request) {
      // What goes wrong goes wrong again for the search that follows, and is said there.
      if (!worker) search(request).catch(() => undefined);
    },
    close,
  };
}
