// Sources from this machine's own files. Whether the caller may read them is settled before. A file is one text like a
// fetched one; a folder is a collection of many documents.

import { stat } from 'node:fs/promises';
import { BLOCK_PROFILE } from '../../domain/chunk.ts';
import type { Collection } from '../../domain/collection.ts';
import type { HistoryEvent, Store } from '../../ports/store.ts';
import type { Call } from '../call.ts';
import type { EngineDeps } from '../deps.ts';
import { withRunLock, type RunLock } from '../index/lock.ts';
import { sha256 } from '../text/analyse.ts';
import { unreadable } from '../unreadable.ts';
import { indexFolder, type FolderText } from './folder.ts';
import { createMask, shownLocation, shownTo } from './mask.ts';
import { storeText } from './store-text.ts';
import type { AddRequest, AddResult } from './types.ts';
import { addResult } from './views.ts';

type LocalRequest = AddRequest & { path: string };

export async function addLocal(
  deps: EngineDeps,
  store: Store,
  call: Call,
  request: LocalRequest,
): Promise<AddResult> {
  const started = performance.now();
  const { alias, path } = request;
  const kind = await kindOf(path, request.typed ?? shownTo(deps.settings, call, path));
  return withRunLock(store, alias, async (lock) => {
    const read = await readLocal(deps, store, call, { ...request, kind, force: true, lock });
    return addResult({ alias, url: null, started }, read);
  });
}

async function kindOf(path: string, shown: string): Promise<'file' | 'folder'> {
  const info = await stat(path).catch((cause: unknown) => {
    throw unreadable(shown, cause, '; an address begins with https://');
  });
  return info.isDirectory() ? 'folder' : 'file';
}

type LocalRead = LocalRequest & { kind: 'file' | 'folder'; lock: RunLock };

/** Reads a file or folder again; what has not changed is left alone unless forced. */
export function readLocal(
  deps: EngineDeps,
  store: Store,
  call: Call,
  request: LocalRead,
): Promise<FolderText> {
  return request.kind === 'file'
    ? readFile(deps, store, call, request)
    : readFolder(deps, store, call, request);
}

async function readFile(deps: EngineDeps, store: Store, call: Call, request: LocalRead): Promise<FolderText> {
  const { alias, path } = request;
  const bytes = await deps.files.bytes(path);
  const rawSha256 = sha256(bytes);
  const before = await store.documents.get(alias, '');
  const now = deps.now().toISOString();
  if (before?.rawSha256 === rawSha256 && !request.force)
    return {
      counts: { totalLines: before.lines, headings: before.headings },
      changed: false,
      failed: 0,
      notices: [],
    };
  const name = path.split(/[/\\]/).at(-1)!;
  const { read } = await deps.worker.read({ name, bytes, profile: BLOCK_PROFILE }, call);
  const event: HistoryEvent = {
    at: now,
    collection: alias,
    path: '',
    result: before ? 'updated' : 'added',
    ...(before ? { linesBefore: before.lines, headingsBefore: before.headings } : {}),
    bytes: bytes.length,
  };
  const { counts, warnings } = await storeText(deps, store, call, {
    alias,
    read,
    bytes: bytes.length,
    rawSha256,
    origin: shownLocation(createMask(deps.settings.folders), path),
    fetchedAt: now,
    event,
    record: () => ({
      title: read.title ?? name,
      ...describedBy(request),
      source: { kind: 'file', location: path, fetchedAt: now, changedAt: now },
      extra: { diagnostics: read.notices ?? [] },
    }),
  });
  return { counts, changed: true, failed: 0, notices: [...(read.notices ?? []), ...warnings] };
}

async function readFolder(
  deps: EngineDeps,
  store: Store,
  call: Call,
  request: LocalRead,
): Promise<FolderText> {
  const { alias, path, force, lock } = request;
  const name = path.split(/[/\\]/).filter(Boolean).at(-1)!;
  return indexFolder(deps, store, call, {
    alias,
    folder: path,
    ...(force ? { force } : {}),
    lock,
    before: await store.collections.get(alias),
    source: { kind: 'folder', location: path },
    record: (collection) => ({ title: collection.title ?? name, ...describedBy(request) }),
  });
}

/** What whoever adds a source says of it. */
export function describedBy({ name, description, category, tags }: AddRequest): Partial<Collection> {
  return {
    ...(name ? { title: name } : {}),
    ...(description ? { description } : {}),
    ...(category ? { category } : {}),
    ...(tags?.length ? { tags } : {}),
  };
}
