// One request on its way to the dispatcher, whichever way it came in: counted for the shutdown, noted in the debug log, and
// whatever is thrown leaves as an error of the protocol.

import type { Engine } from '../../engine/engine.ts';
import { protocolError, type FailureContext } from './failure.ts';
import type { Outcome, ServedCall } from './surface.ts';

export interface ServeOptions {
  engine: () => Promise<Engine>;
  failures: FailureContext;
  /** Counts calls in progress, so that a shutdown can wait for them. */
  track: <T>(work: Promise<T>) => Promise<T>;
  now: () => number;
}

export interface Asked extends Omit<ServedCall, 'engine'> {
  /** The method, for the log. */
  where: string;
}

export function serve<T>(
  { engine, failures, track, now }: ServeOptions,
  { where, ...asked }: Asked,
  work: (served: ServedCall) => T | Promise<T>,
): Promise<T> {
  const answered = async (): Promise<T> => {
    const began = now();
    let outcome: Outcome | undefined;
    const report = (one: Outcome): void => {
      outcome = one;
      asked.report?.(one);
    };
    try {
      return await work({ ...asked, engine, report });
    } catch (thrown) {
      throw protocolError(thrown, failures, where);
    } finally {
      const tool = outcome && { tool: outcome.tool, ok: outcome.ok };
      failures.log.debug('answered', { rpc: where, ...tool, ms: Math.round((now() - began) * 10) / 10 });
    }
  };
  return track(answered());
}
