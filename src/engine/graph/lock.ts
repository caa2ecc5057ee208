// One index run at a time, over all processes. The lock says how far the run has come, for whoever meets it.

import { VaiError } from '../../domain/errors.ts';
import type { Store } from '../../ports/store.ts';

const TTL_MS = 15_000;
const RENEW_MS = 1_000;

export interface Held {
  renew(done: number, total: number): Promise<void>;
  release(): Promise<void>;
}

export async function holdLock(store: Store, collection: string, now: () => Date): Promise<Held> {
  const lock = await store.lock(`graph:${collection}`, '0 documents', TTL_MS);
  if (!lock.held) {
    throw new VaiError(
      'INDEX_BUSY',
      `Another index run is under way: ${lock.info} done, started ${lock.since}.`,
      {
        hint: 'Wait for it to end and call again; searches go on meanwhile.',
        data: { since: lock.since },
      },
    );
  }
  let last = now().getTime();
  // The heartbeat goes on while a slow provider is waited for.
  let info = '0 documents';
  const beat = setInterval(() => void lock.renew(info).catch(() => undefined), TTL_MS / 5);
  beat.unref();
  return {
    async renew(done, total) {
      info = `${done} of ${total} documents`;
      if (now().getTime() - last < RENEW_MS) return;
      last = now().getTime();
      await lock.renew(info);
    },
    async release() {
      clearInterval(beat);
      await lock.release();
    },
  };
}
