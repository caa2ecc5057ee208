// Hands large writes to a thread, so that other callers of this process are answered meanwhile; what is small is written
// here, where starting a thread would take longer. One task at a time.

import { Worker } from 'node:worker_threads';
import { VaiError } from '../../../domain/errors.ts';
import type { DocumentWrite, Replaced } from '../../../ports/store.ts';
import type { Connection } from '../connection.ts';
import { createThread } from '../thread.ts';
import { pack } from './packed.ts';
import type { WriterTask } from './worker.ts';

export interface Writer {
  /** In one transaction: all of them, or none. */
  replace(writes: readonly DocumentWrite[], at: string): Promise<Replaced[]>;
  /** Merges of the word index that were left for later. */
  catchUp(): Promise<void>;
  optimize(): Promise<void>;
  close(): Promise<void>;
}

/** The next bulk load starts it again. */
const IDLE_MS = 5_000;

/** Undefined where there is no thread: then everything is written on the calling one. */
export function createWriter({ database, file, lend }: Connection): Writer | undefined {
  const thread = createThread<WriterTask, Replaced[]>({
    source: './writer/worker.ts',
    built: './write-worker.js',
    options: { workerData: { database, file }, name: 'vai-writer' },
    start: (program, options) => new Worker(program, options),
    idleMs: IDLE_MS,
    lost: stopped,
  });
  if (!thread) return undefined;
  return {
    replace(documents, at) {
      const writes = documents.map(pack);
      const transfer = writes.flatMap(({ vectors }) => (vectors ? [vectors.buffer] : []));
      return lend(() => thread.ask({ kind: 'replace', writes, at }, transfer));
    },
    async catchUp() {
      await lend(() => thread.ask({ kind: 'catchUp' }));
    },
    async optimize() {
      await lend(() => thread.ask({ kind: 'optimize' }));
    },
    close: () => thread.close(),
  };
}

function stopped(cause: unknown): VaiError {
  return new VaiError(
    'WRITE_FAILED',
    'The thread that writes stopped unexpectedly; nothing of this batch was stored.',
    { hint: 'Run the same command again.', cause },
  );
}
