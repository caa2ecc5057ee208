// What outlives a request: the engine, made at the first call that needs it, and the calls in progress, which a shutdown
// waits for so that work is finished or rolled back and never just cut.

import type { Engine } from '../engine/engine.ts';

export interface Lifetime {
  engine: () => Promise<Engine>;
  track: <T>(work: Promise<T>) => Promise<T>;
  /** Waits for calls in progress, then closes the engine if there is one. */
  end(patienceMs: number): Promise<void>;
}

export function createLifetime(make: () => Promise<Engine>): Lifetime {
  const running = new Set<Promise<unknown>>();
  let engine: Promise<Engine> | undefined;
  return {
    engine: () =>
      (engine ??= make().catch((error: unknown) => {
        // What was missing (a file, a server) may be there at the next call.
        engine = undefined;
        throw error;
      })),
    track(work) {
      running.add(work);
      const forget = (): void => void running.delete(work);
      work.then(forget, forget);
      return work;
    },
    async end(patienceMs) {
      await Promise.race([Promise.allSettled([...running]), wait(patienceMs)]);
      const made = await engine?.catch(() => undefined);
      await made?.close();
    },
  };
}

function wait(milliseconds: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, milliseconds).unref());
}
