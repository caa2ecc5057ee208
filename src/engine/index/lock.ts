// One run at a time into a collection, over all processes. The lock says how far the run has come, for whoever meets it;
// it is renewed while the work goes on and expires soon after a process that died.

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
