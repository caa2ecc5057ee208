// At most so many requests in flight, first come first served.

import { toVaiError } from '../../domain/errors.ts';

export interface Gate {
  run<T>(work: () => Promise<T>, signal?: AbortSignal): Promise<T>;
}

export function createGate(limit: number): Gate {
  let running = 0;
  const waiting: (() => void)[] = [];

  function enter(signal?: AbortSignal): Promise<void> {
    if (running < limit) {
      running += 1;
      return Promise.resolve();
    }
    return new Promise((resolve, reject) => {
      const start = (): void => {
        signal?.removeEventListener('abort', leave);
        resolve();
      };
      const leave = (): void => {
        const at = waiting.indexOf(start);
        if (at !== -1) waiting.splice(at, 1);
        reject(toVaiError(signal?.reason));
      };
      waiting.push(start);
      signal?.addEventListener('abort', leave, { once: true });
    });
  }

  function exit(): void {
    // The place is handed on, so that nobody can slip in between.
    const next = waiting.shift();
    if (next) next();
    else running -= 1;
  }

  return {
    async run(work, signal) {
      await enter(signal);
      try {
        return await work();
      } finally {
        exit();
      }
    },
  };
}
