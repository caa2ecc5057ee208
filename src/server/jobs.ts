// Work that goes on after its answer: what the page began (a refresh, a graph, a deletion that can still be called off) and
// tool calls that run as tasks. Each is a file in a folder of the home, so that every worker and every server of the home
// shows the same, whichever of them does the work, and a restart loses none. A second file, made once, calls a job off;
// whoever makes it first has decided. A third holds the answer of a task, for its caller alone.

import { randomBytes } from 'node:crypto';
import { existsSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { toVaiError, VaiError } from '../domain/errors.ts';
import { makeFolder } from '../make-folder.ts';
import type { Call, Principal, Progress } from '../engine/call.ts';

export const JOB_FOLDER = 'jobs';
const BEAT_MS = 1_000;
/** One that has not been written for so long has lost its process. */
const LOST_MS = 60_000;
const KEPT = 100;
const KEPT_MS = 7 * 86_400_000;
/** Under way at once, for one key. */
const MOST = 8;
/** How long the answer of a task is kept after its end. */
export const ANSWER_KEPT_MS = 86_400_000;
/** Tasks kept at once: of one key, and of all. An answer is as long as a tool's may be. */
const MOST_TASKS = { key: 50, all: 500 };
const ID = /^[0-9a-z]{16}$/;

export type JobState = 'waiting' | 'running' | 'done' | 'failed' | 'cancelled' | 'interrupted';

export interface Job {
  id: string;
  /** The action it is. */
  action: string;
  /** Id of the key that began it. */
  key: string;
  /** The process that does it. */
  owner?: string;
  /** A tool call: its answer is kept for its caller. */
  task?: true;
  /** What it is about. */
  collection?: string;
  state: JobState;
  startedAt: string;
  /** When a waiting one begins. */
  dueAt?: string;
  progress?: Progress;
  result?: object;
  error?: { code: string; message: string; hint?: string };
  /** Last sign of life, or the end. */
  updatedAt: string;
}

export interface JobRequest {
  action: string;
  collection?: string;
  delayMs?: number;
  principal: Principal;
  /** Told once, when it has ended. */
  ended?: (ok: boolean) => void;
  /** Keep what it returns apart, as the answer of a task. */
  task?: boolean;
  run: (call: Call) => Promise<object>;
}

export interface Jobs {
  start(request: JobRequest): Job;
  /** Newest first: the caller's own, or all of them for who may see everything. */
  list(principal: Principal): Job[];
  /** False when it has ended, or has begun something that cannot be called off any more. */
  cancel(principal: Principal, id: string): boolean;
  /** Whether one more task of this caller can begin, and be kept for its time. */
  hasRoom(principal: Principal): boolean;
  /** A task of this caller, nobody else's. */
  task(principal: Principal, id: string): Job | undefined;
  /** What came of a task that is done. */
  answer(job: Job): object | undefined;
  /** Stops what runs here. */
  close(): Promise<void>;
}

/** Tells processes apart, across restarts. */
export interface Processes {
  /** This one. */
  own: string;
  /** Whether one has certainly ended. */
  isGone: (owner: string) => boolean;
}

export interface JobsOptions {
  home: string;
  /** Without it a job whose process has ended is noticed by its silence. */
  processes?: Processes | undefined;
  now: () => Date;
  track: <T>(work: Promise<T>) => Promise<T>;
}

export function createJobs({ home, processes, now, track }: JobsOptions): Jobs {
  const folder = join(home, JOB_FOLDER);
  const running = new Map<string, { stop: AbortController; ended: Promise<unknown> }>();
  let closing = false;

  const file = (id: string): string => join(folder, `${id}.json`);
  const answerFile = (id: string): string => join(folder, `${id}.answer`);
  const save = (job: Job): void => {
    job.updatedAt = now().toISOString();
    replaceFile(file(job.id), job);
  };
  /** What cannot be written down (a full disk) falls silent, and is then shown as interrupted. */
  const trySave = (job: Job): void => {
    try {
      save(job);
    } catch {
      // The work itself goes on.
    }
  };
  const calledOff = (id: string): boolean => {
    try {
      writeFileSync(join(folder, `${id}.off`), '', { mode: 0o600, flag: 'wx' });
      return false;
    } catch {
      return true;
    }
  };

  function readOne(id: string): Job | undefined {
    const job = readJson(file(id)) as Job | undefined;
    if (job && isOpen(job) && hasLostItsProcess(job)) job.state = 'interrupted';
    return job;
  }

  function hasLostItsProcess({ owner, updatedAt }: Job): boolean {
    if (owner !== undefined && processes?.isGone(owner)) return true;
    return Date.parse(updatedAt) < now().getTime() - LOST_MS;
  }

  function read(): Job[] {
    let names: string[];
    try {
      names = readdirSync(folder).filter((name) => name.endsWith('.json'));
    } catch {
      return [];
    }
    return names
      .flatMap((name) => readOne(name.slice(0, -'.json'.length)) ?? [])
      .sort((a, b) => (a.startedAt < b.startedAt ? 1 : -1));
  }

  function isOld({ task, updatedAt }: Job): boolean {
    return Date.parse(updatedAt) < now().getTime() - (task ? ANSWER_KEPT_MS : KEPT_MS);
  }

  function prune(jobs: readonly Job[]): void {
    const ended = jobs.filter((job) => !isOpen(job));
    // A caller was told how long the answer of a task is kept, so numbers end none of them early.
    const over = ended.filter(({ task }) => !task).slice(KEPT);
    for (const { id } of [...ended.filter(isOld), ...over])
      for (const path of [file(id), answerFile(id), join(folder, `${id}.off`)]) rmSync(path, { force: true });
  }

  /** Ends early when the time is up or somebody called it off; checked against the file, which others may have made. */
  async function carryOut(
    job: Job,
    { delayMs = 0, principal, task, run, ended }: JobRequest,
    stop: AbortController,
  ): Promise<void> {
    const off = join(folder, `${job.id}.off`);
    // One that waited has made the file itself by the time it runs.
    const canStop = (): boolean => delayMs === 0 || job.state === 'waiting';
    const beat = setInterval(() => {
      trySave(job);
      if (canStop() && existsSync(off)) stop.abort();
    }, BEAT_MS);
    let ok = false;
    try {
      if (delayMs > 0) {
        await wait(delayMs, undefined, { signal: stop.signal });
        // From here on nobody can call it off any more.
        if (calledOff(job.id)) throw new VaiError('CANCELLED', 'It was cancelled.');
      }
      job.state = 'running';
      const result = await run({
        principal,
        signal: stop.signal,
        progress: (progress) => (job.progress = progress),
      });
      // Before it is called done: whoever sees that asks for it.
      if (task) replaceFile(answerFile(job.id), result);
      else job.result = result;
      job.state = 'done';
      ok = true;
    } catch (thrown) {
      const error = toVaiError(thrown);
      job.state = error.code !== 'CANCELLED' ? 'failed' : closing ? 'interrupted' : 'cancelled';
      const { code, message, hint } = error;
      if (job.state === 'failed') job.error = { code, message, ...(hint ? { hint } : {}) };
    } finally {
      clearInterval(beat);
      delete job.progress;
      trySave(job);
      ended?.(ok);
    }
  }

  return {
    start(request) {
      makeFolder(folder, 0o700);
      const known = read();
      const { id: key } = request.principal;
      if (known.filter((job) => isOpen(job) && job.key === key).length >= MOST)
        throw new VaiError('INDEX_BUSY', `This key already has ${MOST} jobs running.`, {
          hint: 'Wait until one has ended, or cancel one.',
        });
      prune(known);
      const at = now();
      const { action, collection, delayMs = 0, task } = request;
      const job: Job = {
        id: randomBytes(10).readBigUInt64BE().toString(36).padStart(16, '0').slice(-16),
        ...{ action, key, ...(collection === undefined ? {} : { collection }) },
        ...(processes ? { owner: processes.own } : {}),
        ...(task ? { task } : {}),
        state: delayMs > 0 ? 'waiting' : 'running',
        startedAt: at.toISOString(),
        ...(delayMs > 0 ? { dueAt: new Date(at.getTime() + delayMs).toISOString() } : {}),
        updatedAt: at.toISOString(),
      };
      save(job);
      const stop = new AbortController();
      const ended = track(carryOut(job, request, stop)).finally(() => running.delete(job.id));
      running.set(job.id, { stop, ended });
      return { ...job };
    },
    list: (principal) =>
      read()
        .filter((job) => maySee(principal, job))
        .map(({ owner: _, ...job }) => job),
    cancel(principal, id) {
      const job = ID.test(id) ? read().find((one) => one.id === id && maySee(principal, one)) : undefined;
      if (!job)
        throw new VaiError('INVALID_INPUT', 'There is no such job.', { hint: 'It may have ended long ago.' });
      if (!isOpen(job) || calledOff(id)) return false;
      running.get(id)?.stop.abort();
      return true;
    },
    hasRoom({ id }) {
      const known = read();
      const kept = known.filter((job) => job.task && (isOpen(job) || !isOld(job)));
      const own = (job: Job): boolean => job.key === id;
      return (
        known.filter((job) => isOpen(job) && own(job)).length < MOST &&
        kept.filter(own).length < MOST_TASKS.key &&
        kept.length < MOST_TASKS.all
      );
    },
    task({ id: key }, id) {
      const job = ID.test(id) ? readOne(id) : undefined;
      if (!job?.task || job.key !== key || (!isOpen(job) && isOld(job))) return undefined;
      return job;
    },
    answer: ({ id }) => readJson(answerFile(id)) as object | undefined,
    async close() {
      closing = true;
      for (const { stop } of running.values()) stop.abort();
      await Promise.allSettled([...running.values()].map(({ ended }) => ended));
    },
  };
}

export const isOpen = ({ state }: Job): boolean => state === 'waiting' || state === 'running';

function maySee({ id, scopes, collections }: Principal, job: Job): boolean {
  return job.key === id || (scopes.includes('admin') && collections === '*');
}

/** Nobody ever reads half of it. */
function replaceFile(path: string, value: object): void {
  writeFileSync(`${path}.new`, JSON.stringify(value), { mode: 0o600 });
  renameSync(`${path}.new`, path);
}

function readJson(path: string): unknown {
  try {
    return JSON.parse(readFileSync(path, 'utf8'));
  } catch {
    return undefined;
  }
}
