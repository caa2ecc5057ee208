// Adding a source: from the registry, an address, or a file or folder of this machine: any of them from the command
// line, only open ones over the network.

import type { Collection, SourceState } from '../../domain/collection.ts';
import type { Heading, ReadText } from '../../domain/document.ts';
import { VaiError } from '../../domain/errors.ts';
import { nearest } from '../../domain/nearest.ts';
import { addressKind } from '../../domain/source-address.ts';
import { indexLines } from '../../domain/lines.ts';
import type { RegistryEntry } from '../../ports/registry.ts';
import type { HistoryEvent, Store } from '../../ports/store.ts';
import { LOCAL, requireCollection, requireScope, type Call } from '../call.ts';
import type { EngineDeps } from '../deps.ts';
import { withRunLock } from '../index/lock.ts';
import { headingTree, outline } from '../text/headings.ts';
import { openDatabase, type CollectionView } from '../scope.ts';
import { checkAlias } from './alias.ts';
import { fetchOptions } from './fetch-options.ts';
import { fetcherFor } from './fetcher-for.ts';
import { addLocal, describedBy } from './local.ts';
import { exactEntry, lookup } from './lookup.ts';
import { resolveOpen } from './open-folders.ts';
import { analyseRemote, readRemote } from './remote.ts';
import { keepStamps, pagesOf } from './pages.ts';
import { extraOf, readFetched, type FetchedContent } from './read-fetched.ts';
import { storeText } from './store-text.ts';
import type { AddRequest, AddResult, Analysis, Counts } from './types.ts';
import { addResult } from './views.ts';

export async function addSource(deps: EngineDeps, call: Call, request: AddRequest): Promise<AddResult> {
  const started = performance.now();
  const alias = checkAlias(request.alias);
  requireScope(call.principal, 'write');
  requireCollection(call.principal, alias);
  const store = await openDatabase(deps, call);
  requireFree(await store.collections.get(alias), request);
  if (request.path !== undefined) {
    const local = call.principal.id === LOCAL.id;
    const path = local ? request.path : await resolveOpen(deps.settings, call, request.path);
    return addLocal(deps, store, call, { ...request, path });
  }
  const place = await placeOf(deps, request);
  return withRunLock(store, alias, async (lock) => {
    const before = await store.collections.get(alias);
    requireFree(before, request);
    if (addressKind(place.url) !== 'url') {
      const read = await readRemote(deps, store, call, {
        alias,
        location: place.url,
        force: true,
        lock,
        before,
        record: place.record,
      });
      return addResult({ alias, url: read.fetched.url, started }, read);
    }
    const fetched = await fetchContent(deps, call, place);
    const installed = await install(deps, store, call, { request, place, fetched, before });
    return addResult({ alias, url: fetched.url, started }, { ...installed, failed: fetched.health?.failed });
  });
}

/** What would be added, without storing it. */
export async function analyseSource(deps: EngineDeps, call: Call, request: AddRequest): Promise<Analysis> {
  const alias = checkAlias(request.alias);
  const place = await placeOf(deps, request);
  if (addressKind(place.url) !== 'url') return analyseRemote(deps, call, { alias, location: place.url });
  const fetched = await fetchContent(deps, call, place);
  const { read, notices } = await readFetched(deps, call, alias, fetched);
  return {
    alias,
    finalUrl: fetched.url,
    contentType: fetched.contentType,
    variant: fetched.variant,
    fileSize: fetched.bytes,
    charCount: read.text.length,
    lineCount: indexLines(read.text).count,
    headerCount: read.headings?.length ?? headingTree(read.text, 'markdown').length,
    notices,
  };
}

/** An alias in use is only given up by force, and only by what is itself a documentation source. */
function requireFree(existing: CollectionView | undefined, request: AddRequest): void {
  if (!existing || existing.stats.documents === 0) return;
  if (!existing.source) {
    throw new VaiError(
      'SOURCE_EXISTS',
      `\`${request.alias}\` is a collection of ingested text, not a source.`,
      {
        hint: 'Choose another alias; it will not be replaced.',
      },
    );
  }
  if (request.force) return;
  throw new VaiError('SOURCE_EXISTS', `\`${request.alias}\` is already installed.`, {
    hint: 'Replace it with `force` (`--force` in a terminal; the old version is archived), or choose another alias.',
  });
}

interface Place {
  url: string;
  fallback?: string;
  record: Partial<Collection>;
}

