// One request on its way to the dispatcher, whichever way it came in: counted for the shutdown, and whatever is thrown
// leaves as an error of the protocol.

import type { ServerContext } from '@modelcontextprotocol/server';
import type { Call } from '../../engine/call.ts';
import type { Engine } from '../../engine/engine.ts';
import { protocolError, type FailureContext } from './failure.ts';
import type { ServedCall } from './surface.ts';

export interface ServeOptions {
  engine: () => Promise<Engine>;
  failures: () => FailureContext;
  /** Counts calls in progress, so that a shutdown can wait for them. */
  track: <T>(work: Promise<T>) => Promise<T>;
}

export interface Asked {
  /** The method, for the log. */
  where: string;
  call: Call;
  protocol?: ServerContext;
}

export function serve<T>(
  { engine, failures, track }: ServeOptions,
  { where, call, protocol }: Asked,
  work: (served: ServedCall) => T | Promise<T>,
): Promise<T> {
  const answered = async (): Promise<T> => {
    try {
      return await work({ call, engine, ...(protocol ? { protocol } : {}) });
    } catch (thrown) {
      throw protocolError(thrown, failures(), where);
    }
  };
  return track(answered());
}
