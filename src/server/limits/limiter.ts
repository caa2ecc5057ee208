// Who may proceed now: rates by key and by address, and concurrent calls by key and in all. A batch counts as many
// calls as it contains. Checked once a request is complete, so that a slow sender takes nobody's place. There is one
// per server, not per worker: workers ask the one in the primary process.

import { createBuckets } from './bucket.ts';
import { createFailureCounter } from './failures.ts';

export interface Limits {
  /** Calls running at once, in all and by key. */
  running: number;
  runningPerKey: number;
}

export const SHARED_LIMITS: Limits = { running: 256, runningPerKey: 128 };

export interface Admission {
  key: string;
  address: string;
  /** Calls a minute for this key; 0: unlimited. */
  rate: number;
  /** Calls a minute for its address; 0: unlimited. Never the key's own: colleagues share an address. */
  addressRate: number;
  /** How many the request holds. */
  calls: number;
}

export type AdmissionVerdict =
  | { ok: true }
  | {
      ok: false;
      reason: 'rate' | 'address rate' | 'busy' | 'key busy' | 'batch size';
      retryAfter: number;
    };

export interface Limiter {
  admit(admission: Admission): Promise<AdmissionVerdict> | AdmissionVerdict;
  /** Must follow every successful admission, once, with as many calls. */
  release(key: string, calls: number): void;
  /** Seconds to wait, or 0. */
  fail(address: string): Promise<number> | number;
}

export function createLimiter(now: () => number, limits = SHARED_LIMITS): Limiter {
  const keys = createBuckets();
  const addresses = createBuckets();
  const failures = createFailureCounter();
  const perKey = new Map<string, number>();
  let running = 0;

  const refuse = (
    reason: Extract<AdmissionVerdict, { ok: false }>['reason'],
    retryAfter: number,
  ): AdmissionVerdict => ({ ok: false, reason, retryAfter });

  return {
    admit({ key, address, rate, addressRate, calls }) {
      const at = now();
      if (rate > 0 && calls > rate) return refuse('batch size', 0);
      if (running + calls > limits.running) return refuse('busy', 1);
      const ofKey = perKey.get(key) ?? 0;
      if (ofKey + calls > limits.runningPerKey) return refuse('key busy', 1);
      // The key first: what it is refused must not be paid by others at its address.
      const waitKey = keys.take(key, rate, at, calls);
      if (waitKey > 0) return refuse('rate', waitKey);
      const waitAddress = addresses.take(address, addressRate, at, calls);
      if (waitAddress > 0) return refuse('address rate', waitAddress);
      running += calls;
      perKey.set(key, ofKey + calls);
      return { ok: true };
    },
    release(key, calls) {
      running = Math.max(0, running - calls);
      const left = Math.max(0, (perKey.get(key) ?? calls) - calls);
      if (left) perKey.set(key, left);
      else perKey.delete(key);
    },
    fail: (address) => failures.fail(address, now()),
  };
}
