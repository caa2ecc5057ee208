// What outlives a request: the engine, made at the first call that needs it, and the calls in progress, which a
// shutdown waits for so that work is finished or rolled back, never just aborted.

import { setImmediate as turn, setTimeout as wait } from 'node:timers/promises';
import { once } from '../domain/once.ts';
import type { Engine } from '../engine/engine.ts';

export interface Lifetime {
  engine: () => Promise<Engine>;
  track: <T>(work: Promise<T>) => Promise<T>;
  /** Makes the engine and loads what its first calls need, with a turn for requests after every step. */
  warm(): void;
  /** Waits for calls in progress, then closes the engine if there is one. */
  end(patienceMs: number): Promise<void>;
}

export function createLifetime(make: () => Promise<Engine>): Lifetime {
  const running = new Set<Promise<unknown>>();
  const engine = once(make);
  let ending = false;
  const track = <T>(work: Promise<T>): Promise<T> => {
    running.add(work);
    const forget = (): void => void running.delete(work);
    work.then(forget, forget);
    return work;
  };
  const warm = async (): Promise<void> => {
    for (const step of (await engine()).warmSteps()) {
      // Requests that came meanwhile are answered first.
      await turn();
      if (ending) return;
      // The call that needs it meets the same error, and says so.
      await step().catch(() => undefined);
    }
  };
  return {
    engine,
    track,
    warm: () => void track(turn().then(warm)).catch(() => undefined),
    async end(patienceMs) {
      ending = true;
      await Promise.race([Promise.allSettled([...running]), wait(patienceMs, undefined, { ref: false })]);
      const left = await engine.asked()?.catch(() => undefined);
      await left?.close();
    },
  };
}