async function placeOf(deps: EngineDeps, request: AddRequest): Promise<Place> {
  const { entries } = await deps.registry.load();
  const entry = exactEntry(entries, request.alias);
  const record = describedBy(request);
  if (request.url !== undefined) return { url: request.url, record };
  if (!entry) throw notInRegistry(request.alias, entries);
  return {
    url: entry.url,
    ...(entry.fallback ? { fallback: entry.fallback } : {}),
    record: {
      title: entry.name,
      description: entry.description,
      category: entry.category,
      tags: entry.tags,
      ...record,
      extra: { registryId: entry.id },
    },
  };
}

function notInRegistry(alias: string, entries: readonly RegistryEntry[]): VaiError {
  const found = lookup(entries, alias, 3).map((match) => match.entry.id);
  const misspelt = nearest(
    alias,
    entries.map(({ id }) => id),
  );
  const suggestions = [...new Set([...found, ...misspelt])].slice(0, 3);
  return new VaiError('SOURCE_NOT_FOUND', `\`${alias}\` is not in the registry.`, {
    hint: suggestions.length
      ? `Did you mean ${suggestions.map((id) => `\`${id}\``).join(', ')}? Otherwise give its address too.`
      : 'Give its address too, or look for another name in the list of sources.',
    suggestions,
  });
}

async function fetchContent(deps: EngineDeps, call: Call, place: Place): Promise<FetchedContent> {
  const fetched = await fetcherFor(deps, call).fetch(place.url, fetchOptions(call, place.fallback));
  if (fetched.changed) return fetched;
  throw new VaiError('FETCH_FAILED', 'The server answered a first request with "not modified".', {
    hint: 'Try again later.',
  });
}

interface Install {
  request: AddRequest;
  place: Place;
  fetched: FetchedContent;
  before: CollectionView | undefined;
}

async function install(
  deps: EngineDeps,
  store: Store,
  call: Call,
  input: Install,
): Promise<{ counts: Counts; notices: string[] }> {
  const { request, place, fetched, before } = input;
  const found = await readFetched(deps, call, request.alias, fetched);
  const { read, rawSha256, notices } = found;
  const now = deps.now().toISOString();
  const event: HistoryEvent = {
    at: now,
    collection: request.alias,
    path: '',
    result: before?.stats.documents ? 'updated' : 'added',
    ...(before ? { linesBefore: before.stats.lines, headingsBefore: before.stats.headings } : {}),
    bytes: fetched.bytes,
    ...(before?.stats.documents ? { message: 'Replaced by force.' } : {}),
  };
  const { counts } = await storeText(deps, store, call, {
    alias: request.alias,
    read,
    bytes: fetched.bytes,
    rawSha256,
    origin: fetched.url,
    fetchedAt: now,
    event,
    record: () => ({
      title: place.record.title ?? fetched.title ?? read.title ?? firstTitle(read) ?? request.alias,
      ...place.record,
      source: sourceState(place.url, fetched, now),
      extra: { ...place.record.extra, ...extraOf(fetched, found) },
    }),
  });
  await keepStamps(store, request.alias, fetched.pageStamps ?? {});
  return { counts, notices };
}

export function sourceState(location: string, fetched: FetchedContent, now: string): SourceState {
  return {
    kind: 'url',
    location,
    url: fetched.url,
    variant: fetched.variant,
    ...(fetched.etag ? { etag: fetched.etag } : {}),
    ...(fetched.lastModified ? { lastModified: fetched.lastModified } : {}),
    fetchedAt: now,
    changedAt: now,
    sha256: fetched.sha256,
    ...(fetched.health ? { pages: fetched.health } : {}),
  };
}

/** How much of a text is looked at for its title: some pages alone have a hundred thousand characters. */
const TITLE_CHARACTERS = 1_000_000;

/** The first heading of a text that has one near its top, unless it is only the title of its first page. */
function firstTitle({ text, syntax }: ReadText): string | undefined {
  if (syntax !== 'markdown') return undefined;
  const top = text.slice(0, TITLE_CHARACTERS);
  const { headings, windows } = outline(top, 'markdown');
  const first = headings.find(({ level }) => level <= 2);
  if (windows || !first || first.line > 100) return undefined;
  return isFirstPage(top, headings) ? undefined : first.text.slice(0, 200) || undefined;
}

/** Pages say where they come from; or there are many tops, and the first one has sections of its own as they have. */
function isFirstPage(text: string, headings: readonly Heading[]): boolean {
  const tops = headings.filter(({ level }) => level === 1);
  const pages = pagesOf(text, tops);
  if (pages.length > 1 && pages[0]![0] === tops[0]?.line) return true;
  const [first, second] = tops;
  return tops.length >= 5 && headings.some(({ line }) => line > first!.line && line < second!.line);
}
