// Retries what failed for a temporary reason, with growing pauses and a time limit.

import { setTimeout } from 'node:timers/promises';
import { passing, type Passing } from './errors.ts';

const FIRST_PAUSE_MS = 20;
const LONGEST_PAUSE_MS = 2000;

/** How long failures of each kind are waited out. */
export type Patience = Record<Passing, number>;

/**
 * Repeats work of one connection. The time of an outage is counted from its first failure, whoever met it: when a server
 * stays away, the first caller waits as long as it has patience for and those after it are told at once.
 */
export interface Repeater {
  <T>(work: (attempt: number) => Promise<T>, patience: Patience): Promise<T>;
}

/** Once nobody waits for a server any more, it is tried so often. */
const TRIED_EVERY_MS = 5000;

export interface Clock {
  now: () => number;
  sleep: (ms: number) => Promise<unknown>;
}

/** `longestMs`: the patience of whoever waits longest. */
export function createRepeater(
  longestMs: number,
  { now, sleep }: Clock = { now: Date.now, sleep: setTimeout },
): Repeater {
  let away: { since: number; seen: number; thrown: unknown } | undefined;
  /** When the outage began that an attempt met. One that was last met longer ago than anybody waits is over. */
  function outage(thrown: unknown, attempted: number): number {
    const since = away && attempted - away.seen <= longestMs ? away.since : attempted;
    away = { since, seen: now(), thrown };
    return since;
  }
  return async (work, patience) => {
    const began = now();
    for (let attempt = 1; ; attempt += 1) {
      const attempted = now();
      if (away && attempted - away.since > longestMs && attempted - away.seen < TRIED_EVERY_MS)
        throw away.thrown;
      try {
        const done = await work(attempt);
        away = undefined;
        return done;
      } catch (thrown) {
        const kind = passing(thrown);
        if (!kind) throw thrown;
        const until = (kind === 'outage' ? outage(thrown, attempted) : began) + patience[kind];
        const pause = pauseBefore(attempt);
        if (now() + pause > until) throw thrown;
        await sleep(pause);
      }
    }
  };
}

/** Grows, and differs between those who met in the same conflict. */
function pauseBefore(attempt: number): number {
  return Math.min(FIRST_PAUSE_MS * 2 ** (attempt - 1), LONGEST_PAUSE_MS) * (0.5 + Math.random() / 2);
}
