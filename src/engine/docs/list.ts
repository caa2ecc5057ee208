// What is installed and what could be, in one list.

import type { Call } from '../call.ts';
import type { EngineDeps } from '../deps.ts';
import { openDatabase, visibleCollections, type CollectionView } from '../scope.ts';
import { exactEntry, mentions } from './lookup.ts';
import { shownTo } from './mask.ts';
import { MAX_LOOK_MS, unindexed } from './unindexed.ts';
import type { InstalledSource, RegistrySource } from './types.ts';
import { installedSource, registryIdOf } from './views.ts';

export interface SourceList {
  sources: (InstalledSource | RegistrySource)[];
  notices?: string[];
}

export async function listSources(
  deps: EngineDeps,
  call: Call,
  request: { filter?: string },
): Promise<SourceList> {
  const store = await openDatabase(deps, call);
  const all = await visibleCollections(store, call);
  const visible = all.filter((collection) => collection.stats.documents > 0);
  const { entries, notices } = await deps.registry.load();
  const filter = request.filter?.trim().toLowerCase() ?? '';
  const now = deps.now();
  const shown = visible.filter((collection) => filter === '' || fits(collection, filter, entries));
  const installed = await withChanges(deps, call, shown, (collection) =>
    installedSource(collection, now, (path) => shownTo(deps.settings, call, path)),
  );
  const taken = new Set(
    visible.flatMap((collection) => [collection.name.toLowerCase(), registryIdOf(collection)]),
  );
  const available = entries
    .filter((entry) => !taken.has(entry.id.toLowerCase()))
    .filter((entry) => filter === '' || mentions(entry, filter))
    .map((entry): RegistrySource => ({
      alias: entry.id,
      url: entry.url,
      kind: 'registry',
      suggestedCommand: `blz add ${entry.id}`,
      title: entry.name,
      description: entry.description,
      category: entry.category,
    }));
  const byAlias = (a: { alias: string }, b: { alias: string }): number => (a.alias < b.alias ? -1 : 1);
  const told = [...notices, ...installed.notices];
  return {
    sources: [...installed.sources.sort(byAlias), ...available.sort(byAlias)],
    ...(told.length ? { notices: told } : {}),
  };
}

/** Each with its oldest change that is not indexed; what there was no time to look through is named. */
async function withChanges(
  deps: EngineDeps,
  call: Call,
  collections: readonly CollectionView[],
  view: (collection: CollectionView) => InstalledSource,
): Promise<{ sources: InstalledSource[]; notices: string[] }> {
  const deadline = AbortSignal.timeout(MAX_LOOK_MS);
  const signal = call.signal ? AbortSignal.any([deadline, call.signal]) : deadline;
  const sources: InstalledSource[] = [];
  const unknown: string[] = [];
  for (const collection of collections) {
    const change = await unindexed(deps, collection, signal);
    if (change.unknown) unknown.push(collection.name);
    sources.push({ ...view(collection), ...(change.since ? { unindexedSince: change.since } : {}) });
  }
  const names = unknown.slice(0, 10).join(', ');
  return {
    sources,
    notices: unknown.length > 0 ? [`Not checked for changes on disk: ${names}.`] : [],
  };
}

function fits(
  collection: CollectionView,
  filter: string,
  entries: Parameters<typeof exactEntry>[0],
): boolean {
  const texts = [collection.name, collection.title, collection.description, ...(collection.tags ?? [])];
  if (texts.some((text) => text?.toLowerCase().includes(filter))) return true;
  const entry = exactEntry(entries, registryIdOf(collection));
  return entry !== undefined && mentions(entry, filter);
}
