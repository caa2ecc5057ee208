// What is installed and what could be, in one list.

import type { Call } from '../call.ts';
import type { EngineDeps } from '../deps.ts';
import { openDatabase, visibleCollections, type CollectionView } from '../scope.ts';
import { exactEntry, mentions } from './lookup.ts';
import { createMask } from './mask.ts';
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
  const visible = await visibleCollections(store, call);
  const { entries, notices } = await deps.registry.load();
  const filter = request.filter?.trim().toLowerCase() ?? '';
  const mask = createMask(deps.settings.folders);
  const now = deps.now();
  const installed = visible
    .filter((collection) => collection.stats.documents > 0)
    .filter((collection) => filter === '' || fits(collection, filter, entries))
    .map((collection) => installedSource(collection, now, mask));
  const taken = new Set(
    visible
      .filter((collection) => collection.stats.documents > 0)
      .flatMap((collection) => [collection.name.toLowerCase(), registryIdOf(collection)]),
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
  return {
    sources: [...installed.sort(byAlias), ...available.sort(byAlias)],
    ...(notices.length ? { notices } : {}),
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
