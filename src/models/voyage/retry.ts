// When to try again and how long to wait first. Pure: the clock and the dice come in from outside.

export const MAX_WAIT_MS = 30_000;
/** Waiting of one call altogether: common MCP clients give up after 60 s. */
export const MAX_TOTAL_WAIT_MS = 45_000;

const BACKOFF_MS = [1_000, 2_000, 4_000];
/** A provider that says when to come back is believed more often than one that only fails. */
const MAX_TOLD_RETRIES = 6;

export const isRetryableStatus = (status: number): boolean =>
  status === 408 || status === 429 || (status >= 500 && status <= 599);

/** `Retry-After` as seconds or as an HTTP date; undefined when absent or unreadable. */
export function parseRetryAfter(header: string | null, nowMs: number): number | undefined {
  const text = header?.trim();
  if (!text) return undefined;
  if (/^\d{1,12}(\.\d{1,6})?$/.test(text)) return Number(text) * 1_000;
  const date = Date.parse(text);
  return Number.isNaN(date) ? undefined : Math.max(0, date - nowMs);
}

export interface RetryState {
  /** Retries made so far. */
  retries: number;
  waitedMs: number;
}

/** Milliseconds to wait before the next try, or undefined when it is time to give up. */
export function nextWait(
  state: RetryState,
  toldMs: number | undefined,
  random: () => number,
): number | undefined {
  const backoff = BACKOFF_MS[state.retries];
  if (toldMs === undefined && backoff === undefined) return undefined;
  if (toldMs !== undefined && state.retries >= MAX_TOLD_RETRIES) return undefined;
  const wanted = toldMs === undefined ? backoff! * (0.75 + random() / 2) : toldMs + random() * 250;
  const left = MAX_TOTAL_WAIT_MS - state.waitedMs;
  // Waiting less than what was asked for is only worth it while there is real time to wait.
  if (left <= 0) return undefined;
  return Math.min(wanted, MAX_WAIT_MS, left);
}
