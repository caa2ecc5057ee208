// Some documents on their way into the store: cut, read for entities, embedded together, then written one transaction
// each. All waiting is done before anything is written.

import type { Collection } from '../../domain/collection.ts';
import type { DocumentInfo } from '../../domain/document.ts';
import { throwIfAborted, toVaiError } from '../../domain/errors.ts';
import type { Embedder } from '../../ports/embedder.ts';
import type { Extractor } from '../../ports/extractor.ts';
import type { Store } from '../../ports/store.ts';
import type { Call } from '../call.ts';
import type { EngineDeps } from '../deps.ts';
import { prepareDocument, type Prepared } from '../index/prepare.ts';
import type { DocumentInput } from '../index/types.ts';
import { annotate, type AnnotateJob } from './annotate.ts';
import { embedMissing, keepVectors, type EmbedJob } from './embed.ts';
import { DEFAULT_MAX_COST, type GraphSettings } from './settings.ts';
import { addFailure } from './report.ts';
import type { IndexFailure, IndexReport } from './types.ts';

/** Metadata field that says what a document's graph and vectors were made with. */
export const STAMP = '_graph';

export interface Run {
  deps: EngineDeps;
  settings: GraphSettings;
  store: Store;
  call: Call;
  collection: Collection;
  embedder: Embedder;
  extractor: Extractor;
  fingerprint: string;
  /** Files that exist and could not be read: never taken for deleted. */
  unreadable: Set<string>;
  report: IndexReport;
  /** Files gone through, for progress that never goes backwards. */
  done: number;
  annotating?: AnnotateJob;
  embedding?: EmbedJob;
}

export function stampOf(
  info: Pick<DocumentInfo, 'metadata'>,
): { fingerprint: string; extractor: string } | undefined {
  const stamp = info.metadata[STAMP];
  if (typeof stamp !== 'string') return undefined;
  const space = stamp.indexOf(' ');
  return { fingerprint: stamp.slice(0, space), extractor: stamp.slice(space + 1) };
}

export async function writeGroup(run: Run, inputs: readonly DocumentInput[]): Promise<void> {
  const partial = new Set<string>();
  const fail = (failure: IndexFailure) => {
    partial.add(failure.path);
    addFailure(run.report, failure);
  };
  const prepared: Prepared[] = [];
  for (const input of inputs) {
    throwIfAborted(run.call.signal);
    const document = prepareOne(run, input, fail);
    if (!document) continue;
    await keepVectors(run.store, document);
    await annotate(annotateJob(run, fail), document.write);
    prepared.push(document);
  }
  await embedMissing(embedJob(run, fail), prepared);
  throwIfAborted(run.call.signal);
  const outcomes = await Promise.all(
    prepared.map(async ({ write }) => {
      if (partial.has(write.info.path)) write.info.partial = true;
      return { partial: write.info.partial === true, ...(await run.store.documents.replace(write)) };
    }),
  );
  for (const outcome of outcomes) {
    run.report.run[outcome.replaced ? 'changed' : 'added'] += 1;
    if (outcome.partial) run.report.run.partial += 1;
  }
}

function prepareOne(
  run: Run,
  input: DocumentInput,
  fail: (failure: IndexFailure) => void,
): Prepared | undefined {
  try {
    return prepareDocument(withFields(run, input));
  } catch (thrown) {
    const error = toVaiError(thrown);
    run.unreadable.add(input.path);
    run.report.run.failed += 1;
    fail({
      path: input.path,
      startLine: 1,
      endLine: 1,
      stage: 'read',
      code: error.code,
      message: error.message,
    });
    return undefined;
  }
}

/** Front matter named by `documentFields` is held to its definition: enums ignore case, else the default, else nothing. */
function withFields(run: Run, input: DocumentInput): DocumentInput {
  const metadata = { ...input.read.metadata };
  for (const [name, field] of Object.entries(run.settings.schema.documentFields)) {
    const said = metadata[name];
    const text = typeof said === 'string' ? said.trim() : undefined;
    const valid =
      field.type === 'enum'
        ? field.values?.find((value) => value.toLowerCase() === text?.toLowerCase())
        : text;
    const kept = valid ?? field.default;
    if (kept === undefined) delete metadata[name];
    else metadata[name] = kept;
  }
  return { ...input, read: { ...input.read, metadata } };
}

/** One job per run, so that a refused key or a spent budget is remembered over groups. */
function annotateJob(run: Run, fail: (failure: IndexFailure) => void): AnnotateJob {
  run.annotating ??= {
    extractor: run.extractor,
    schema: run.settings.schema,
    cache: run.store.cache,
    calls: run.report.calls,
    fail,
    maxCost: run.settings.extractor.maxCost ?? DEFAULT_MAX_COST,
    signal: run.call.signal,
    spent: 0,
  };
  run.annotating.fail = fail;
  return run.annotating;
}

function embedJob(run: Run, fail: (failure: IndexFailure) => void): EmbedJob {
  run.embedding ??= {
    embedder: run.embedder,
    calls: run.report.calls,
    fail,
    signal: run.call.signal,
    onWait: (seconds) =>
      run.call.progress?.({ done: run.done, message: `waiting ${seconds} s for ${run.embedder.model}` }),
  };
  run.embedding.fail = fail;
  return run.embedding;
}
