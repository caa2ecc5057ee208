// How many refused requests the log takes: a flood of them must not fill the disk. What is left out is counted, and the
// next line that is written says how many.

import { createBuckets } from './bucket.ts';

export interface RefusalLog {
  /** How many went unlogged since the last line, or undefined when this one goes unlogged too. */
  next(): number | undefined;
}

const LINES_A_MINUTE = 600;

export function createRefusalLog(now: () => number, perMinute = LINES_A_MINUTE): RefusalLog {
  const bucket = createBuckets();
  let unlogged = 0;
  return {
    next() {
      if (bucket.take('', perMinute, now()) > 0) {
        unlogged += 1;
        return undefined;
      }
      const before = unlogged;
      unlogged = 0;
      return before;
    },
  };
}
