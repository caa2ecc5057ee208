// Who may go on now: rates by key and by address, calls running at once by key and in all. One of these exists per
// server, not per worker: workers ask the one in the primary process.

import { createBuckets } from './bucket.ts';
import { createFailureCounter } from './failures.ts';

export interface Limits {
  /** Calls running at once, in all and by key. */
  running: number;
  runningPerKey: number;
  /** An address may hold several keys (a team behind one gateway), so its rate is a multiple of a key's. */
  addressFactor: number;
}

export const DEFAULT_LIMITS: Limits = { running: 256, runningPerKey: 128, addressFactor: 4 };

export interface Admission {
  key: string;
  address: string;
  /** Requests a minute for this key; 0: unlimited. */
  rate: number;
}

export type AdmissionVerdict =
  { ok: true } | { ok: false; reason: 'rate' | 'address rate' | 'busy' | 'key busy'; retryAfter: number };

export interface Limiter {
  admit(admission: Admission): Promise<AdmissionVerdict> | AdmissionVerdict;
  /** Must follow every successful admission, once. */
  release(key: string): void;
  /** Seconds to wait, or 0. */
  fail(address: string): Promise<number> | number;
}

export function createLimiter(now: () => number, limits = DEFAULT_LIMITS): Limiter {
  const keys = createBuckets();
  const addresses = createBuckets();
  const failures = createFailureCounter();
  const perKey = new Map<string, number>();
  let running = 0;

  return {
    admit({ key, address, rate }) {
      const at = now();
      if (running >= limits.running) return { ok: false, reason: 'busy', retryAfter: 1 };
      const ofKey = perKey.get(key) ?? 0;
      if (ofKey >= limits.runningPerKey) return { ok: false, reason: 'key busy', retryAfter: 1 };
      const waitAddress = addresses.take(address, rate * limits.addressFactor, at);
      if (waitAddress > 0) return { ok: false, reason: 'address rate', retryAfter: waitAddress };
      const waitKey = keys.take(key, rate, at);
      if (waitKey > 0) return { ok: false, reason: 'rate', retryAfter: waitKey };
      running += 1;
      perKey.set(key, ofKey + 1);
      return { ok: true };
    },
    release(key) {
      running = Math.max(0, running - 1);
      const left = (perKey.get(key) ?? 1) - 1;
      if (left > 0) perKey.set(key, left);
      else perKey.delete(key);
    },
    fail: (address) => failures.fail(address, now()),
  };
}
