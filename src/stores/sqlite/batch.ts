// Group commit: documents handed in together share a transaction, because ending one costs more than a small document
// (FTS5 writes a segment each time, also at a savepoint). Each is still whole or absent: when one fails, the transaction
// is rolled back and every document is written by itself.

import { setImmediate } from 'node:timers/promises';

interface Job<In, Out> {
  input: In;
  resolve: (result: Out) => void;
  reject: (reason: unknown) => void;
}

/** Largest batch, in characters and jobs: bounds what a killed process has to do again and how long writers wait. */
const MAX_WEIGHT = 300_000;
const MAX_JOBS = 1000;

export interface Batched<In, Out> {
  /** Writes all of them in one transaction, or none. */
  commit: (inputs: readonly In[]) => Promise<Out[]>;
  /** How much there is to write, in characters. */
  weigh: (input: In) => number;
}

export function batched<In, Out>(batch: Batched<In, Out>): (input: In) => Promise<Out> {
  const queue: Job<In, Out>[] = [];
  let running = false;

  async function drain(): Promise<void> {
    running = true;
    // What was called for in the same turn is queued by now.
    await Promise.resolve();
    while (queue.length > 0) {
      await commit(queue.splice(0, next()));
      // Other writers of this process get their turn.
      if (queue.length > 0) await setImmediate();
    }
    running = false;
  }

  /** How many of those that wait fit one transaction; at least one. */
  function next(): number {
    let weight = 0;
    let count = 0;
    while (count < queue.length && count < MAX_JOBS) {
      weight += batch.weigh(queue[count]!.input);
      if (count > 0 && weight > MAX_WEIGHT) break;
      count += 1;
    }
    return count;
  }

  async function commit(jobs: Job<In, Out>[]): Promise<void> {
    try {
      const results = await batch.commit(jobs.map((job) => job.input));
      jobs.forEach((job, index) => job.resolve(results[index]!));
    } catch (error) {
      if (jobs.length === 1) jobs[0]!.reject(error);
      else for (const job of jobs) await commit([job]);
    }
  }

  return (input) =>
    new Promise((resolve, reject) => {
      queue.push({ input, resolve, reject });
      if (!running) void drain();
    });
}
