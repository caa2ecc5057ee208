// Refreshing sources: one conditional request when nothing changed, the old version archived when something did, and
// nothing touched when it failed. A text that lost most of its lines is held until somebody confirms it.

import { collectionNotFound, type SourceState } from '../../domain/collection.ts';
import { toVaiError, VaiError } from '../../domain/errors.ts';
import { indexLines, sliceLines } from '../../domain/lines.ts';
import type { DocumentInfo, ReadText } from '../../domain/document.ts';
import type { FetchState } from '../../ports/source.ts';
import type { HistoryEvent, Store } from '../../ports/store.ts';
import { requireScope, type Call } from '../call.ts';
import type { EngineDeps } from '../deps.ts';
import { withRunLock, type RunLock } from '../index/lock.ts';
import { openDatabase, visibleCollections, type CollectionView } from '../scope.ts';
import { sourceState } from './add.ts';
import { fetchOptions } from './fetch-options.ts';
import { fetcherFor } from './fetcher-for.ts';
import { readLocal } from './local.ts';
import { exactEntry } from './lookup.ts';
import { maskFor } from './mask.ts';
import { keepStamps, keptStamps, pagesOf } from './pages.ts';
import { extraOf, readFetched } from './read-fetched.ts';
import { readRemote } from './remote.ts';
import { requireMost } from './shrink.ts';
import { pickSource } from './sources.ts';
import { storeText } from './store-text.ts';
import type { UpdateRequest, UpdateResult } from './types.ts';
import { registryIdOf } from './views.ts';

interface Job {
  deps: EngineDeps;
  store: Store;
  call: Call;
  request: UpdateRequest;
}

export async function updateSources(
  deps: EngineDeps,
  call: Call,
  request: UpdateRequest,
): Promise<UpdateResult[]> {
  requireScope(call.principal, 'write');
  const store = await openDatabase(deps, call);
  const visible = await visibleCollections(store, call);
  const chosen = request.aliases?.length
    ? request.aliases.map((alias) => pickSource(visible, alias))
    : visible.filter((collection) => collection.source);
  const results: UpdateResult[] = [];
  for (const [at, collection] of chosen.entries()) {
    call.progress?.({ done: at, total: chosen.length, message: collection.name });
    results.push(await updateOne({ deps, store, call, request }, collection));
  }
  return results;
}

async function updateOne(job: Job, listed: CollectionView): Promise<UpdateResult> {
  const { store } = job;
  const { name } = listed;
  try {
    return await withRunLock(store, name, async (lock) => {
      // Read again: it may have changed while others were refreshed.
      const collection = await store.collections.get(name);
      if (!collection) throw collectionNotFound(name);
      return { ...unchanged(collection), ...(await refresh(job, collection, lock)) };
    });
  } catch (thrown) {
    const error = toVaiError(thrown);
    if (error.code === 'CANCELLED') throw error;
    const message = maskFor(job.deps.settings, job.call)(error.message);
    const held = error.code === 'SHRINK_HELD';
    if (held) await markHeld(job, name).catch(() => undefined);
    if (error.code !== 'INDEX_BUSY' && error.code !== 'COLLECTION_NOT_FOUND')
      await store.versions
        .record(eventOf(job, listed, held ? 'held' : 'failed', { message }))
        .catch(() => undefined);
    return { ...unchanged(listed), status: held ? 'held' : 'error', message, code: error.code };
  }
}

type Outcome = Pick<UpdateResult, 'status' | 'message'> & Partial<UpdateResult>;

async function refresh(job: Job, collection: CollectionView, lock: RunLock): Promise<Outcome> {
  if (job.request.reindex) return reindex(job, collection);
  const { name, source, title } = collection;
  if (!source) throw notRefreshable(name);
  if (source.kind === 'url') return refreshUrl(job, collection);
  if (source.kind !== 'file' && source.kind !== 'folder') return refreshRemote(job, collection, lock);
  const { counts, changed, failed, notices } = await readLocal(job.deps, job.store, job.call, {
    alias: name,
    path: source.location,
    kind: source.kind,
    lock,
    force: job.request.force,
    ...(title ? { name: title } : {}),
  });
  if (!changed && source.kind === 'file') await markUnchanged(job, collection, {});
  return { status: statusOf(changed, failed), after: counts, message: '', notices };
}

