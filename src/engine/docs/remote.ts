// Sources that are many documents at one address: fetched into a folder, then indexed as any folder is. What a check
// finds unchanged is not read again; a fetch that lost most of its documents is held until somebody confirms it.

import { join } from 'node:path';
import type { Collection } from '../../domain/collection.ts';
import { addressKind } from '../../domain/source-address.ts';
import { VaiError } from '../../domain/errors.ts';
import { indexLines } from '../../domain/lines.ts';
import type { FetchedFolder, FetchFolderOptions, SitePage } from '../../ports/source.ts';
import type { Store } from '../../ports/store.ts';
import type { Call } from '../call.ts';
import type { EngineDeps } from '../deps.ts';
import type { RunLock } from '../index/lock.ts';
import { docsOf, type DocsState } from '../project/docs-version.ts';
import type { CollectionView } from '../scope.ts';
import { fetchOptions } from './fetch-options.ts';
import { fetcherFor } from './fetcher-for.ts';
import { headingTree } from '../text/headings.ts';
import { indexFolder, type FolderText } from './folder.ts';
import { requireMost } from './shrink.ts';
import type { Analysis } from './types.ts';

export interface RemoteRequest {
  alias: string;
  location: string;
  /** Ask without validators, read everything again and accept a loss. */
  force?: boolean;
  lock: RunLock;
  before: CollectionView | undefined;
  record: Partial<Collection>;
}

export interface RemoteText extends FolderText {
  fetched: FetchedFolder;
}

export async function readRemote(
  deps: EngineDeps,
  store: Store,
  call: Call,
  request: RemoteRequest,
): Promise<RemoteText> {
  const { alias, location, force, lock, before, record } = request;
  const known = before?.source?.location === location ? before : undefined;
  const fetched = await fetcherFor(deps, call).fetchFolder(location, {
    ...fetchOptions(call),
    previous: force || !known ? {} : await lastSeen(store, known),
  });
  if (!fetched.changed) {
    if (fetched.pages) await keepPages(store, alias, fetched.pages);
    const { lines = 0, headings = 0 } = before?.stats ?? {};
    return {
      counts: { totalLines: lines, headings },
      changed: false,
      failed: fetched.health?.failed ?? 0,
      notices: fetched.notices,
      fetched,
    };
  }
  try {
    if (known && !force)
      requireMost(alias, known.stats.documents, await documentsIn(deps, call, fetched), 'documents');
    const { folder, title, url, notices, pages, health } = fetched;
    const addresses = new Map(pages?.map((page) => [page.path, page.url]));
    const text = await indexFolder(deps, store, call, {
      alias,
      folder,
      ...(force && known ? { force } : {}),
      lock,
      before,
      source: {
        kind: addressKind(location),
        location,
        url,
        ...(fetched.etag ? { etag: fetched.etag } : {}),
        ...(fetched.lastModified ? { lastModified: fetched.lastModified } : {}),
        ...(fetched.revision ? { revision: fetched.revision } : {}),
        ...(fetched.pageBase ? { pageBase: fetched.pageBase } : {}),
        ...(health ? { pages: health } : {}),
      },
      ...(pages ? { run: { keep: new Set(addresses.keys()), origin: (path) => addresses.get(path) } } : {}),
      record: (collection) => ({
        title: collection.title ?? title,
        ...record,
        extra: {
          ...record.extra,
          diagnostics: notices,
          ...(known ? {} : { docs: docsState(location, fetched.version, before) }),
        },
      }),
    });
    if (pages) await keepPages(store, alias, await storedPages(store, alias, pages));
    const failed = text.failed + (health?.failed ?? 0);
    return { ...text, failed, notices: [...notices, ...text.notices], fetched };
  } finally {
    await fetched.remove();
  }
}

/** A tag says which version the documents are of; `vai sync` may know more and says it afterwards. */
function docsState(
  location: string,
  version: string | undefined,
  before: CollectionView | undefined,
): DocsState | undefined {
  if (!version) return undefined;
  return { version, via: 'address', from: [location], projects: docsOf(before)?.projects ?? [] };
}

async function documentsIn(
  deps: EngineDeps,
  call: Call,
  { folder, pages }: Extract<FetchedFolder, { changed: true }>,
): Promise<number> {
  return pages?.length ?? (await deps.files.scan(folder, { signal: call.signal })).files.length;
}

/** What the last fetch saw: validators, commit, pages. */
export async function lastSeen(
  store: Store,
  { name, source }: CollectionView,
): Promise<NonNullable<FetchFolderOptions['previous']>> {
  const { etag, lastModified, revision, kind } = source!;
  const kept = kind === 'website' ? await store.getMeta(keyOf(name)) : undefined;
  return {
    ...(etag ? { etag } : {}),
    ...(lastModified ? { lastModified } : {}),
    ...(revision ? { revision } : {}),
    ...(kept ? { pages: JSON.parse(kept) as SitePage[] } : {}),
  };
}

const keyOf = (collection: string): string => `docs.site:${collection}`;

async function keepPages(store: Store, collection: string, pages: readonly SitePage[]): Promise<void> {
  await store.setMeta(keyOf(collection), JSON.stringify(pages));
}

/** A page that was fetched and could not be stored is fetched again the next time. */
async function storedPages(
  store: Store,
  collection: string,
  pages: readonly SitePage[],
): Promise<SitePage[]> {
  const stored = await Promise.all(pages.map(({ path }) => store.documents.get(collection, path)));
  return pages.filter((page, at) => page.failed !== undefined || stored[at]?.rawSha256 === page.sha256);
}

/** What a source of many documents would be, without storing it. */
export async function analyseRemote(
  deps: EngineDeps,
  call: Call,
  { alias, location }: Pick<RemoteRequest, 'alias' | 'location'>,
): Promise<Analysis> {
  const fetched = await fetcherFor(deps, call).fetchFolder(location, fetchOptions(call));
  if (!fetched.changed)
    throw new VaiError('FETCH_FAILED', 'A first request was answered with "not modified".');
  try {
    const { files } = await deps.files.scan(fetched.folder, { signal: call.signal });
    const totals = { fileSize: 0, charCount: 0, lineCount: 0, headerCount: 0 };
    for (const { path } of files) {
      const bytes = await deps.files.bytes(join(fetched.folder, path), { root: fetched.folder });
      const text = Buffer.from(bytes).toString('utf8');
      totals.fileSize += bytes.length;
      totals.charCount += text.length;
      totals.lineCount += indexLines(text).count;
      if (/\.mdx?$/i.test(path)) totals.headerCount += headingTree(text, 'markdown').length;
    }
    const { url, notices } = fetched;
    return {
      alias,
      finalUrl: url,
      contentType: addressKind(location) === 'website' ? 'text/html' : 'application/gzip',
      variant: addressKind(location),
      documents: files.length,
      ...totals,
      notices,
    };
  } finally {
    await fetched.remove();
  }
}
