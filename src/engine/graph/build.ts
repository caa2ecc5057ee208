// The typed graph of a collection that is there already: its texts are read again, and what they state is written anew.
// Chunks and vectors stay as they are.

import { throwIfAborted, toVaiError } from '../../domain/errors.ts';
import type { DocumentInfo } from '../../domain/document.ts';
import { isCode } from '../../domain/symbols.ts';
import type { Store } from '../../ports/store.ts';
import { requireScope, type Call } from '../call.ts';
import type { EngineDeps } from '../deps.ts';
import { allDocuments } from '../documents.ts';
import { modelsFor } from '../spending.ts';
import type { Extractor } from '../../ports/extractor.ts';
import { withRunLock, type RunLock } from '../index/lock.ts';
import { addFailure, emptyReport } from '../index/report.ts';
import { NO_MODEL } from '../index/target.ts';
import type { IndexFailure, IndexReport } from '../index/types.ts';
import { findCollection, openDatabase, visibleCollections } from '../scope.ts';
import { annotate, type AnnotatedChunk, type AnnotateJob } from './annotate.ts';
import { nameAll } from './naming.ts';
import { relateCode } from './code/relate.ts';
import { keptStatements } from './statements.ts';
import { learnsNames, relate } from './relate.ts';
import { DEFAULT_MAX_COST, type GraphSettings } from '../../domain/graph-settings.ts';

export async function buildGraph(
  deps: EngineDeps,
  settings: GraphSettings,
  call: Call,
  request: { collection: string; db?: string },
): Promise<IndexReport> {
  const started = performance.now();
  requireScope(call.principal, 'write');
  const store = await openDatabase(deps, call, request.db);
  const view = findCollection(await visibleCollections(store, call), request.collection);
  return withRunLock(store, view.name, async (lock) => {
    const model = view.embedding?.model ?? NO_MODEL;
    const report = emptyReport({ database: store.database, collection: view.name, model });
    const extractor = await modelsFor(deps, call.principal).extractor(
      settings.extractor.provider,
      settings.extractor.model,
    );
    const fail = (failure: IndexFailure) => addFailure(report, failure);
    const job = { store, collection: view.name, call, fail, force: true };
    if (learnsNames(extractor)) {
      await relate({ ...job, extractor, schema: settings.schema });
      report.run.changed = view.stats.documents;
    } else await readAll(store, view.name, { settings, extractor, call, report, lock });
    await relateCode({ ...job, worker: deps.worker }, await allDocuments(store, view.name));
    const { warnings } = report;
    await nameAll(store, { collection: view.name, warnings }, { signal: call.signal });
    const { documents, chunks, vectors } = view.stats;
    const { entities, relations } = await store.graph.counts([view.name]);
    report.totals = { documents, chunks, vectors, entities, relations };
    report.durationMs = Math.round(performance.now() - started);
    return report;
  });
}

interface Reading {
  settings: GraphSettings;
  extractor: Extractor;
  call: Call;
  report: IndexReport;
  lock: RunLock;
}

/** Every document by itself, chunk by chunk. */
async function readAll(
  store: Store,
  collection: string,
  { settings, extractor, call, report, lock }: Reading,
): Promise<void> {
  const job: AnnotateJob = {
    extractor,
    schema: settings.schema,
    cache: store.cache,
    calls: report.calls,
    fail: (failure) => addFailure(report, failure),
    maxCost: settings.extractor.maxCost ?? DEFAULT_MAX_COST,
    signal: call.signal,
    spent: 0,
  };
  const documents = (await allDocuments(store, collection)).filter(({ path }) => !isCode(path));
  for (const [at, info] of documents.entries()) {
    throwIfAborted(call.signal);
    await rebuild(store, job, info, report);
    call.progress?.({ done: at + 1, total: documents.length, message: info.path });
    lock.info = `${at + 1} of ${documents.length} documents`;
  }
}

async function rebuild(
  store: Store,
  job: AnnotateJob,
  info: DocumentInfo,
  report: IndexReport,
): Promise<void> {
  const { collection, path } = info;
  const text = await store.documents.text(collection, path);
  if (text === undefined) return;
  const chunks = await store.documents.chunks(collection, path);
  const writes = chunks.map(({ startLine, endLine, headingPath, text }): AnnotatedChunk => ({
    startLine,
    endLine,
    headingPath,
    text,
  }));
  try {
    const whole = await annotate(job, { info, text, chunks: writes });
    await keptStatements(store, chunks, writes);
    await store.graph.annotate(collection, path, writes);
    report.run.changed += 1;
    if (!whole) report.run.partial += 1;
  } catch (thrown) {
    const error = toVaiError(thrown);
    if (error.ends !== 'item') throw error;
    report.run.failed += 1;
    addFailure(report, {
      path: info.path,
      startLine: 1,
      endLine: info.lines,
      stage: 'extract',
      code: error.code,
      message: error.message,
    });
  }
}
