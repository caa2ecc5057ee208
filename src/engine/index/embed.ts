// Vectors for the chunks of prepared documents: kept where the text has not changed, made in full batches where it has,
// and isolated where a batch fails, so that one bad text costs one chunk.

import { setImmediate } from 'node:timers/promises';
import { throwIfAborted, toVaiError, VaiError } from '../../domain/errors.ts';
import type { Embedder } from '../../ports/embedder.ts';
import type { ChunkWrite, Store } from '../../ports/store.ts';
import type { Call } from '../call.ts';
import type { Prepared } from './prepare.ts';
import { noCalls } from './report.ts';
import { modelStamp, type Target } from './target.ts';
import type { IndexCalls, IndexFailure } from './types.ts';

export interface Embedding {
  embedder: Embedder;
  /** Recorded with every document whose vectors are made. */
  stamp: string;
  calls: IndexCalls;
  /** Keep a text without the vectors that cannot be made; without it every failure is thrown. */
  tolerant: boolean;
  signal: AbortSignal | undefined;
  onWait: (seconds: number) => void;
  /** Tokens of everything embedded so far, by the model's own count. */
  tokens: number;
  /** The provider is unavailable: no further call is made in this run. */
  away?: VaiError;
}

/** A model in this process blocks the event loop, so it yields after this many texts. */
const TURN_TEXTS = 256;

interface Text {
  text: string;
  chunk: ChunkWrite;
  path: string;
}

/** None where the collection is searched by words alone. */
export function embeddingFor(
  { embedder, collection }: Target,
  call: Call,
  options: { tolerant: boolean; calls?: IndexCalls; tell: (message: string) => void },
): Embedding | undefined {
  if (!embedder) return undefined;
  return {
    embedder,
    stamp: modelStamp(collection.embedding!),
    calls: options.calls ?? noCalls(),
    tolerant: options.tolerant,
    signal: call.signal,
    onWait: (seconds) => options.tell(`waiting ${seconds} s for ${embedder.model}`),
    tokens: 0,
  };
}

/** Vectors of the version that is replaced, by what was embedded. */
export async function keepVectors(store: Store, { write }: Prepared, embedder: Embedder): Promise<void> {
  const { info, chunks } = write;
  const old = await store.documents.chunks(info.collection, info.path);
  if (old.length === 0) return;
  const vectors = await store.search.vectorsOf(old.map((chunk) => chunk.id));
  const known = new Map<string, Float32Array>();
  for (const chunk of old) {
    const vector = vectors.get(chunk.id);
    if (vector?.length === embedder.dimensions) known.set(embedded(chunk.title, chunk), vector);
  }
  for (const chunk of chunks) {
    const vector = known.get(embedded(info.title, chunk));
    if (vector) chunk.vector = vector;
  }
}

function embedded(title: string, chunk: { headingPath: string[]; text: string }): string {
  return JSON.stringify([title, chunk.headingPath, chunk.text]);
}

export async function embedMissing(
  job: Embedding,
  prepared: readonly Prepared[],
  fail: (failure: IndexFailure) => void,
): Promise<void> {
  const missing: Text[] = [];
  for (const { write, texts } of prepared)
    write.chunks.forEach((chunk, at) => {
      if (!chunk.vector) missing.push({ text: texts[at]!, chunk, path: write.info.path });
    });
  const together = job.embedder.hosted ? missing.length : TURN_TEXTS;
  for (let at = 0; at < missing.length; at += together) {
    if (at > 0) await setImmediate();
    await embedOrSplit(job, missing.slice(at, at + together), fail);
  }
}

/** Tries all texts together; a failure is narrowed down by halves. */
async function embedOrSplit(
  job: Embedding,
  texts: readonly Text[],
  fail: (failure: IndexFailure) => void,
): Promise<void> {
  try {
    throwIfAborted(job.signal);
    if (job.away) throw job.away;
    await embed(job, texts);
  } catch (thrown) {
    const error = toVaiError(thrown);
    const away = error.ends === 'run' && error.retryable;
    if (!job.tolerant || (error.ends !== 'item' && !away)) throw error;
    if (away) job.away ??= error;
    else if (texts.length > 1) {
      const half = texts.length >> 1;
      await embedOrSplit(job, texts.slice(0, half), fail);
      await embedOrSplit(job, texts.slice(half), fail);
      return;
    }
    const { code, message } = error;
    for (const { path, chunk } of texts)
      fail({ path, startLine: chunk.startLine, endLine: chunk.endLine, stage: 'embed', code, message });
  }
}

async function embed(job: Embedding, texts: readonly Text[]): Promise<void> {
  const { embedder, calls, signal, onWait } = job;
  const { vectors, tokens, requests } = await embedder.embed(
    texts.map((one) => one.text),
    { role: 'document', onWait, signal },
  );
  requireVectors(embedder, texts.length, vectors);
  job.tokens += tokens;
  calls.embedRequests += requests;
  calls.embeddedTexts += texts.length;
  if (embedder.hosted) calls.inputTokens += tokens;
  texts.forEach((one, at) => (one.chunk.vector = vectors[at]!));
}

/** A provider that answers with fewer or misshapen vectors must not leave a half-embedded document. */
function requireVectors(embedder: Embedder, count: number, vectors: readonly Float32Array[]): void {
  if (vectors.length === count && vectors.every((vector) => vector.length === embedder.dimensions)) return;
  throw new VaiError(
    'PROVIDER_BAD_ANSWER',
    `${embedder.model} answered with vectors that do not match what was sent.`,
    { hint: 'Nothing was written. Try again; if it repeats, check the provider.' },
  );
}
