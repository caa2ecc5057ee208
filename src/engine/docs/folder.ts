// A source that is a folder of documents, through the one index pipeline: new and changed files are stored, renamed ones
// moved, files that are gone removed, and what happened is recorded. A folder of this machine, or one just fetched.

import type { Collection, SourceState } from '../../domain/collection.ts';
import { VaiError } from '../../domain/errors.ts';
import type { Store } from '../../ports/store.ts';
import type { Call } from '../call.ts';
import type { EngineDeps } from '../deps.ts';
import type { RunLock } from '../index/lock.ts';
import { hasChanged, sourceAfter } from '../index/report.ts';
import { indexFiles, type RunOptions } from '../index/run.ts';
import type { CollectionView } from '../scope.ts';
import type { Counts } from './types.ts';

export interface FolderText {
  counts: Counts;
  changed: boolean;
  /** Files that could not be read or stored. */
  failed: number;
  notices: string[];
}

export interface FolderRequest {
  alias: string;
  folder: string;
  force?: boolean;
  lock: RunLock;
  before: CollectionView | undefined;
  source: Pick<SourceState, 'kind' | 'location'> & Partial<SourceState>;
  record: (collection: Collection) => Partial<Collection>;
  run?: Pick<RunOptions, 'keep' | 'origin'>;
}

export async function indexFolder(
  deps: EngineDeps,
  store: Store,
  call: Call,
  request: FolderRequest,
): Promise<FolderText> {
  const { alias, folder, force, lock, before, source } = request;
  const at = deps.now().toISOString();
  const report = await indexFiles(
    deps,
    call,
    { paths: [folder], collection: alias, sync: true, force },
    {
      ...request.run,
      owned: true,
      lock,
      complete: async (run, { collection }) => ({
        ...request.record(collection),
        source: { ...source, ...sourceAfter(run, source, { at, before: before?.source }) },
      }),
    },
  );
  // The one text of an address that the folder takes the place of.
  await store.documents.remove(alias, '');
  const stats = (await store.collections.get(alias))?.stats;
  if (!stats?.documents) {
    if (!before) await store.collections.remove(alias);
    throw new VaiError('DOCS_EMPTY', 'The folder contains no readable file.', {
      hint: 'vai reads Markdown, text, HTML, PDF, Word and other formats; `vai ingest --help` lists them.',
    });
  }
  const changed = hasChanged(report);
  if (changed) {
    const { added, changed: edited, renamed, deleted, bytes } = report.run;
    await store.versions.record({
      at,
      collection: alias,
      path: '',
      result: before?.stats.documents ? 'updated' : 'added',
      ...(before ? { linesBefore: before.stats.lines, headingsBefore: before.stats.headings } : {}),
      linesAfter: stats.lines,
      headingsAfter: stats.headings,
      bytes,
      message: `${added} added, ${edited} changed, ${renamed} renamed, ${deleted} removed`,
    });
  }
  const failures = report.failures.map((failure) => `${failure.path}: ${failure.message}`);
  const counts = { totalLines: stats.lines, headings: stats.headings };
  const { failed } = report.run;
  return { counts, changed, failed, notices: [...report.warnings, ...failures].slice(0, 20) };
}
