// The engine group `docs`: documentation sources to the line. Everything the blz toolset and its command line do is a
// method here; removing is not reachable from a client.

import type { Cite } from '../cite/cite.ts';
import { requireScope, type Call } from '../call.ts';
import type { EngineDeps } from '../deps.ts';
import { withRunLock } from '../index/lock.ts';
import { openDatabase, visibleCollections, type CollectionView } from '../scope.ts';
import type { Search } from '../search/search.ts';
import type { RegistryEntry } from '../../ports/registry.ts';
import { addSource, analyseSource } from './add.ts';
import { freshness, type Freshness } from './freshness.ts';
import { diffSource } from './diff.ts';
import { find } from './find.ts';
import { listSources, type SourceList } from './list.ts';
import { lookup, type Match } from './lookup.ts';
import { createMask, shownTo, type Mask } from './mask.ts';
import { listOpen, type OpenFolder } from './open-folders.ts';
import { outline, type OutlineRequest } from './outline.ts';
import { pickSource } from './sources.ts';
import type * as Types from './types.ts';
import { updateSources } from './update.ts';
import { checkOnline, validateSources } from './validate.ts';
import { ageDays, sourceDetails } from './views.ts';

export interface Docs {
  find(call: Call, request: Types.FindRequest): Promise<Types.FindResult>;
  list(call: Call, request?: { filter?: string }): Promise<SourceList>;
  /** Everything known of one source, or of all. */
  inspect(call: Call, alias?: string): Promise<Types.SourceDetails[]>;
  add(call: Call, request: Types.AddRequest): Promise<Types.AddResult>;
  /** Folders of this machine that a caller over the network may add. */
  openFolders(call: Call): Promise<OpenFolder[]>;
  /** How current each source is; looks through folders of this machine. */
  freshness(call: Call): Promise<Freshness[]>;
  /** What would be added; stores nothing. */
  analyse(call: Call, request: Types.AddRequest): Promise<Types.Analysis>;
  update(call: Call, request: Types.UpdateRequest): Promise<Types.UpdateResult[]>;
  /** From the command line only: no tool calls it. */
  remove(call: Call, alias: string): Promise<Types.SourceDetails>;
  registry(call: Call): Promise<readonly RegistryEntry[]>;
  lookup(call: Call, request: { query: string; limit?: number }): Promise<Match[]>;
  history(call: Call, request: { alias?: string; limit?: number }): Promise<Types.HistoryEvent[]>;
  diff(call: Call, request: { alias: string; path?: string; rev?: string }): Promise<Types.DiffReport>;
  /** Older texts of a document that are kept, newest first. */
  versions(call: Call, request: { alias: string; path?: string }): Promise<Types.ArchivedVersion[]>;
  /** Reads everything stored; `online` also asks each address whether it still answers and has changed. */
  validate(call: Call, request: { alias?: string; online?: boolean }): Promise<Types.ValidateReport[]>;
  stats(call: Call): Promise<Types.StatsReport>;
  /** `alias` may go on with the path of a document or a folder in it. */
  outline(
    call: Call,
    request: Omit<OutlineRequest, 'path'> & { alias: string },
  ): Promise<Types.OutlineEntry[]>;
  /** Paths of this machine as a client may see them. */
  readonly mask: Mask;
}

