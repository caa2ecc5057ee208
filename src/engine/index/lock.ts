// Only one run at a time writes to a collection, across all processes. The lock records the run's progress, for others
// to report; it is renewed during the work and expires soon after its process dies.

import { VaiError } from '../../domain/errors.ts';
import type { Store } from '../../ports/store.ts';

const TTL_MS = 10_000;
const RENEW_MS = TTL_MS / 5;

export interface RunLock {
  /** What others are told of the run, from the next renewal on. */
  info: string;
}

export async function withRunLock<T>(
  store: Store,
  collection: string,
  work: (lock: RunLock) => Promise<T>,
): Promise<T> {
  const held: RunLock = { info: '0 documents' };
  const lock = await store.lock(`index:${collection}`, held.info, TTL_MS);
  if (!lock.held) {
    throw new VaiError(
      'INDEX_BUSY',
      `Another run is writing to \`${collection}\`: ${lock.info} done, started ${lock.since}.`,
      {
        hint: 'Wait until it has finished, then try again; searches still work.',
        data: { since: lock.since },
      },
    );
  }
  // A timer, so that it is renewed while a slow provider is waited for.
  const renewal = setInterval(() => void lock.renew(held.info).catch(() => undefined), RENEW_MS);
  renewal.unref();
  try {
    return await work(held);
  } finally {
    clearInterval(renewal);
    await lock.release();
  }
}