function notRefreshable(alias: string): VaiError {
  return new VaiError('SOURCE_NOT_FOUND', `\`${alias}\` did not come from an address or file of its own.`, {
    hint: 'It was ingested as text; ingest it again instead.',
  });
}

async function refreshUrl(job: Job, collection: CollectionView): Promise<Outcome> {
  const { deps, store, call, request } = job;
  const source = collection.source!;
  const info = await store.documents.get(collection.name, '');
  const { entries } = await deps.registry.load();
  const fallback = exactEntry(entries, registryIdOf(collection))?.fallback;
  const fetched = await fetcherFor(deps, call).fetch(source.location, {
    ...fetchOptions(call, fallback),
    previous: {
      ...(source.url ? { url: source.url } : {}),
      ...(source.variant ? { variant: source.variant } : {}),
      ...(source.etag && !request.force ? { etag: source.etag } : {}),
      ...(source.lastModified && !request.force ? { lastModified: source.lastModified } : {}),
      // What is stored, not what the record says: a crash between the two must not hide a change.
      ...(info ? { sha256: info.rawSha256 ?? info.sha256 } : {}),
      ...(source.variant === 'pages' ? await pagesBefore(store, collection.name, request.force) : {}),
    },
  });
  await keepStamps(store, collection.name, fetched.changed ? undefined : fetched.pageStamps);
  if (!fetched.changed) {
    if (info?.partial) return reindex(job, collection);
    await markUnchanged(job, collection, fetched);
    return { status: statusOf(false, fetched.health?.failed), message: '', notices: fetched.notices ?? [] };
  }
  const found = await readFetched(deps, call, collection.name, fetched);
  const { read, rawSha256 } = found;
  if (!request.force) requireMost(collection.name, info?.lines ?? 0, indexLines(read.text).count, 'lines');
  const now = deps.now().toISOString();
  const { counts: after, warnings } = await storeText(deps, store, call, {
    alias: collection.name,
    read,
    bytes: fetched.bytes,
    rawSha256,
    origin: fetched.url,
    fetchedAt: now,
    event: eventOf(job, collection, 'updated', { bytes: fetched.bytes }),
    record: (before) => ({
      source: sourceState(source.location, fetched, now),
      extra: { ...before.extra, ...extraOf(fetched, found) },
    }),
  });
  await keepStamps(store, collection.name, fetched.pageStamps);
  const notices = [...found.notices, ...warnings];
  return { status: statusOf(true, fetched.health?.failed), after, message: '', notices };
}

async function refreshRemote(job: Job, collection: CollectionView, lock: RunLock): Promise<Outcome> {
  const { deps, store, call, request } = job;
  const { counts, changed, failed, notices, fetched } = await readRemote(deps, store, call, {
    alias: collection.name,
    location: collection.source!.location,
    ...(request.force ? { force: true } : {}),
    lock,
    before: collection,
    record: {},
  });
  if (!fetched.changed) await markUnchanged(job, collection, fetched);
  return { status: statusOf(changed, failed), after: counts, message: '', notices };
}

async function pagesBefore(
  store: Store,
  collection: string,
  force: boolean | undefined,
): Promise<Pick<FetchState, 'pages' | 'pageStamps'>> {
  const pages = await storedPages(store, collection);
  return force ? { pages } : { pages, pageStamps: await keptStamps(store, collection) };
}

/** The pages of a joined text, each as it is stored, by its address. */
async function storedPages(store: Store, collection: string): Promise<Map<string, string>> {
  const text = (await store.documents.text(collection, '')) ?? '';
  const starts = pagesOf(text, (await store.documents.headings(collection, '')) ?? []);
  const index = indexLines(text);
  return new Map(
    starts.map(([start, url], at) => {
      const end = (starts[at + 1]?.[0] ?? index.count + 1) - 1;
      return [url, sliceLines(text, { start, end }, index).trimEnd()];
    }),
  );
}