export function createDocs(deps: EngineDeps, parts: { search: Search; cite: Cite }): Docs {
  const mask = createMask(deps.settings.folders);
  const details = (call: Call, collection: CollectionView): Types.SourceDetails =>
    sourceDetails(collection, deps.now(), (path) => shownTo(deps.settings, call, path));
  const searches = { count: 0, ms: 0 };
  const timed = (ms: number): void => {
    searches.count += 1;
    searches.ms += ms;
  };
  const open = async (call: Call) => {
    const store = await openDatabase(deps, call);
    const all = await visibleCollections(store, call);
    return { store, visible: all.filter((collection) => collection.stats.documents > 0) };
  };
  return {
    mask,
    find: (call, request) => find({ deps, ...parts, timed }, call, request),
    list: (call, request = {}) => listSources(deps, call, request),
    add: (call, request) => addSource(deps, call, request),
    openFolders: (call) => listOpen(deps.settings, call),
    freshness: (call) => freshness(deps, call),
    analyse: (call, request) => analyseSource(deps, call, request),
    update: (call, request) => updateSources(deps, call, request),

    async inspect(call, alias) {
      const { visible } = await open(call);
      const chosen = alias === undefined ? visible : [pickSource(visible, alias)];
      return chosen.map((collection) => details(call, collection));
    },

    async remove(call, alias) {
      requireScope(call.principal, 'admin');
      const { store, visible } = await open(call);
      const collection = pickSource(visible, alias);
      await withRunLock(store, collection.name, () => store.collections.remove(collection.name));
      return details(call, collection);
    },

    async registry(call) {
      requireScope(call.principal, 'read');
      return (await deps.registry.load()).entries;
    },

    async lookup(call, { query, limit }) {
      requireScope(call.principal, 'read');
      return lookup((await deps.registry.load()).entries, query, limit);
    },

    async history(call, { alias, limit = 100 }) {
      const { store, visible } = await open(call);
      if (alias !== undefined) return store.versions.history(pickSource(visible, alias).name, limit);
      if (call.principal.collections === '*') {
        const names = new Set(visible.map((collection) => collection.name));
        return (await store.versions.history(undefined, limit)).filter((event) =>
          names.has(event.collection),
        );
      }
      // Asked for one by one, so that what a key may not see takes no room in the list.
      const each = await Promise.all(visible.map(({ name }) => store.versions.history(name, limit)));
      return each
        .flat()
        .sort((a, b) => (a.at < b.at ? 1 : a.at > b.at ? -1 : 0))
        .slice(0, limit);
    },

    async diff(call, { alias, path, rev }) {
      const { store, visible } = await open(call);
      return diffSource(store, pickSource(visible, alias), { path, rev });
    },

    async versions(call, { alias, path = '' }) {
      const { store, visible } = await open(call);
      return store.versions.list(pickSource(visible, alias).name, path);
    },

    async validate(call, { alias, online }) {
      const { store, visible } = await open(call);
      const chosen = alias === undefined ? visible : [pickSource(visible, alias)];
      const reports = await validateSources(store, chosen, deps.now());
      if (online) await checkOnline(deps, store, call, { collections: chosen, reports });
      return reports;
    },

    async stats(call) {
      const { store, visible } = await open(call);
      // The size of the file and the number of searches tell of what a limited key may not see.
      const whole = call.principal.collections === '*' ? { bytes: await store.bytes(), searches } : undefined;
      return statsOf(whole, visible, deps.now());
    },

    async outline(call, { alias, ...request }) {
      const { store, visible } = await open(call);
      const slash = alias.indexOf('/');
      if (slash === -1) return outline(store, pickSource(visible, alias), request);
      const path = alias.slice(slash + 1);
      return outline(store, pickSource(visible, alias.slice(0, slash)), { ...request, path });
    },
  };
}

function statsOf(
  whole: { bytes: number; searches: { count: number; ms: number } } | undefined,
  visible: readonly CollectionView[],
  now: Date,
): Types.StatsReport {
  const sum = (of: (collection: CollectionView) => number): number =>
    visible.reduce((total, collection) => total + of(collection), 0);
  const { searches } = whole ?? { searches: { count: 0, ms: 0 } };
  return {
    totalSources: visible.length,
    totalLines: sum(({ stats }) => stats.lines),
    totalHeadings: sum(({ stats }) => stats.headings),
    indexBytes: whole?.bytes ?? sum(({ stats }) => stats.bytes),
    cacheBytes: sum(({ stats }) => stats.bytes),
    searches: searches.count,
    averageSearchMs: searches.count > 0 ? Math.round((searches.ms / searches.count) * 100) / 100 : null,
    sources: visible.map(({ name, stats, source, updatedAt }) => ({
      alias: name,
      lines: stats.lines,
      bytes: stats.bytes,
      ageDays: ageDays(source?.fetchedAt ?? updatedAt, now),
    })),
  };
}
