// Vectors for the chunks of prepared documents: kept where the text has not changed, made in full batches where it has,
// and isolated where a batch fails, so that one bad text costs one chunk.

import { toVaiError, type VaiError } from '../../domain/errors.ts';
import type { Embedder } from '../../ports/embedder.ts';
import type { ChunkWrite, Store } from '../../ports/store.ts';
import type { Prepared } from '../index/prepare.ts';
import type { IndexCalls, IndexFailure } from './types.ts';

export interface EmbedJob {
  embedder: Embedder;
  calls: IndexCalls;
  fail: (failure: IndexFailure) => void;
  signal: AbortSignal | undefined;
  onWait?: (seconds: number) => void;
  /** A refused key: no further call is made in this run. */
  stopped?: VaiError;
}

interface Text {
  text: string;
  chunk: ChunkWrite;
  path: string;
}

/** Vectors of the version that is replaced, by what was embedded. */
export async function keepVectors(store: Store, prepared: Prepared): Promise<void> {
  const { info, chunks } = prepared.write;
  const old = await store.documents.chunks(info.collection, info.path);
  if (old.length === 0) return;
  const vectors = await store.search.vectorsOf(old.map((chunk) => chunk.id));
  const known = new Map<string, Float32Array>();
  for (const chunk of old) {
    const vector = vectors.get(chunk.id);
    if (vector) known.set(embedded(chunk.title, chunk), vector);
  }
  for (const chunk of chunks) {
    const vector = known.get(embedded(info.title, chunk));
    if (vector) chunk.vector = vector;
  }
}

function embedded(title: string, chunk: { headingPath: string[]; text: string }): string {
  return JSON.stringify([title, chunk.headingPath, chunk.text]);
}

export async function embedMissing(job: EmbedJob, prepared: readonly Prepared[]): Promise<void> {
  const missing: Text[] = [];
  for (const { write, texts } of prepared)
    write.chunks.forEach((chunk, at) => {
      if (!chunk.vector) missing.push({ text: texts[at]!, chunk, path: write.info.path });
    });
  await embedOrSplit(job, missing);
}

/** Tries all texts together; a failure is narrowed down by halves. */
async function embedOrSplit(job: EmbedJob, texts: readonly Text[]): Promise<void> {
  if (texts.length === 0) return;
  try {
    if (job.stopped) throw job.stopped;
    const answer = await job.embedder.embed(
      texts.map((one) => one.text),
      {
        role: 'document',
        ...(job.signal ? { signal: job.signal } : {}),
        ...(job.onWait ? { onWait: job.onWait } : {}),
      },
    );
    job.calls.embedRequests += job.embedder.hosted ? answer.requests : 1;
    job.calls.embeddedTexts += texts.length;
    if (job.embedder.hosted) job.calls.inputTokens += answer.tokens;
    texts.forEach((one, at) => (one.chunk.vector = answer.vectors[at]!));
  } catch (thrown) {
    const error = toVaiError(thrown);
    if (error.ends === 'call') throw error;
    // A provider that is away or refuses us fails every text alike: asking again for each would only take longer.
    if (error.ends === 'run') job.stopped ??= error;
    else if (texts.length > 1) {
      const half = texts.length >> 1;
      await embedOrSplit(job, texts.slice(0, half));
      await embedOrSplit(job, texts.slice(half));
      return;
    }
    for (const { path, chunk } of texts)
      job.fail({
        path,
        startLine: chunk.startLine,
        endLine: chunk.endLine,
        stage: 'embed',
        code: error.code,
        message: error.message,
      });
  }
}
