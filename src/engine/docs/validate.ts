// Checks what is stored against itself: checksum, line count, heading tree, chunks against the text, the index of the
// store, and the age of the last check. Reads everything; contacts the network only if asked.

import { chunkText } from '../../domain/chunk.ts';
import { toVaiError } from '../../domain/errors.ts';
import type { DocumentInfo } from '../../domain/document.ts';
import { indexLines } from '../../domain/lines.ts';
import type { Store } from '../../ports/store.ts';
import type { Call } from '../call.ts';
import type { EngineDeps } from '../deps.ts';
import { documentsOf } from '../documents.ts';
import { sha256 } from '../text/analyse.ts';
import { headingTree } from '../text/headings.ts';
import type { CollectionView } from '../scope.ts';
import { fetcherFor } from './fetcher-for.ts';
import { lastSeen } from './remote.ts';
import type { ValidateReport } from './types.ts';
import { ageDays, STALE_DAYS } from './views.ts';

const MAX_ISSUES = 20;

export async function validateSources(
  store: Store,
  collections: readonly CollectionView[],
  now: Date,
): Promise<ValidateReport[]> {
  const health = await store.check();
  const reports: ValidateReport[] = [];
  for (const collection of collections) reports.push(await validateOne(store, collection, now));
  if (!health.ok) {
    for (const report of reports) {
      report.status = 'error';
      report.issues.push(...health.problems.slice(0, MAX_ISSUES));
    }
  }
  return reports;
}

async function validateOne(store: Store, collection: CollectionView, now: Date): Promise<ValidateReport> {
  const errors: string[] = [];
  const warnings: string[] = [];
  let checksum = true;
  let lines = 0;
  for await (const info of documentsOf(store, collection.name)) {
    const found = await checkDocument(store, info);
    checksum &&= found.checksum;
    lines += info.lines;
    const place = info.path ? `${info.path}: ` : '';
    if (errors.length < MAX_ISSUES) errors.push(...found.issues.map((issue) => place + issue));
    if (info.partial) warnings.push(`${place}some chunks have no vector yet`);
  }
  if (lines !== collection.stats.lines)
    errors.push(`the documents have ${lines} lines, the collection counts ${collection.stats.lines}`);
  const days = ageDays(collection.source?.fetchedAt ?? collection.updatedAt, now);
  if (collection.source && days >= STALE_DAYS) warnings.push(`not checked for ${days} days`);
  return {
    alias: collection.name,
    status: errors.length ? 'error' : warnings.length ? 'warning' : 'healthy',
    checksum_matches: checksum,
    days_since_update: days,
    issues: [...errors, ...warnings].slice(0, MAX_ISSUES),
  };
}

async function checkDocument(
  store: Store,
  info: DocumentInfo,
): Promise<{ checksum: boolean; issues: string[] }> {
  const issues: string[] = [];
  const text = await store.documents.text(info.collection, info.path);
  if (text === undefined) return { checksum: false, issues: ['the text is missing'] };
  const checksum = sha256(text) === info.sha256;
  if (!checksum) issues.push('the text does not match its checksum');
  const count = indexLines(text).count;
  if (count !== info.lines) issues.push(`the text has ${count} lines, ${info.lines} are recorded`);
  const headings = (await store.documents.headings(info.collection, info.path)) ?? [];
  // A text without headings has windows of lines in their place, which nobody counts as headings.
  const expected = info.headings > 0 ? info.headings : headingTree(text, 'plain').length;
  if (headings.length !== expected)
    issues.push(`the outline has ${headings.length} entries instead of ${expected}`);
  // Headings of other formats are not found in the text again.
  if (info.rawSha256 === undefined && checksum && headingTree(text, 'markdown').length !== headings.length)
    issues.push('the outline does not match the text');
  const chunks = await store.documents.chunks(info.collection, info.path);
  if (chunks.length !== info.chunks)
    issues.push(`the index has ${chunks.length} chunks, ${info.chunks} are recorded`);
  if (chunks.some((chunk) => chunk.text !== chunkText(text, chunk)))
    issues.push('the index does not match the text');
  return { checksum, issues };
}

/** Adds to each report whether its address still answers and says the same. */
export async function checkOnline(
  deps: EngineDeps,
  store: Store,
  call: Call,
  { collections, reports }: { collections: readonly CollectionView[]; reports: readonly ValidateReport[] },
): Promise<void> {
  for (const [at, collection] of collections.entries()) {
    const { source } = collection;
    const report = reports[at]!;
    if (!source || source.kind === 'file' || source.kind === 'folder') continue;
    const warn = (issue: string): void => {
      report.issues.push(issue);
      if (report.status === 'healthy') report.status = 'warning';
    };
    try {
      const { location, kind, sha256, variant } = source;
      const { url, etag, lastModified } = source;
      const { signal } = call;
      const stamps = { ...(etag ? { etag } : {}), ...(lastModified ? { lastModified } : {}) };
      const fetched =
        kind === 'url'
          ? await fetcherFor(deps, call).fetch(location, {
              signal,
              previous: {
                ...stamps,
                ...(url ? { url } : {}),
                ...(variant ? { variant } : {}),
                ...(sha256 ? { sha256 } : {}),
              },
            })
          : await fetcherFor(deps, call).fetchFolder(location, {
              signal,
              previous: await lastSeen(store, collection),
            });
      if ('remove' in fetched) await fetched.remove();
      if (fetched.changed) warn('the text at its address has changed; run an update');
    } catch (thrown) {
      warn(toVaiError(thrown).message);
    }
  }
}
