// A thread of this store, with a connection of its own to the same file: started by the first task, and ended when none
// came for a while, so that its memory is not held for nothing.

import { existsSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { parentPort, type Worker, type WorkerOptions } from 'node:worker_threads';
import { describeError, toVaiError, VaiError } from '../../domain/errors.ts';

/** What a thread opens. */
export interface ThreadData {
  database: string;
  file: string;
}

export interface ThreadProgram {
  /** Beside this file while developing, beside the bundle once built. */
  source: string;
  built: string;
  options: WorkerOptions & { workerData: ThreadData };
  start: (program: URL, options: WorkerOptions) => Worker;
  idleMs: number;
  /** What a task is told whose thread ended. */
  lost: (cause: unknown) => VaiError;
}

export interface Thread<Task, Result> {
  readonly isRunning: boolean;
  ask(task: Task, transfer?: ArrayBuffer[]): Promise<Result>;
  close(): Promise<void>;
}

interface Answer<Result> {
  number: number;
  result?: Result;
  error?: ReturnType<typeof describeError>;
}

interface Running<Result> {
  worker: Worker;
  /** Tasks that were not answered yet, by number. */
  waiting: Map<number, PromiseWithResolvers<Result>>;
}

/** Undefined where the thread's program is missing: then its work is done on the calling thread. */
export function createThread<Task, Result>(made: ThreadProgram): Thread<Task, Result> | undefined {
  const name = import.meta.url.endsWith('.ts') ? made.source : made.built;
  const program = new URL(name, import.meta.url);
  if (!existsSync(fileURLToPath(program))) return undefined;
  let running: Running<Result> | undefined;
  let idle: NodeJS.Timeout | undefined;
  let last = 0;

  function start(): Running<Result> {
    const waiting: Running<Result>['waiting'] = new Map();
    const started = { worker: made.start(program, made.options), waiting };
    let cause: unknown = new Error('The thread ended.');
    const forget = (): void => {
      if (running === started) running = undefined;
    };
    started.worker.on('message', ({ number, result, error }: Answer<Result>) => {
      const asked = waiting.get(number);
      waiting.delete(number);
      if (error) asked?.reject(new VaiError(error.code, error.message, error));
      else asked?.resolve(result!);
      if (waiting.size === 0 && running === started) rest(started.worker);
    });
    started.worker.on('error', (thrown) => {
      cause = thrown;
      forget();
    });
    // All answers have been read by now, and the thread holds no lock of the database any more.
    started.worker.on('exit', () => {
      forget();
      for (const asked of waiting.values()) asked.reject(made.lost(cause));
    });
    return started;
  }

  /** Nothing asked: the thread must not keep the process alive, nor its memory for long. */
  function rest(worker: Worker): void {
    worker.unref();
    idle = setTimeout(() => void close(), made.idleMs);
    idle.unref();
  }

  async function close(): Promise<void> {
    clearTimeout(idle);
    const ended = running;
    running = undefined;
    await ended?.worker.terminate();
  }

  return {
    get isRunning() {
      return running !== undefined;
    },
    ask(task, transfer = []) {
      const { worker, waiting } = (running ??= start());
      worker.postMessage({ number: (last += 1), task }, transfer);
      clearTimeout(idle);
      worker.ref();
      const asked = Promise.withResolvers<Result>();
      waiting.set(last, asked);
      return asked.promise;
    },
    close,
  };
}

/** In the thread: does what it is asked, one task after the other. */
export function answerTasks<Task, Result>(work: (task: Task) => Result | Promise<Result>): void {
  const answer = async (task: Task) => work(task);
  parentPort!.on('message', ({ number, task }: { number: number; task: Task }) => {
    answer(task).then(
      (result) => parentPort!.postMessage({ number, result }),
      (thrown: unknown) => parentPort!.postMessage({ number, error: describeError(toVaiError(thrown)) }),
    );
  });
}
