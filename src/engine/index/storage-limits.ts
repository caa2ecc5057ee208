// Storage limits for callers over the network. The command line is not limited.

import type { CollectionStats } from '../../domain/collection.ts';
import { VaiError } from '../../domain/errors.ts';
import type { Store } from '../../ports/store.ts';
import { LOCAL, type Principal } from '../call.ts';
import type { EngineSettings } from '../deps.ts';

/** Refuses a new collection where there are enough, and a text where a collection is full. */
export async function requireStorage(
  store: Store,
  existing: { stats: CollectionStats } | undefined,
  { limits, caller }: { limits: EngineSettings['limits']; caller: Principal },
): Promise<void> {
  if (!limits || caller.id === LOCAL.id) return;
  if (existing) {
    const reached = (['chunks', 'bytes'] as const).find((unit) => existing.stats[unit] >= limits[unit]);
    if (!reached) return;
    const most = limits[reached].toLocaleString('en');
    throw full(`This collection is full: it holds ${most} ${reached} or more.`);
  }
  // A key limited to some collections must not learn how many there are, so no number is given.
  if ((await store.collections.list()).length >= limits.collections)
    throw full('This database has reached its limit of collections.');
}

function full(message: string): VaiError {
  return new VaiError('STORE_FULL', message, {
    hint: "Ask the server's owner to remove some, or to raise VAI_MAX_CHUNKS, VAI_MAX_COLLECTION_BYTES or VAI_MAX_COLLECTIONS.",
  });
}
