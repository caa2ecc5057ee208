// Keeps an index current while files change: the first run at once, then one a moment after each burst of changes. Events
// only say that something happened; what happened is found by the run itself. The one watcher of every toolset.

import { statSync, watch, type FSWatcher } from 'node:fs';
import { basename, dirname } from 'node:path';
import { toVaiError, type VaiError } from '../domain/errors.ts';
import type { Call } from './call.ts';

const QUIET_MS = 300;

export interface Watching {
  stop(): Promise<void>;
}

export interface WatchJob<T> {
  /** Files and folders; asked again after every run. */
  paths: () => readonly string[];
  call: Call;
  report: (outcome: T | VaiError) => void;
  run: () => Promise<T>;
}

export function watchPaths<T>(job: WatchJob<T>): Watching {
  let timer: NodeJS.Timeout | undefined;
  let running: Promise<void> = Promise.resolve();
  let again = false;
  let stopped = false;
  const watchers = new Map<string, FSWatcher>();
  const sync = () => {
    timer = undefined;
    again = false;
    running = running.then(async () => {
      try {
        job.report(await job.run());
        if (!stopped) follow();
      } catch (thrown) {
        const error = toVaiError(thrown);
        // Another process is at it: come back when it is likely done.
        if (error.code === 'INDEX_BUSY') again = true;
        job.report(error);
      }
      if (again && !stopped) touch();
    });
  };
  const touch = () => {
    clearTimeout(timer);
    timer = setTimeout(sync, QUIET_MS);
  };
  const follow = () => {
    const wanted = new Set(job.paths());
    for (const [path, watcher] of watchers) {
      if (wanted.has(path)) continue;
      watcher.close();
      watchers.delete(path);
    }
    for (const path of wanted) {
      if (watchers.has(path)) continue;
      const watcher = watchOne(path, touch);
      watcher.on('error', (error) => job.report(toVaiError(error)));
      watchers.set(path, watcher);
    }
  };
  // The watchers are there before the first run, so that nothing written meanwhile is missed.
  follow();
  sync();
  const stop = async () => {
    stopped = true;
    clearTimeout(timer);
    for (const watcher of watchers.values()) watcher.close();
    await running;
  };
  job.call.signal?.addEventListener('abort', () => void stop(), { once: true });
  return { stop };
}

/** A file is watched through its folder: editors put a new file in its place. */
function watchOne(path: string, touch: () => void): FSWatcher {
  if (statSync(path, { throwIfNoEntry: false })?.isDirectory())
    return watch(path, { recursive: true }, touch);
  const name = basename(path);
  return watch(dirname(path), (_event, changed) => {
    if (changed === null || changed === name) touch();
  });
}
