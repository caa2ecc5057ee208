// Trying again: three times with growing, jittered waits, or as often and as long as the provider says. The clock and
// the dice come in from outside.

import { setTimeout as sleep } from 'node:timers/promises';
import { throwIfAborted, toVaiError } from '../../domain/errors.ts';

const MAX_WAIT_MS = 30_000;
/** Waiting of one call altogether: common MCP clients give up after 60 s. */
const MAX_TOTAL_WAIT_MS = 45_000;
const BACKOFF_MS = [1_000, 2_000, 4_000];
/** A provider that says when to come back is believed more often than one that only fails. */
const MAX_TOLD_RETRIES = 6;

/** Handed in by tests. */
export interface RetryHooks {
  random?: () => number;
  /** Resolves after so many milliseconds; rejects at once when the signal fires. */
  wait?: (ms: number, signal?: AbortSignal) => Promise<void>;
}

/** What the requests of one call have in common. */
export interface CallState {
  requests: number;
  waitedMs: number;
  signal?: AbortSignal | undefined;
  onWait?: ((seconds: number) => void) | undefined;
}

export const newCallState = ({ signal, onWait }: Pick<CallState, 'signal' | 'onWait'>): CallState => ({
  requests: 0,
  waitedMs: 0,
  signal,
  onWait,
});

/** A failed attempt: status 0 stands for no answer at all. */
export class AttemptFailed extends Error {
  readonly status: number;
  readonly retryAfterMs: number | undefined;
  /** What the provider says is wrong. Read to classify the failure, never shown: it may quote what was sent. */
  readonly detail: string;

  constructor(status: number, detail = '', retryAfterMs?: number) {
    super(`status ${status}`);
    this.status = status;
    this.detail = detail;
    this.retryAfterMs = retryAfterMs;
  }
}

export interface RetryOptions {
  hooks: RetryHooks;
  state: CallState;
  /** The last failure, as an error that may be shown. */
  explain: (failure: AttemptFailed) => Error;
}

export async function withRetries<T>(
  attempt: () => Promise<T>,
  { hooks, state, explain }: RetryOptions,
): Promise<T> {
  const wait = hooks.wait ?? ((ms, signal) => sleep(ms, undefined, { signal }));
  for (let retries = 0; ; retries++) {
    throwIfAborted(state.signal);
    let failure: AttemptFailed;
    try {
      state.requests += 1;
      return await attempt();
    } catch (thrown) {
      throwIfAborted(state.signal);
      if (!(thrown instanceof AttemptFailed)) throw thrown;
      failure = thrown;
    }
    const ms = isPassing(failure.status)
      ? nextWait(retries, state.waitedMs, failure.retryAfterMs, hooks.random ?? Math.random)
      : undefined;
    if (ms === undefined) throw explain(failure);
    state.onWait?.(Math.ceil(ms / 1_000));
    try {
      await wait(ms, state.signal);
    } catch (error) {
      throwIfAborted(state.signal);
      throw toVaiError(error);
    }
    state.waitedMs += ms;
  }
}

const isPassing = (status: number): boolean =>
  status === 0 || status === 408 || status === 429 || (status >= 500 && status <= 599);

/** `Retry-After` as seconds or as an HTTP date; undefined when absent or unreadable. */
export function parseRetryAfter(header: string | null, nowMs: number): number | undefined {
  const text = header?.trim();
  if (!text) return undefined;
  if (/^\d{1,12}(\.\d{1,6})?$/.test(text)) return Number(text) * 1_000;
  const date = Date.parse(text);
  return Number.isNaN(date) ? undefined : Math.max(0, date - nowMs);
}

/** Milliseconds to wait before the next try, or undefined when it is time to give up. */
function nextWait(
  retries: number,
  waitedMs: number,
  toldMs: number | undefined,
  random: () => number,
): number | undefined {
  const backoff = BACKOFF_MS[retries];
  if (toldMs === undefined && backoff === undefined) return undefined;
  if (toldMs !== undefined && retries >= MAX_TOLD_RETRIES) return undefined;
  const wanted = toldMs === undefined ? backoff! * (0.75 + random() / 2) : toldMs + random() * 250;
  const left = MAX_TOTAL_WAIT_MS - waitedMs;
  // Waiting less than what was asked for is only worth it while there is real time to wait.
  return left <= 0 ? undefined : Math.min(wanted, MAX_WAIT_MS, left);
}
