// The one way into the store: vectors kept, entities found, the rest embedded in full batches, then one transaction per
// document. All network work comes before the transaction.

import { throwIfAborted, toVaiError } from '../../domain/errors.ts';
import { setImmediate } from 'node:timers/promises';
import type { Replaced, Store } from '../../ports/store.ts';
import type { Call } from '../call.ts';
import { embedMissing, keepVectors, type Embedding } from './embed.ts';
import { movedStatements } from '../graph/statements.ts';
import type { Prepared } from './prepare.ts';
import { noCalls } from './report.ts';
import type { Annotator, IndexCalls, IndexedDocument, IndexFailure } from './types.ts';

/** Written before other tasks get a turn: about 30 ms of work. */
const SLICE_CHARACTERS = 250_000;

export interface Writing {
  store: Store;
  call: Call;
  /** None when the collection is searched by words alone. */
  embedding?: Embedding;
  annotator?: Annotator;
  calls: IndexCalls;
  /** A part of a document that failed; the document is stored without it and marked as partial. */
  fail: (failure: IndexFailure) => void;
}

/** One document alone: what cannot be stored is the caller's error. */
export async function writeDocument(
  job: Pick<Writing, 'store' | 'call' | 'embedding'>,
  document: Prepared,
  fail: Writing['fail'] = () => undefined,
): Promise<IndexedDocument> {
  const [written] = await writeDocuments({ ...job, calls: noCalls(), fail }, [document]);
  if (written instanceof Error) throw written;
  return written!;
}

/** Several documents together, so that a hosted model sees full batches; each is written whole or not at all. */
export async function writeDocuments(
  job: Writing,
  documents: readonly Prepared[],
): Promise<(IndexedDocument | Error)[]> {
  const { store, embedding, annotator, call } = job;
  const partial = new Set<string>();
  const fail = (failure: IndexFailure): void => {
    partial.add(failure.path);
    job.fail(failure);
  };
  for (const document of documents) {
    throwIfAborted(call.signal);
    if (embedding && document.input.replaces) await keepVectors(store, document, embedding.embedder);
  }
  await annotator?.annotate(documents, { calls: job.calls, fail });
  for (const { input, write } of documents) if (input.replaces) await movedStatements(store, write);
  if (embedding) await embedMissing(embedding, documents, fail);
  throwIfAborted(call.signal);
  for (const { write } of documents) finish(write.info, partial.has(write.info.path), job);
  const settled: PromiseSettledResult<Replaced>[] = [];
  for (const slice of slices(documents)) {
    // Handed in together, so that a store may share the cost of a commit; and then others have their turn.
    settled.push(...(await Promise.allSettled(slice.map(({ write }) => store.documents.replace(write)))));
    await setImmediate();
  }
  return settled.map((outcome, at) => {
    if (outcome.status === 'rejected') return toVaiError(outcome.reason);
    const { info, chunks } = documents[at]!.write;
    return {
      chunks: chunks.length,
      ...outcome.value,
      partial: info.partial === true,
    };
  });
}

function* slices(documents: readonly Prepared[]): Generator<readonly Prepared[]> {
  let from = 0;
  let characters = 0;
  for (const [at, { write }] of documents.entries()) {
    characters += write.text.length;
    if (characters < SLICE_CHARACTERS) continue;
    yield documents.slice(from, at + 1);
    from = at + 1;
    characters = 0;
  }
  if (from < documents.length) yield documents.slice(from);
}

function finish(
  info: Prepared['write']['info'],
  partial: boolean,
  { embedding, annotator }: Pick<Writing, 'embedding' | 'annotator'>,
): void {
  if (partial) info.partial = true;
  info.indexedWith = {
    ...info.indexedWith!,
    ...(embedding ? { model: embedding.stamp } : {}),
    ...(annotator ? { graph: annotator.stamp } : {}),
  };
}
