// Runs tasks over text from outside in a process of its own. Each has a limit of time and of memory; what breaks one fails
// that task alone. The process starts when it is first needed and ends when it has been idle for a while. It is not a thread:
// a thread that runs out of memory often takes the whole process with it (docs/decisions/reading.md).

import { fork, type ChildProcess } from 'node:child_process';
import { toVaiError, VaiError } from '../domain/errors.ts';
import type { TextWorker, WorkOptions } from '../ports/worker.ts';
import { unpack, type Answer, type Sent } from './protocol.ts';
import type { Input, Output, TaskName, Tasks } from './tasks.ts';

export interface WorkerOptions {
  /** What is short is done here: the tasks, and which inputs are light enough. */
  here: () => Promise<{ TASKS: Tasks; isLight: (sent: Sent) => boolean }>;
  /** The program of the process. */
  program: URL;
  /** Most CPU time of a task. */
  cpuMs?: number;
  /** Longest time of what is sent together, however busy the machine is. */
  timeMs?: number;
  /** The process ends when it had nothing to do for so long. */
  idleMs?: number;
}

/** Most memory of the process. */
const MEGABYTES = 400;
/** Text that a call may have done in this process, in characters or bytes: about 20 ms of work. */
const LIGHT_TOTAL = 300_000;
/** A call that has rested for so long may begin anew. */
const RESTED_MS = 1_000;
/** Owner of what nobody can cancel. */
const NOBODY = {};
/** Short inputs travel together: a message costs as much as analysing a page. */
const BATCH_WEIGHT = 100_000;
/** Sent ahead of its turn, so that the worker goes on while this process writes. */
const AHEAD_WEIGHT = 2_000_000;

interface Job {
  sent: Sent;
  weight: number;
  owner: object;
  /** It was in a batch that failed: it goes by itself. */
  alone: boolean;
  done: boolean;
  settle: (answer: Answer | VaiError) => void;
}