/** What is not whole is not called a success. */
function statusOf(changed: boolean, failed = 0): UpdateResult['status'] {
  return failed > 0 ? 'partial' : changed ? 'refreshed' : 'unchanged';
}

/** The change is known and not indexed. */
async function markHeld({ deps, store }: Job, name: string): Promise<void> {
  const heldSince = deps.now().toISOString();
  await store.collections.change(name, (before) =>
    before?.source && !before.source.heldSince
      ? { ...before, source: { ...before.source, heldSince } }
      : undefined,
  );
}

/** A new check of the same text: times and validators, nothing else. */
async function markUnchanged(
  job: Job,
  collection: CollectionView,
  stamps: { etag?: string; lastModified?: string; health?: NonNullable<SourceState['pages']> },
): Promise<void> {
  const { deps, store } = job;
  const now = deps.now().toISOString();
  const { etag, lastModified, health } = stamps;
  await store.documents.touch(collection.name, '', now);
  await store.collections.change(collection.name, (before) => {
    if (!before?.source) return undefined;
    const { heldSince: _held, ...source } = before.source;
    return {
      ...before,
      source: {
        ...source,
        fetchedAt: now,
        ...(etag ? { etag } : {}),
        ...(lastModified ? { lastModified } : {}),
        ...(health ? { pages: health } : {}),
      },
    };
  });
  await store.versions.record(eventOf(job, collection, 'unchanged', {}));
}

/** Cuts and indexes every stored text again; outline and index are made together. */
async function reindex(job: Job, collection: CollectionView): Promise<Outcome> {
  const { deps, store, call } = job;
  const info = await store.documents.get(collection.name, '');
  const text = await store.documents.text(collection.name, '');
  if (!info || text === undefined) {
    throw new VaiError('INDEX_MISSING', `\`${collection.name}\` is not one text that can be indexed again.`, {
      hint: 'Run the update without --reindex.',
    });
  }
  const { counts: after, warnings } = await storeText(deps, store, call, {
    alias: collection.name,
    read: await readTextOf(store, info, text),
    bytes: info.bytes,
    rawSha256: info.rawSha256,
    origin: info.origin,
    title: info.title,
    fetchedAt: info.fetchedAt,
    event: eventOf(job, collection, 'updated', { message: 'Indexed again.' }),
    record: () => ({}),
  });
  return { status: 'reindexed', after, message: '', notices: warnings };
}

/** Headings that came from another format cannot be found in the text again; they are kept. */
async function readTextOf(store: Store, info: DocumentInfo, text: string): Promise<ReadText> {
  if (info.rawSha256 === undefined) return { text, syntax: 'markdown', metadata: info.metadata };
  const headings = (await store.documents.headings(info.collection, info.path)) ?? [];
  const pages = await pageStarts(store, info);
  return {
    text,
    syntax: 'markdown',
    metadata: info.metadata,
    headings: headings.map(({ level, text: title, line }) => ({ level, text: title, line })),
    ...(pages ? { pages } : {}),
  };
}

/** The line each page of a PDF begins on, as its chunks have it; one on which none begins has that of the next. */
async function pageStarts(store: Store, { collection, path }: DocumentInfo): Promise<number[] | undefined> {
  const starts: number[] = [];
  for (const { page, startLine } of await store.documents.chunks(collection, path))
    while (page !== undefined && starts.length < page) starts.push(startLine);
  return starts.length > 0 ? starts : undefined;
}

function eventOf(
  job: Job,
  collection: CollectionView,
  result: HistoryEvent['result'],
  rest: Partial<HistoryEvent>,
): HistoryEvent {
  const { lines, headings } = collection.stats;
  const same = result === 'unchanged' ? { linesAfter: lines, headingsAfter: headings } : {};
  return {
    at: job.deps.now().toISOString(),
    collection: collection.name,
    path: '',
    result,
    linesBefore: lines,
    headingsBefore: headings,
    ...same,
    ...rest,
  };
}

function unchanged({
  name,
  stats,
}: CollectionView): Pick<UpdateResult, 'alias' | 'before' | 'after' | 'notices'> {
  const counts = { totalLines: stats.lines, headings: stats.headings };
  return { alias: name, before: counts, after: counts, notices: [] };
}
