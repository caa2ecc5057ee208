// Keeps V8's heap near what is alive in it. Left to itself it lets garbage pile up: after a thousand searches three
// quarters of what a server held was garbage. Collecting more often costs no time that can be measured.

import { setFlagsFromString } from 'node:v8';
import { Worker, type WorkerOptions } from 'node:worker_threads';

let growth: number | undefined;
const starting = new Set<Worker>();

/** `percent`: how much the old generation may grow before it is collected. */
export function keepHeapSmall(percent: number): void {
  growth = percent;
  // The young generation stays as small as it starts.
  setFlags(1, percent);
}

/**
 * A thread starts with the code that Node brings already compiled, but V8 takes that code only while its flags are the
 * ones it was compiled with: under ours a thread takes twice as long. So V8's own hold until the thread runs. Meanwhile the
 * heap may grow, and keeps that size: this is for threads that somebody waits for, in processes that hold much anyway.
 */
export function startThread(program: URL, options: WorkerOptions): Worker {
  if (growth === undefined) return new Worker(program, options);
  setFlags(2, 0);
  const thread = new Worker(program, options);
  starting.add(thread);
  const started = (): void => {
    if (starting.delete(thread) && starting.size === 0) keepHeapSmall(growth!);
  };
  return thread.once('online', started).once('exit', started);
}

function setFlags(youngFactor: number, oldPercent: number): void {
  setFlagsFromString(`--semi-space-growth-factor=${youngFactor}`);
  setFlagsFromString(`--heap-growing-percent=${oldPercent}`);
}
