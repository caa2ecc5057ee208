// How current the sources are: last check, pages that could not be read or were left out, runs that did not end, and
// changes on disk that nobody has indexed.

import type { Collection } from '../../domain/collection.ts';
import type { Files } from '../../ports/source.ts';
import type { Store } from '../../ports/store.ts';
import type { Call } from '../call.ts';
import type { EngineDeps } from '../deps.ts';
import { openDatabase, visibleCollections } from '../scope.ts';

/** A look through folders on the way to an answer that somebody waits for. */
const MAX_LOOK_MS = 1_000;

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
  /** Of a folder: when the oldest file changed that is newer than the index. */
  unindexedSince?: string;
}

/** Of every source the caller may see; folders of this machine are looked through. */
export async function freshness(deps: EngineDeps, call: Call): Promise<Freshness[]> {
  const store = await openDatabase(deps, call);
  const found: Freshness[] = [];
  for (const collection of await visibleCollections(store, call)) {
    const { name, source } = collection;
    if (!source) continue;
    const since = source.kind === 'folder' ? await oldestChange(deps.files, source, call.signal) : undefined;
    found.push({
      alias: name,
      checkedAt: source.fetchedAt,
      changedAt: source.changedAt,
      ...incomplete(collection),
      ...(since ? { unindexedSince: since } : {}),
    });
  }
  return found;
}

async function oldestChange(
  files: Files,
  { location, fetchedAt }: NonNullable<Collection['source']>,
  signal: AbortSignal | undefined,
): Promise<string | undefined> {
  const scan = await files.scan(location, signal ? { signal } : {}).catch(() => undefined);
  const indexed = Date.parse(fetchedAt);
  const newer = (scan?.files ?? []).map(({ modifiedMs }) => modifiedMs).filter((at) => at > indexed);
  return newer.length > 0 ? new Date(newer.reduce((a, b) => Math.min(a, b))).toISOString() : undefined;
}

/** All sources of a database in a few numbers that name none of them. */
export interface SourcesHealth {
  oldestCheck: string;
  failedPages: number;
  pendingPages: number;
  /** When the oldest run began that has not ended. */
  incompleteSince?: string;
  /** When the oldest file changed that is newer than the index of its folder. */
  unindexedSince?: string;
}

/** Folders that a second is not enough for are left out. */
export async function sourcesHealth(
  store: Store,
  files: Files,
  signal: AbortSignal = AbortSignal.timeout(MAX_LOOK_MS),
): Promise<SourcesHealth | undefined> {
  const collections = (await store.collections.list()).filter(({ source }) => source);
  if (collections.length === 0) return undefined;
  const pages = collections.flatMap(({ source }) => source?.pages ?? []);
  const since = earliest(collections.flatMap(({ run }) => run?.startedAt ?? []));
  let unindexed: string | undefined;
  for (const { source } of collections) {
    const change = source?.kind === 'folder' ? await oldestChange(files, source, signal) : undefined;
    if (change) unindexed = earliest([change, ...(unindexed ? [unindexed] : [])]);
  }
  return {
    oldestCheck: earliest(collections.map(({ source }) => source!.fetchedAt))!,
    failedPages: pages.reduce((sum, { failed }) => sum + failed, 0),
    pendingPages: pages.reduce((sum, { pending }) => sum + pending, 0),
    ...(since ? { incompleteSince: since } : {}),
    ...(unindexed ? { unindexedSince: unindexed } : {}),
  };
}

function earliest(times: readonly string[]): string | undefined {
  return times.toSorted()[0];
}
