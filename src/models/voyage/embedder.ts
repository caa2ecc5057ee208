// The Voyage embedding models. Texts to be stored are never shortened by the provider: one that is too long is an error
// that says which, because a silently cut document cannot be found by its end.

import { VaiError } from '../../domain/errors.ts';
import type { Embedded, Embedder, EmbedOptions } from '../../ports/embedder.ts';
import type { EmbedderRequest } from '../provider.ts';
import { makeBatches } from './batches.ts';
import { newCallState, post, TooManyTokens, type CallState, type VoyageDeps } from './client.ts';
import { readEmbeddings } from './replies.ts';

const UNLISTED_BATCH_TOKENS = 120_000;

export function createVoyageEmbedder(deps: VoyageDeps, options: EmbedderRequest): Embedder {
  return {
    model: options.model,
    dimensions: options.dimensions,
    space: options.space,
    hosted: true,
    trust: 1,
    embed: (texts, embedOptions) => embedAll(deps, options, texts, embedOptions),
  };
}

async function embedAll(
  deps: VoyageDeps,
  model: EmbedderRequest,
  texts: readonly string[],
  options: EmbedOptions,
): Promise<Embedded> {
  const state = newCallState(options);
  const vectors = Array.from<Float32Array>({ length: texts.length });
  // The API refuses an empty text; it has no meaning to embed either.
  const present = texts.flatMap((text, at) => (text.trim() === '' ? [] : [at]));
  const batches = makeBatches(
    present.map((at) => texts[at]!),
    { tokens: model.info?.batchTokens ?? UNLISTED_BATCH_TOKENS, texts: model.info?.batchTexts },
  ).map((batch) => batch.map((at) => present[at]!));
  let tokens = 0;
  let done = texts.length - present.length;
  const work: Work = { deps, model, role: options.role, texts, state };
  // The first failure stops the batches that have not begun.
  const stop = new AbortController();
  const signal = options.signal ? AbortSignal.any([options.signal, stop.signal]) : stop.signal;
  state.signal = signal;
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
  for (let at = 0; at < vectors.length; at++) vectors[at] ??= new Float32Array(model.dimensions);
  return { vectors, tokens, requests: state.requests };
}

interface Work {
  deps: VoyageDeps;
  model: EmbedderRequest;
  role: EmbedOptions['role'];
  texts: readonly string[];
  state: CallState;
}

/** One request, or two halves of it when the provider counts more tokens than we did. */
async function embedBatch(work: Work, batch: number[]): Promise<{ vectors: Float32Array[]; tokens: number }> {
  const inputs = batch.map((at) => work.texts[at]!);
  try {
    const reply = await post(work.deps, ...requestOf(work.model, work.role, inputs), work.state);
    const length = storedLength(work.model);
    const { vectors, tokens } = readEmbeddings(reply, {
      count: batch.length,
      length,
      named: work.model.sendDimensions || work.model.info !== undefined,
    });
    const shape = isFloat(work.model) ? unitLength : (vector: number[]) => Float32Array.from(vector);
    return { vectors: vectors.map(shape), tokens };
  } catch (error) {
    if (!(error instanceof TooManyTokens)) throw error;
    if (batch.length === 1) throw tooLong(work.model, batch[0]!);
    const middle = Math.ceil(batch.length / 2);
    const first = await embedBatch(work, batch.slice(0, middle));
    const second = await embedBatch(work, batch.slice(middle));
    return { vectors: [...first.vectors, ...second.vectors], tokens: first.tokens + second.tokens };
  }
}

function requestOf(
  model: EmbedderRequest,
  role: EmbedOptions['role'],
  inputs: string[],
): [path: string, body: object] {
  const common = {
    model: model.model,
    input_type: role,
    ...(model.sendDimensions ? { output_dimension: model.dimensions } : {}),
    ...(isFloat(model) ? {} : { output_dtype: model.dtype }),
    truncation: role !== 'document',
  };
  return model.info?.type === 'embedding-multimodal'
    ? [
        '/multimodalembeddings',
        { inputs: inputs.map((text) => ({ content: [{ type: 'text', text }] })), ...common },
      ]
    : ['/embeddings', { input: inputs, ...common }];
}

const isFloat = (model: EmbedderRequest): boolean => (model.dtype ?? 'float') === 'float';

/** Binary vectors pack eight dimensions into one value. */
const storedLength = (model: EmbedderRequest): number =>
  model.dtype === 'binary' || model.dtype === 'ubinary' ? Math.ceil(model.dimensions / 8) : model.dimensions;

function unitLength(values: number[]): Float32Array {
  const norm = Math.hypot(...values);
  return Float32Array.from(values, (value) => (norm > 0 ? value / norm : 0));
}

function tooLong(model: EmbedderRequest, at: number): VaiError {
  return new VaiError('TOO_LARGE', `Text ${at + 1} is longer than ${model.model} reads.`, {
    hint: 'Use a smaller chunk size, or a model with a longer context (vai_models).',
    data: { text: at },
  });
}
