// Embedding many texts over a provider's requests: empty ones are left out, the rest go in batches, a batch that the
// provider finds too large is halved, the first failure stops what has not begun, and every vector is checked.

import { VaiError } from '../../domain/errors.ts';
import { estimateTokens } from '../../domain/tokens.ts';
import type { Embedder, EmbedOptions } from '../../ports/embedder.ts';
import type { EmbedderRequest } from '../provider.ts';
import { makeBatches, type BatchLimits } from './batches.ts';
import { TooLarge } from './http.ts';
import { newCallState, type CallState } from './retry.ts';
import { checkedVector, requireCount, unitVector } from './vectors.ts';

export interface EmbeddingService {
  /** As messages name it. */
  name: string;
  limits: BatchLimits;
  /** One vector per text, in order; tokens 0 where the provider does not say. */
  send(
    texts: string[],
    role: EmbedOptions['role'],
    state: CallState,
  ): Promise<{ vectors: unknown[]; tokens: number }>;
  /** Length of what the provider sends, where it is not the number of dimensions. */
  length?: number;
  /** Keeps the provider's own numbers instead of scaling them to unit length. */
  raw?: boolean;
}

export async function createServiceEmbedder(
  service: EmbeddingService,
  { model, hosted, trust, dimensions }: EmbedderRequest,
): Promise<Embedder> {
  const length = dimensions ?? (await measure(service));
  return {
    model,
    dimensions: length,
    hosted,
    trust,
    async embed(texts, options) {
      const stop = new AbortController();
      const signal = options.signal ? AbortSignal.any([options.signal, stop.signal]) : stop.signal;
      const state = newCallState({ signal, onWait: options.onWait });
      const work: Work = { service, texts, role: options.role, state, length, model };
      const vectors = Array.from<Float32Array>({ length: texts.length });
      const present = texts.flatMap((text, at) => (text.trim() === '' ? [] : [at]));
      let tokens = 0;
      let done = texts.length - present.length;
      const batches = makeBatches(present, (at) => estimateTokens(texts[at]!), service.limits);
      await Promise.all(
        batches.map(async (batch) => {
          try {
            const answer = await embedBatch(work, batch);
            answer.vectors.forEach((vector, at) => (vectors[batch[at]!] = vector));
            tokens += answer.tokens;
            done += batch.length;
            options.onProgress?.(done);
          } catch (error) {
            stop.abort(error);
            throw error;
          }
        }),
      );
      for (let at = 0; at < vectors.length; at++) vectors[at] ??= new Float32Array(length);
      return { vectors, tokens, requests: state.requests };
    },
  };
}

interface Work {
  service: EmbeddingService;
  texts: readonly string[];
  role: EmbedOptions['role'];
  state: CallState;
  length: number;
  model: string;
}

async function embedBatch(work: Work, batch: number[]): Promise<{ vectors: Float32Array[]; tokens: number }> {
  const { service, role, state } = work;
  const texts = batch.map((at) => work.texts[at]!);
  try {
    const answer = await service.send(texts, role, state);
    requireCount(answer.vectors.length, batch.length, service.name);
    const length = service.length ?? work.length;
    return {
      vectors: answer.vectors.map((values) =>
        service.raw
          ? Float32Array.from(checkedVector(values, length, service.name))
          : unitVector(values, length, service.name),
      ),
      tokens: answer.tokens || texts.reduce((sum, text) => sum + estimateTokens(text), 0),
    };
  } catch (error) {
    if (!(error instanceof TooLarge)) throw error;
    if (batch.length === 1) throw tooLong(work.model, batch[0]!);
    const middle = Math.ceil(batch.length / 2);
    const first = await embedBatch(work, batch.slice(0, middle));
    const second = await embedBatch(work, batch.slice(middle));
    return { vectors: [...first.vectors, ...second.vectors], tokens: first.tokens + second.tokens };
  }
}

/** A model that no catalogue lists says by itself how long its vectors are. */
async function measure(service: EmbeddingService): Promise<number> {
  const { vectors } = await service.send(['length'], 'query', newCallState({}));
  const [vector] = vectors;
  return checkedVector(vector, Array.isArray(vector) ? vector.length : 0, service.name).length;
}

function tooLong(model: string, at: number): VaiError {
  return new VaiError('TOO_LARGE', `Text ${at + 1} is longer than ${model} reads.`, {
    hint: 'Use a smaller chunk size, or a model with a longer context (vai_models).',
    data: { text: at },
  });
}
