// Progress notifications of one request: only when the client asked for them, rising, a few a second, none after the
// answer.

import type { Progress } from '../../engine/call.ts';

export interface ProgressSink {
  report: (progress: Progress) => void;
  /** After this nothing is sent any more. */
  end(): void;
}

export interface ProgressNotice {
  method: 'notifications/progress';
  params: { progressToken: string | number; progress: number; total?: number; message?: string };
}

/** A short burst, then a few a second. */
const BURST = 4;
const REFILL_MS = 250;

export function progressSink(
  token: string | number,
  notify: (notice: ProgressNotice) => Promise<void>,
  now: () => number,
): ProgressSink {
  let last = -Infinity;
  let tokens = BURST;
  let refilledAt = now();
  let ended = false;
  return {
    report({ done, total, message }) {
      if (ended || !Number.isFinite(done) || done <= last) return;
      const at = now();
      const final = total !== undefined && done >= total;
      tokens = Math.min(BURST, tokens + (at - refilledAt) / REFILL_MS);
      refilledAt = at;
      if (!final && tokens < 1) return;
      tokens -= 1;
      last = done;
      const params = {
        progressToken: token,
        progress: done,
        ...(total === undefined ? {} : { total }),
        ...(message === undefined ? {} : { message: message.slice(0, 500) }),
      };
      // A client that is gone is noticed through the signal; a lost notice is not an error of the call.
      notify({ method: 'notifications/progress', params }).catch(() => {});
    },
    end() {
      ended = true;
    },
  };
}
