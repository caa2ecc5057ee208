// One refresh of a source at a time, over all processes. The lock is renewed while the work goes on and expires soon
// after a process that died.

import { VaiError } from '../../domain/errors.ts';
import type { Store } from '../../ports/store.ts';

const TTL_MS = 30_000;

export async function withSourceLock<T>(store: Store, alias: string, work: () => Promise<T>): Promise<T> {
  const lock = await store.lock(`docs:${alias}`, 'refresh', TTL_MS);
  if (!lock.held) {
    throw new VaiError('INDEX_BUSY', `\`${alias}\` is being added or updated by another process.`, {
      hint: 'Wait for it to finish, then try again.',
    });
  }
  const renewal = setInterval(() => void lock.renew('refresh').catch(() => undefined), TTL_MS / 3);
  renewal.unref();
  try {
    return await work();
  } finally {
    clearInterval(renewal);
    await lock.release();
  }
}
