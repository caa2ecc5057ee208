// Trying again: three times, with growing and jittered waits, or when the provider says. Shared by providers that are
// not reached over our own HTTP client.

import { setTimeout as sleep } from 'node:timers/promises';
import { throwIfAborted, toVaiError } from '../../domain/errors.ts';
import { isRetryableStatus, nextWait, type RetryState } from '../voyage/retry.ts';

export interface RetryHooks {
  random?: () => number;
  wait?: (ms: number, signal?: AbortSignal) => Promise<void>;
}

/** A failed attempt: status 0 stands for no answer at all. */
export class AttemptFailed extends Error {
  readonly status: number;
  readonly retryAfterMs: number | undefined;

  constructor(status: number, retryAfterMs?: number, cause?: unknown) {
    super(`status ${status}`, { cause });
    this.status = status;
    this.retryAfterMs = retryAfterMs;
  }
}

export interface RetryOptions extends RetryHooks {
  signal: AbortSignal | undefined;
  onWait?: ((seconds: number) => void) | undefined;
  /** The last failure, as an error that may be shown. */
  explain: (failure: AttemptFailed) => Error;
}

export async function withRetries<T>(attempt: () => Promise<T>, options: RetryOptions): Promise<T> {
  const state: RetryState = { retries: 0, waitedMs: 0 };
  const wait = options.wait ?? ((ms, signal) => sleep(ms, undefined, { signal }));
  for (;;) {
    throwIfAborted(options.signal);
    try {
      return await attempt();
    } catch (thrown) {
      throwIfAborted(options.signal);
      if (!(thrown instanceof AttemptFailed)) throw thrown;
      const again = thrown.status === 0 || isRetryableStatus(thrown.status);
      const ms = again ? nextWait(state, thrown.retryAfterMs, options.random ?? Math.random) : undefined;
      if (ms === undefined) throw options.explain(thrown);
      options.onWait?.(Math.ceil(ms / 1000));
      try {
        await wait(ms, options.signal);
      } catch (error) {
        throwIfAborted(options.signal);
        throw toVaiError(error);
      }
      state.retries += 1;
      state.waitedMs += ms;
    }
  }
}
