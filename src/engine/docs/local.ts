// Sources from this machine's own files: from the command line only, never from a client. A file is one text like a
// fetched one; a folder is a collection of many documents.

import { stat } from 'node:fs/promises';
import { VaiError } from '../../domain/errors.ts';
import type { SourceState } from '../../domain/collection.ts';
import type { HistoryEvent, Store } from '../../ports/store.ts';
import type { Call } from '../call.ts';
import type { EngineDeps } from '../deps.ts';
import { ingestFiles } from '../index/files.ts';
import { sha256 } from '../index/prepare.ts';
import { withSourceLock } from './lock.ts';
import { createMask, shownLocation } from './mask.ts';
import { storeText } from './store-text.ts';
import type { AddRequest, AddResult, Counts } from './types.ts';
import { addedMessage } from './views.ts';

export interface LocalText {
  counts: Counts;
  changed: boolean;
  notices: string[];
}

type LocalRequest = AddRequest & { path: string };

export async function addLocal(
  deps: EngineDeps,
  store: Store,
  call: Call,
  request: LocalRequest,
): Promise<AddResult> {
  const started = performance.now();
  const { alias, path } = request;
  const kind = await kindOf(path, shownLocation(createMask(deps.settings.folders), path));
  return withSourceLock(store, alias, async () => {
    const read = kind === 'folder' ? readFolder : readFile;
    const { counts, notices } = await read(deps, store, call, { ...request, force: true });
    return {
      alias,
      url: null,
      message: addedMessage(alias, counts, performance.now() - started),
      metadata: counts,
      ...(notices.length ? { notices } : {}),
    };
  });
}

async function kindOf(path: string, shown: string): Promise<'file' | 'folder'> {
  const info = await stat(path).catch((cause: unknown) => {
    throw new VaiError('FILE_UNREADABLE', `\`${shown}\` cannot be read.`, {
      hint: 'Check the path and its permissions; an address begins with https://.',
      cause,
    });
  });
  return info.isDirectory() ? 'folder' : 'file';
}

/** Reads a file again; unchanged bytes change nothing unless forced. */
export async function readFile(
  deps: EngineDeps,
  store: Store,
  call: Call,
  request: LocalRequest,
): Promise<LocalText> {
  const { alias, path } = request;
  const bytes = await deps.files.bytes(path);
  const rawSha256 = sha256(bytes);
  const before = await store.documents.get(alias, '');
  const now = deps.now().toISOString();
  if (before?.rawSha256 === rawSha256 && !request.force)
    return { counts: { totalLines: before.lines, headings: before.headings }, changed: false, notices: [] };
  const name = path.split(/[/\\]/).at(-1)!;
  const read = await deps.files.read(name, bytes);
  const event: HistoryEvent = {
    at: now,
    collection: alias,
    path: '',
    result: before ? 'updated' : 'added',
    ...(before ? { linesBefore: before.lines, headingsBefore: before.headings } : {}),
    bytes: bytes.length,
  };
  const written = await storeText(deps, store, call, {
    alias,
    read,
    bytes: bytes.length,
    rawSha256,
    origin: shownLocation(createMask(deps.settings.folders), path),
    fetchedAt: now,
    archive: true,
    event,
    record: {
      ...recordOf(request, read.title ?? name),
      source: localState('file', path, now),
      extra: { diagnostics: read.notices ?? [] },
    },
  });
  const counts = { totalLines: written.lines, headings: written.headings };
  return { counts, changed: true, notices: [...(read.notices ?? []), ...written.warnings] };
}

/** Reads a folder again: new and changed files are stored, files that are gone are removed. */
export async function readFolder(
  deps: EngineDeps,
  store: Store,
  call: Call,
  request: LocalRequest,
): Promise<LocalText> {
  const { alias, path } = request;
  const before = await store.collections.get(alias);
  const result = await ingestFiles(deps, call, { paths: [path], collection: alias, sync: true });
  const after = await store.collections.get(alias);
  if (!after || after.stats.documents === 0) {
    if (!before && after) await store.collections.remove(alias);
    throw new VaiError('DOCS_EMPTY', 'The folder holds no file that can be read.', {
      hint: 'Markdown, text, HTML, PDF and Word files are read; see `vai ingest --help`.',
    });
  }
  const now = deps.now().toISOString();
  const changed = result.added + result.changed + result.removed > 0;
  const { stats, ...record } = after;
  await store.collections.put({
    ...record,
    ...recordOf(request, record.title ?? path.split(/[/\\]/).filter(Boolean).at(-1)!),
    source: {
      ...localState('folder', path, now),
      ...(changed || !record.source ? {} : { changedAt: record.source.changedAt }),
    },
  });
  if (changed) {
    await store.versions.record({
      at: now,
      collection: alias,
      path: '',
      result: before?.stats.documents ? 'updated' : 'added',
      ...(before ? { linesBefore: before.stats.lines, headingsBefore: before.stats.headings } : {}),
      linesAfter: stats.lines,
      headingsAfter: stats.headings,
      bytes: result.bytes,
      message: `${result.added} added, ${result.changed} changed, ${result.removed} removed`,
    });
  }
  const failures = result.failures.map((failure) => `${failure.path}: ${failure.message}`);
  const counts = { totalLines: stats.lines, headings: stats.headings };
  return { counts, changed, notices: [...result.warnings, ...failures].slice(0, 20) };
}

function recordOf(request: AddRequest, title: string) {
  return {
    title: request.name ?? title,
    ...(request.description ? { description: request.description } : {}),
    ...(request.category ? { category: request.category } : {}),
    ...(request.tags?.length ? { tags: request.tags } : {}),
  };
}

function localState(kind: 'file' | 'folder', location: string, now: string): SourceState {
  return { kind, location, fetchedAt: now, changedAt: now };
}
