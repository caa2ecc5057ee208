// How current the sources are: last check, pages that could not be read or were left out, runs that did not end, and
// changes that nobody has indexed.

import type { Collection } from '../../domain/collection.ts';
import type { Call } from '../call.ts';
import type { EngineDeps } from '../deps.ts';
import { existingDatabase, openDatabase, visibleCollections } from '../scope.ts';
import { earliest, MAX_LOOK_MS, unindexed, type Unindexed } from './unindexed.ts';

/** What makes a source less than whole; nothing where it is. */
export interface Incomplete {
  /** Some of it could not be read the last time, was beyond the limits, or a run over it did not end. */
  partial?: true;
  pages?: { total: number; failed: number; pending: number };
  /** A run that began then and has not ended. */
  incompleteSince?: string;
}

export function incomplete({ source, run }: Pick<Collection, 'source' | 'run'>): Incomplete {
  const pages = source?.pages;
  const partial = run !== undefined || (pages !== undefined && pages.failed + pages.pending > 0);
  return {
    ...(partial ? { partial } : {}),
    ...(pages ? { pages } : {}),
    ...(run ? { incompleteSince: run.startedAt } : {}),
  };
}

export interface Freshness extends Incomplete {
  alias: string;
  /** Last successful check and last change of content. */
  checkedAt: string;
  changedAt: string;
  /** When the oldest change was made, on disk or in a version that is held, that is not indexed. */
  unindexedSince?: string;
  /** It is a version that lost most of the old one and waits for somebody to confirm it. */
  held?: true;
}

/** Of every source the caller may see, and of the project's own texts; folders of this machine are looked through. */
export async function freshness(deps: EngineDeps, call: Call): Promise<Freshness[]> {
  const store = await openDatabase(deps, call);
  const found: Freshness[] = [];
  for (const collection of await visibleCollections(store, call)) {
    const { name, source, updatedAt } = collection;
    const { since } = await unindexed(deps, collection, call.signal);
    if (!source && !since) continue;
    found.push({
      alias: name,
      checkedAt: source?.fetchedAt ?? updatedAt,
      changedAt: source?.changedAt ?? updatedAt,
      ...incomplete(collection),
      ...(since ? { unindexedSince: since } : {}),
      ...(source?.heldSince ? { held: true as const } : {}),
    });
  }
  return found;
}

/** All sources of a database in a few numbers that name none of them. */
export interface SourcesHealth {
  oldestCheck: string;
  failedPages: number;
  pendingPages: number;
  /** When the oldest run began that has not ended. */
  incompleteSince?: string;
  /** When the oldest change was made, on disk or in a version that is held, that is not indexed. */
  unindexedSince?: string;
  /** Sources whose files a second was not enough to look through. */
  notLookedThrough?: number;
}

export async function sourcesHealth(
  deps: Pick<EngineDeps, 'stores' | 'files' | 'settings'>,
  signal: AbortSignal = AbortSignal.timeout(MAX_LOOK_MS),
): Promise<SourcesHealth | undefined> {
  const all = (await (await existingDatabase(deps))?.collections.list()) ?? [];
  const collections = all.filter(
    ({ source, name }) => source ?? name === deps.settings.project?.own?.collection,
  );
  if (collections.length === 0) return undefined;
  const pages = collections.flatMap(({ source }) => source?.pages ?? []);
  const since = earliest(collections.flatMap(({ run }) => run?.startedAt ?? []));
  const changes: Unindexed[] = [];
  for (const collection of collections) changes.push(await unindexed(deps, collection, signal));
  const change = earliest(changes.flatMap((one) => one.since ?? []));
  const unknown = changes.filter((one) => one.unknown).length;
  return {
    oldestCheck: earliest(collections.map(({ source, updatedAt }) => source?.fetchedAt ?? updatedAt))!,
    failedPages: pages.reduce((sum, { failed }) => sum + failed, 0),
    pendingPages: pages.reduce((sum, { pending }) => sum + pending, 0),
    ...(since ? { incompleteSince: since } : {}),
    ...(change ? { unindexedSince: change } : {}),
    ...(unknown > 0 ? { notLookedThrough: unknown } : {}),
  };
}