export function createTextWorker(options: WorkerOptions): TextWorker {
  const { cpuMs = 10_000, timeMs = 60_000, idleMs = 5_000 } = options;
  const waiting = new Map<object, Job[]>();
  const light = new WeakMap<object, { used: number; at: number }>();
  let flying: Job[][] = [];
  let child: ChildProcess | undefined;
  /** Of which corpus the process has the knowledge: from then on the id is enough. */
  let knows: string | undefined;
  let why: VaiError | undefined;
  let timer: NodeJS.Timeout | undefined;

  async function run<Name extends TaskName>(
    name: Name,
    input: Input<Name>,
    weight: number,
    { signal }: WorkOptions,
  ): Promise<Output<Name>> {
    const sent: Sent<Name> = { name, input };
    const { TASKS, isLight } = await options.here();
    if (isLight(sent) && spend(signal ?? NOBODY, weight))
      return (TASKS[name] as (value: Input<Name>) => Promise<Output<Name>>)(input);
    const answer = await submit(sent, weight, signal);
    if (answer instanceof VaiError) throw answer;
    return unpack(name, answer);
  }

  /** Whether the call has done little enough here. */
  function spend(owner: object, weight: number): boolean {
    const now = performance.now();
    const last = light.get(owner);
    const used = weight + (last && now - last.at < RESTED_MS ? last.used : 0);
    if (used > LIGHT_TOTAL) return false;
    light.set(owner, { used, at: now });
    return true;
  }

  function submit(sent: Sent, weight: number, signal: AbortSignal | undefined): Promise<Answer | VaiError> {
    return new Promise((resolve) => {
      const owner = signal ?? NOBODY;
      const job: Job = { sent, weight, owner, alone: false, done: false, settle };
      const cancel = (): void => {
        settle(toVaiError(new DOMException('', 'AbortError')));
        // Nobody waits for what it is at: others should not either.
        if (flying[0]?.every(({ done }) => done)) stop(new VaiError('CANCELLED', 'The call was cancelled.'));
      };
      function settle(answer: Answer | VaiError): void {
        if (job.done) return;
        job.done = true;
        signal?.removeEventListener('abort', cancel);
        resolve(answer);
      }
      if (signal?.aborted) return cancel();
      signal?.addEventListener('abort', cancel, { once: true });
      waitFor(job);
      pump();
    });
  }

  function waitFor(job: Job, first = false): void {
    const queue = waiting.get(job.owner) ?? [];
    if (first) queue.unshift(job);
    else queue.push(job);
    waiting.set(job.owner, queue);
  }

  /** Sends what may be sent; calls take turns, batch by batch. */
  function pump(): void {
    // A process that is being stopped is sent nothing more: it would fail for the reason of the call before.
    if (child?.killed) return;
    let ahead = flying.flat().reduce((sum, { weight }) => sum + weight, 0);
    while (ahead < AHEAD_WEIGHT) {
      const batch = nextBatch();
      if (!batch) break;
      ahead += batch.reduce((sum, { weight }) => sum + weight, 0);
      child ??= start();
      flying.push(batch);
      child.send(
        batch.map(({ sent }) => lean(sent)),
        () => undefined,
      );
      if (flying.length === 1) watch();
    }
  }

  /** Without the knowledge of a corpus that the process has already: it is larger than most texts. */
  function lean(sent: Sent): Sent {
    if (sent.name !== 'extract') return sent;
    const input = sent.input as Input<'extract'>;
    const id = input.knowledge?.id;
    if (id === undefined || id !== knows) {
      knows = id ?? knows;
      return sent;
    }
    return { ...sent, input: { ...input, knowledge: { id } } };
  }

  function nextBatch(): Job[] | undefined {
    for (const [owner, queue] of waiting) {
      waiting.delete(owner);
      const batch: Job[] = [];
      let weight = 0;
      for (let job = queue[0]; job; job = queue[0]) {
        if (batch.length > 0 && (job.alone || weight + job.weight > BATCH_WEIGHT)) break;
        queue.shift();
        if (job.done) continue;
        batch.push(job);
        weight += job.weight;
        if (job.alone) break;
      }
      // Back to the end of the line.
      if (queue.length > 0) waiting.set(owner, queue);
      if (batch.length > 0) return batch;
    }
    return undefined;
  }

  function start(): ChildProcess {
    knows = undefined;
    const started = fork(options.program, [String(MEGABYTES), String(cpuMs)], {
      serialization: 'advanced',
      // Without the variables of this process, among which are keys; and reading files is all it may do.
      env: process.platform === 'win32' ? { SystemRoot: process.env['SystemRoot'] } : {},
      execArgv: [
        `--max-old-space-size=${Math.round(MEGABYTES * 0.8)}`,
        ...['--permission', '--allow-fs-read=*', '--allow-worker'],
        // The optimizing compiler takes two gigabytes for the parsers of twenty languages.
        '--liftoff-only',
      ],
      stdio: ['ignore', 'ignore', 'ignore', 'ipc'],
    });
    started.on('message', (answers: Answer[]) => {
      if (started.killed) return;
      const batch = flying.shift() ?? [];
      batch.forEach((job, at) => job.settle(answers[at]!));
      pump();
      watch();
    });
    started.once('exit', (_, signal) => {
      // So the program ends itself when a task has used up its time.
      if (signal === 'SIGVTALRM') why ??= tooSlow(cpuMs, ' of CPU time');
      ended(started);
    });
    started.once('error', (cause) => {
      why = new VaiError('INTERNAL', 'The process that reads texts could not be started.', {
        hint: 'Check how many processes and how much memory this user may have.',
        cause,
      });
      ended(started);
    });
    return started;
  }

  /** The first batch under way has its time from now on; without one the process may end. */
  function watch(): void {
    clearTimeout(timer);
    if (!child) return;
    if (flying.length > 0) {
      child.channel?.ref();
      child.ref();
      timer = setTimeout(() => stop(tooSlow(timeMs)), timeMs);
      return;
    }
    child.channel?.unref();
    child.unref();
    timer = setTimeout(endIdle, idleMs);
    timer.unref();
  }

  /** Forgotten first: what comes now belongs to the next process. */
  function endIdle(): void {
    const idle = child;
    child = undefined;
    idle?.kill('SIGKILL');
  }

  function stop(reason: VaiError): void {
    why = reason;
    child?.kill('SIGKILL');
  }

  /** What was under way failed, or is tried by itself where it was one of several; the rest is done by the next process. */
  function ended(gone: ChildProcess): void {
    if (child !== gone) return;
    const [first = [], ...others] = flying;
    const reason = why ?? tooLarge(MEGABYTES);
    child = undefined;
    flying = [];
    why = undefined;
    clearTimeout(timer);
    for (const job of others.flat().reverse()) waitFor(job, true);
    if (first.length === 1) first[0]!.settle(reason);
    else for (const job of first.reverse()) waitFor(Object.assign(job, { alone: true }), true);
    pump();
  }

  return {
    read: (file, owner) => run('read', file, file.bytes.length, owner),
    analyse: (text, owner) => run('analyse', text, text.read.text.length, owner),
    symbols: (text, owner) => run('symbols', text, text.text.length, owner),
    survey: async (text, owner) => Buffer.from(await run('survey', text, text.text.length, owner)),
    extract(input, schema, { knowledge, ...owner }) {
      const known = knowledge && { knowledge: { id: knowledge.id, bytes: knowledge.bytes } };
      return run('extract', { input, schema, ...known }, input.text.length, owner);
    },
    page: (html, owner) => run('page', html, html.length, owner),
  };
}

function tooSlow(ms: number, kind = ''): VaiError {
  return new VaiError('TIMEOUT', `Reading it took longer than ${ms / 1000} seconds${kind} and was stopped.`, {
    hint: 'The file may be damaged or made to do harm. Split it, or convert it to Markdown or text.',
  });
}

function tooLarge(megabytes: number): VaiError {
  return new VaiError('TOO_LARGE', `Reading it took more than ${megabytes} MB of memory and was stopped.`, {
    hint: 'The file may be damaged or made to do harm. Split it, or convert it to Markdown or text.',
  });
}
