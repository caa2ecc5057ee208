// Runs tasks in parallel, a few at a time.

import { atMost } from '../../domain/few-at-a-time.ts';

const LANES = 8;

export async function parallel<T>(items: readonly T[], work: (item: T) => Promise<void>): Promise<void> {
  await atMost(LANES, items, work);
}

export type Gate = <T>(work: () => Promise<T>) => Promise<T>;

/**
 * Lets so many through at once; the others wait their turn. When one fails, the limit is halved, and every success
 * raises it a little: conflicting writers, here or in another process, slow down until they no longer conflict.
 */
export function createGate(most: number): Gate {
  const waiting: (() => void)[] = [];
  let width = most;
  let inside = 0;
  function admit(): void {
    while (inside < Math.floor(width) && waiting.length > 0) {
      inside += 1;
      waiting.shift()!();
    }
  }
  return async (work) => {
    await new Promise<void>((resolve) => {
      waiting.push(resolve);
      admit();
    });
    try {
      const done = await work();
      width = Math.min(most, width + 1 / width);
      return done;
    } catch (thrown) {
      width = Math.max(1, width / 2);
      throw thrown;
    } finally {
      inside -= 1;
      admit();
    }
  };
}
