// Hands large writes to a thread, so that other callers of this process are answered meanwhile; what is small is written
// here, where starting a thread would take longer. One task at a time.

import { existsSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { Worker } from 'node:worker_threads';
import { VaiError, type ErrorCode } from '../../../domain/errors.ts';
import type { DocumentWrite, Replaced } from '../../../ports/store.ts';
import type { Connection } from '../connection.ts';
import { pack } from './packed.ts';
import type { WriterSetup, WriterTask } from './worker.ts';

export interface Writer {
  /** In one transaction: all of them, or none. */
  replace(writes: readonly DocumentWrite[], at: string): Promise<Replaced[]>;
  /** Merges of the word index that were left for later. */
  catchUp(): Promise<void>;
  optimize(): Promise<void>;
  close(): Promise<void>;
}

interface Answer {
  results?: Replaced[];
  error?: { code: ErrorCode; message: string; hint?: string };
}

/** Its memory is not held for long: the next bulk load starts it again. */
const IDLE_MS = 5_000;

/** Beside this file while developing, beside the bundle once built. */
function programFile(): URL {
  return new URL(import.meta.url.endsWith('.ts') ? './worker.ts' : './write-worker.js', import.meta.url);
}

/** Undefined where the thread's program is missing: then everything is written on the calling thread. */
export function createWriter(connection: Connection): Writer | undefined {
  const program = programFile();
  if (!existsSync(fileURLToPath(program))) return undefined;
  let thread: Worker | undefined;
  let idle: NodeJS.Timeout | undefined;

  function start(): Worker {
    const { database, file } = connection;
    const started = new Worker(program, {
      workerData: { database, file } satisfies WriterSetup,
      name: 'vai-writer',
    });
    started.once('exit', () => {
      if (thread === started) thread = undefined;
    });
    return started;
  }

  function ask(task: WriterTask, transfer: ArrayBuffer[]): Promise<Replaced[]> {
    return connection.lend(
      () =>
        new Promise<Replaced[]>((resolve, reject) => {
          clearTimeout(idle);
          const asked = (thread ??= start());
          const lost = (cause: unknown): void => settle(() => reject(stopped(cause)));
          const answered = ({ results, error }: Answer): void =>
            settle(() =>
              error ? reject(new VaiError(error.code, error.message, error)) : resolve(results!),
            );
          const settle = (tell: () => void): void => {
            asked.off('message', answered).off('error', lost).off('exit', lost);
            asked.unref();
            idle = setTimeout(() => void close(), IDLE_MS);
            idle.unref();
            tell();
          };
          asked.ref();
          asked.once('message', answered).once('error', lost).once('exit', lost);
          asked.postMessage(task, transfer);
        }),
    );
  }

  async function close(): Promise<void> {
    clearTimeout(idle);
    const ended = thread;
    thread = undefined;
    await ended?.terminate();
  }

  return {
    replace(documents, at) {
      const writes = documents.map(pack);
      return ask(
        { kind: 'replace', writes, at },
        writes.flatMap(({ vectors }) => (vectors ? [vectors.buffer] : [])),
      );
    },
    async catchUp() {
      await ask({ kind: 'catchUp' }, []);
    },
    async optimize() {
      await ask({ kind: 'optimize' }, []);
    },
    close,
  };
}

function stopped(cause: unknown): VaiError {
  return new VaiError(
    'WRITE_FAILED',
    'The thread that writes stopped unexpectedly; nothing of this batch was stored.',
    {
      hint: 'Run the same command again.',
      cause,
    },
  );
}
