// A collection as the blz toolset shows it. Every listing, resource and message takes its counts from here, so they agree.

import type { SourceState } from '../../domain/collection.ts';
import { docsVersionOf } from '../project/docs-version.ts';
import type { CollectionView } from '../scope.ts';
import { incomplete } from './freshness.ts';
import type { AddResult, Counts, InstalledSource, SourceDetails } from './types.ts';

export const STALE_DAYS = 30;
const DAY = 86_400_000;

export function ageDays(since: string, now: Date): number {
  return Math.max(0, Math.floor((now.getTime() - Date.parse(since)) / DAY));
}

/** Only what has an origin can be behind it. */
export function isStale(collection: CollectionView, now: Date): boolean {
  return collection.source !== undefined && ageDays(collection.source.fetchedAt, now) >= STALE_DAYS;
}

export function urlOf(collection: CollectionView): string | null {
  const { source } = collection;
  return source && !isLocal(source) ? (source.url ?? source.location) : null;
}

function isLocal({ kind }: SourceState): boolean {
  return kind === 'file' || kind === 'folder';
}

/** The registry entry a source was added from; empty where there is none. */
export function registryIdOf(collection: CollectionView): string {
  const id = collection.extra?.registryId;
  return typeof id === 'string' ? id : '';
}

/** `shown`: a file or folder as the caller may see it. */
export function installedSource(
  collection: CollectionView,
  now: Date,
  shown: (path: string) => string,
): InstalledSource {
  const { source, stats } = collection;
  const version = docsVersionOf(collection);
  return {
    alias: collection.name,
    title: collection.title ?? collection.name,
    url: urlOf(collection),
    kind: 'installed',
    ...(version ? { docsVersion: version } : {}),
    fetchedAt: source?.fetchedAt ?? collection.updatedAt,
    metadata: { totalLines: stats.lines, headings: stats.headings },
    stale: isStale(collection, now),
    ...(source ? { changedAt: source.changedAt } : {}),
    ...incomplete(collection),
    ...(collection.category ? { category: collection.category } : {}),
    ...(collection.description ? { description: collection.description } : {}),
    ...(collection.tags?.length ? { tags: collection.tags } : {}),
    ...(source && isLocal(source) ? { location: shown(source.location) } : {}),
  };
}

export function sourceDetails(
  collection: CollectionView,
  now: Date,
  shown: (path: string) => string,
): SourceDetails {
  const { source, stats, extra } = collection;
  const notices = Array.isArray(extra?.diagnostics) ? extra.diagnostics.map(String) : [];
  return {
    ...installedSource(collection, now, shown),
    lastUpdated: source?.changedAt ?? collection.updatedAt,
    documents: stats.documents,
    chunks: stats.chunks,
    vectors: stats.vectors,
    bytes: stats.bytes,
    ...(source?.variant ? { variant: source.variant } : {}),
    ...(source?.etag ? { etag: source.etag } : {}),
    ...(source?.lastModified ? { lastModified: source.lastModified } : {}),
    ...(source?.sha256 ? { sha256: source.sha256 } : {}),
    diagnostics: notices,
  };
}

/** `failed`: pages or files that could not be read. `started`: by the clock of `performance`. */
export function addResult(
  source: { alias: string; url: string | null; started: number },
  { counts, failed = 0, notices }: { counts: Counts; failed?: number; notices: string[] },
): AddResult {
  const { alias, url, started } = source;
  const ms = Math.round(performance.now() - started);
  // A locale is slow to load.
  const number = (value: number): string => (value < 1000 ? String(value) : value.toLocaleString('en-US'));
  const partly = failed > 0 ? `, partly: ${number(failed)} of its documents could not be read` : '';
  return {
    alias,
    url,
    message: `Added ${alias} (${number(counts.headings)} headings, ${number(counts.totalLines)} lines) in ${ms}ms${partly}`,
    metadata: counts,
    ...(notices.length ? { notices } : {}),
  };
}
