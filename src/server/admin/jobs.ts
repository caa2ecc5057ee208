// Work that goes on after its answer: a refresh, a graph, a deletion that can still be called off. Each is a file in a
// folder of the home, so that every worker and every server of the home shows the same, whichever of them does the work.
// A second file, made once, calls a job off; whoever makes it first has decided.

import { randomBytes } from 'node:crypto';
import { existsSync, mkdirSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { toVaiError, VaiError } from '../../domain/errors.ts';
import type { Call, Principal, Progress } from '../../engine/call.ts';

export const JOB_FOLDER = 'jobs';
const BEAT_MS = 1_000;
/** One that has not been written for so long has lost its process. */
const LOST_MS = 60_000;
const KEPT = 100;
const KEPT_MS = 7 * 86_400_000;
/** Under way at once, for one key. */
const MOST = 8;
const ID = /^[0-9a-z]{16}$/;

export type JobState = 'waiting' | 'running' | 'done' | 'failed' | 'cancelled' | 'interrupted';

export interface Job {
  id: string;
  /** The action it is. */
  action: string;
  /** Id of the key that began it. */
  key: string;
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
  ended: (ok: boolean) => void;
  run: (call: Call) => Promise<object>;
}

export interface Jobs {
  start(request: JobRequest): Job;
  /** Newest first: the caller's own, or all of them for who may see everything. */
  list(principal: Principal): Job[];
  /** False when it has ended, or has begun something that cannot be called off any more. */
  cancel(principal: Principal, id: string): boolean;
  /** Stops what runs here. */
  close(): Promise<void>;
}

export interface JobsOptions {
  home: string;
  now: () => Date;
  track: <T>(work: Promise<T>) => Promise<T>;
}

export function createJobs({ home, now, track }: JobsOptions): Jobs {
  const folder = join(home, JOB_FOLDER);
  const running = new Map<string, { stop: AbortController; ended: Promise<unknown> }>();
  let closing = false;

  const file = (id: string): string => join(folder, `${id}.json`);
  const save = (job: Job): void => {
    job.updatedAt = now().toISOString();
    writeFileSync(`${file(job.id)}.new`, JSON.stringify(job), { mode: 0o600 });
    renameSync(`${file(job.id)}.new`, file(job.id));
  };
  const calledOff = (id: string): boolean => {
    try {
      writeFileSync(join(folder, `${id}.off`), '', { mode: 0o600, flag: 'wx' });
      return false;
    } catch {
      return true;
    }
  };

  function read(): Job[] {
    let names: string[];
    try {
      names = readdirSync(folder).filter((name) => name.endsWith('.json'));
    } catch {
      return [];
    }
    const jobs = names.flatMap((name) => {
      try {
        return [JSON.parse(readFileSync(join(folder, name), 'utf8')) as Job];
      } catch {
        return [];
      }
    });
    const lost = now().getTime() - LOST_MS;
    for (const job of jobs) if (isOpen(job) && Date.parse(job.updatedAt) < lost) job.state = 'interrupted';
    return jobs.sort((a, b) => (a.startedAt < b.startedAt ? 1 : -1));
  }

  function prune(jobs: readonly Job[]): void {
    const old = now().getTime() - KEPT_MS;
    const over = jobs
      .filter((job) => !isOpen(job))
      .filter((job, at) => at >= KEPT || Date.parse(job.updatedAt) < old);
    for (const { id } of over)
      for (const path of [file(id), join(folder, `${id}.off`)]) rmSync(path, { force: true });
  }

  /** Ends early when the time is up or somebody called it off; checked against the file, which others may have made. */
  async function carryOut(
    job: Job,
    { delayMs = 0, principal, run, ended }: JobRequest,
    stop: AbortController,
  ): Promise<void> {
    const off = join(folder, `${job.id}.off`);
    // One that waited has made the file itself by the time it runs.
    const canStop = (): boolean => delayMs === 0 || job.state === 'waiting';
    const beat = setInterval(() => {
      save(job);
      if (canStop() && existsSync(off)) stop.abort();
    }, BEAT_MS);
    let ok = false;
    try {
      if (delayMs > 0) {
        await wait(delayMs, stop.signal);
        // From here on nobody can call it off any more.
        if (calledOff(job.id)) throw new VaiError('CANCELLED', 'It was cancelled.');
      }
      job.state = 'running';
      job.result = await run({
        principal,
        signal: stop.signal,
        progress: (progress) => (job.progress = progress),
      });
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
      save(job);
      ended(ok);
    }
  }

  return {
    start(request) {
      mkdirSync(folder, { recursive: true, mode: 0o700 });
      const known = read();
      const { id: key } = request.principal;
      if (known.filter((job) => isOpen(job) && job.key === key).length >= MOST)
        throw new VaiError('INDEX_BUSY', `This key already has ${MOST} jobs running.`, {
          hint: 'Wait until one has ended, or cancel one.',
        });
      prune(known);
      const at = now();
      const { action, collection, delayMs = 0 } = request;
      const job: Job = {
        id: randomBytes(10).readBigUInt64BE().toString(36).padStart(16, '0').slice(-16),
        ...{ action, key, ...(collection === undefined ? {} : { collection }) },
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
    list: (principal) => read().filter((job) => maySee(principal, job)),
    cancel(principal, id) {
      const job = ID.test(id) ? read().find((one) => one.id === id && maySee(principal, one)) : undefined;
      if (!job)
        throw new VaiError('INVALID_INPUT', 'There is no such job.', { hint: 'It may have ended long ago.' });
      if (!isOpen(job) || calledOff(id)) return false;
      running.get(id)?.stop.abort();
      return true;
    },
    async close() {
      closing = true;
      for (const { stop } of running.values()) stop.abort();
      await Promise.allSettled([...running.values()].map(({ ended }) => ended));
    },
  };
}

const isOpen = ({ state }: Job): boolean => state === 'waiting' || state === 'running';

function maySee({ id, scopes, collections }: Principal, job: Job): boolean {
  return job.key === id || (scopes.includes('admin') && collections === '*');
}

function wait(ms: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    const timer = setTimeout(resolve, ms);
    const stop = (): void => {
      clearTimeout(timer);
      reject(new VaiError('CANCELLED', 'It was cancelled.'));
    };
    if (signal.aborted) stop();
    else signal.addEventListener('abort', stop, { once: true });
  });
}
