// The engine group `models`: what models there are, and calls that need a model but no store: embed, compare, rerank.

import { VaiError } from '../domain/errors.ts';
import { nearest } from '../domain/nearest.ts';
import { cosine } from '../domain/vectors.ts';
import type { EmbeddingRole, Embedder } from '../ports/embedder.ts';
import type { AddedModel, AddModelRequest, ModelInfo, OutputType } from '../ports/models.ts';
import { requireScope, type Call } from './call.ts';
import type { EngineDeps } from './deps.ts';
import { modelsFor } from './spending.ts';

export type ModelCategory = 'embedding' | 'rerank' | 'all';

export interface ModelList {
  category: ModelCategory;
  models: ModelInfo[];
  /** What an omitted model resolves to here and now. */
  defaults: { embedding: string; rerank: string };
  /** The vendor's RTEB figures for others' models. */
  benchmarks: { model: string; rteb: number }[];
}

export interface EmbedRequest {
  text: string;
  model?: string;
  role?: EmbeddingRole;
  dimensions?: number;
  dtype?: OutputType;
}

export interface EmbedResult {
  model: string;
  /** Shortest decimals that give back the same 32-bit numbers. */
  vector: number[];
  dimensions: number;
  role: EmbeddingRole;
  tokens: number;
  warnings: string[];
}

export interface SimilarityResult {
  similarity: number;
  model: string;
  tokens: number;
  warnings: string[];
}

export interface RerankRequest {
  query: string;
  documents: readonly string[];
  model?: string;
}

export interface RerankResult {
  /** Best first. */
  results: { index: number; relevanceScore: number; document: string }[];
  /** Positions of empty documents, which were not sent. */
  skipped: number[];
  model: string;
  tokens: number;
  timeMs: number;
  warnings: string[];
}

export interface ModelTools {
  list(call: Call, request?: { category?: ModelCategory }): Promise<ModelList>;
  embed(call: Call, request: EmbedRequest): Promise<EmbedResult>;
  similarity(
    call: Call,
    request: { text1: string; text2: string; model?: string },
  ): Promise<SimilarityResult>;
  rerank(call: Call, request: RerankRequest): Promise<RerankResult>;
  /** Puts a model of the user's own on this machine, once it has been tried. */
  add(call: Call, request: AddModelRequest): Promise<AddedModel>;
  added(call: Call): Promise<AddedModel[]>;
  remove(call: Call, name: string): Promise<void>;
}

const BENCHMARKS: ModelList['benchmarks'] = [
  { model: 'Gemini Embedding 001', rteb: 68.66 },
  { model: 'Cohere Embed v4', rteb: 65.75 },
  { model: 'OpenAI v3 Large', rteb: 62.57 },
];

export function createModelTools(deps: EngineDeps): ModelTools {
  return {
    async list(call, { category = 'all' } = {}) {
      requireScope(call.principal, 'read');
      const models = [...deps.models.list(), ...(await deps.models.served())].filter(
        (model) => category === 'all' || (model.type === 'rerank') === (category === 'rerank'),
      );
      const { embedding, rerank } = deps.models.defaults();
      return {
        category,
        models,
        defaults: { embedding: deps.settings.model ?? embedding, rerank },
        benchmarks: category === 'rerank' ? [] : BENCHMARKS,
      };
    },
    embed: (call, request) => embed(deps, call, request),
    similarity: (call, request) => similarity(deps, call, request),
    rerank: (call, request) => rerank(deps, call, request),
    async add(call, request) {
      requireScope(call.principal, 'admin');
      const { progress } = call;
      return (await deps.models.added()).add(request, {
        signal: call.signal,
        ...(progress
          ? {
              onProgress: (file, done, total) =>
                progress({ done: megabytes(done), total: megabytes(total), message: `MB of ${file}` }),
            }
          : {}),
      });
    },
    async added(call) {
      requireScope(call.principal, 'admin');
      return (await deps.models.added()).list();
    },
    async remove(call, name) {
      requireScope(call.principal, 'admin');
      if (await (await deps.models.added()).remove(name)) return;
      const names = (await (await deps.models.added()).list()).map((model) => model.name);
      throw new VaiError('INVALID_INPUT', `There is no model ${name.slice(0, 100)} on this machine.`, {
        hint: '`vai models list` shows those that are.',
        suggestions: nearest(name, names),
      });
    },
  };
}

/** The model of a call that names none: what somebody configured, else what the key allows. */
function chooseEmbedder(
  deps: EngineDeps,
  call: Call,
  { model, dimensions, dtype }: Pick<EmbedRequest, 'model' | 'dimensions' | 'dtype'>,
): Promise<Embedder> {
  const chosen = model ?? deps.settings.model;
  const length = dimensions ?? (model === undefined ? deps.settings.dimensions : undefined);
  return modelsFor(deps, call.principal).embedder(chosen, length, dtype ? { dtype } : undefined);
}

async function embed(deps: EngineDeps, call: Call, request: EmbedRequest): Promise<EmbedResult> {
  requireScope(call.principal, 'read');
  requireWords(request.text, 'The text');
  const embedder = await chooseEmbedder(deps, call, request);
  const role = request.role ?? 'query';
  const answer = await embedder.embed([request.text], {
    role,
    signal: call.signal,
    ...waits(call, embedder),
  });
  const vector = answer.vectors[0]!;
  const warnings = unknownModel(deps, embedder.model);
  if (vector.every((value) => value === 0))
    warnings.push(`${embedder.model} knows none of the words in this text: the vector is zero.`);
  return {
    model: embedder.model,
    vector: Array.from(vector, shortest),
    dimensions: vector.length,
    role,
    tokens: answer.tokens,
    warnings,
  };
}

async function similarity(
  deps: EngineDeps,
  call: Call,
  request: { text1: string; text2: string; model?: string },
): Promise<SimilarityResult> {
  requireScope(call.principal, 'read');
  requireWords(request.text1, 'The first text');
  requireWords(request.text2, 'The second text');
  const embedder = await chooseEmbedder(deps, call, { model: request.model });
  const answer = await embedder.embed([request.text1, request.text2], {
    role: 'document',
    signal: call.signal,
    ...waits(call, embedder),
  });
  const [a, b] = answer.vectors as [Float32Array, Float32Array];
  return {
    similarity: similarityOf(a, b, embedder.model),
    model: embedder.model,
    tokens: answer.tokens,
    warnings: unknownModel(deps, embedder.model),
  };
}

async function rerank(deps: EngineDeps, call: Call, request: RerankRequest): Promise<RerankResult> {
  requireScope(call.principal, 'read');
  const started = performance.now();
  requireWords(request.query, 'The query');
  const kept = request.documents.flatMap((text, at) => (text.trim() === '' ? [] : [at]));
  if (kept.length === 0)
    throw new VaiError('INVALID_INPUT', 'Every document is empty.', { hint: 'Send at least one with text.' });
  const reranker = await modelsFor(deps, call.principal).reranker(request.model);
  const answer = await reranker.rerank(
    request.query,
    kept.map((at) => ({ text: request.documents[at]! })),
    { signal: call.signal },
  );
  return {
    results: answer.order.map(({ index, score }) => ({
      index: kept[index]!,
      relevanceScore: round(score),
      document: request.documents[kept[index]!]!,
    })),
    skipped: request.documents.flatMap((_, at) => (kept.includes(at) ? [] : [at])),
    model: reranker.model,
    tokens: answer.tokens,
    timeMs: Math.round(performance.now() - started),
    warnings: unknownModel(deps, reranker.model),
  };
}

const megabytes = (bytes: number): number => Math.ceil(bytes / 1_000_000);

/** A caller that watches hears when a provider asks to slow down. */
function waits(call: Call, { model }: Embedder): { onWait?: (seconds: number) => void } {
  const { progress } = call;
  return progress
    ? { onWait: (seconds) => progress({ done: 0, message: `waiting ${seconds} s for ${model}` }) }
    : {};
}

function requireWords(text: string, what: string): void {
  if (text.trim() === '') throw new VaiError('INVALID_INPUT', `${what} is empty.`);
}

/** A name the catalogue does not list is sent as it is; the caller should know that nothing was checked. */
export function unknownModel(deps: EngineDeps, model: string): string[] {
  return deps.models.traits(model).known
    ? []
    : [`vai does not know ${model}; the name was sent to the provider unchecked.`];
}

function similarityOf(a: Float32Array, b: Float32Array, model: string): number {
  if (a.length !== b.length || !a.some(Boolean) || !b.some(Boolean)) {
    throw new VaiError('INVALID_INPUT', `${model} knows no word of one of the texts to compare.`, {
      hint: 'Send texts with words in a language the model knows.',
    });
  }
  return round(Math.min(1, Math.max(-1, cosine(a, b))));
}

const round = (value: number): number => Math.round(value * 1e6) / 1e6;

/** A double prints up to 17 digits of a number that only ever had 24 bits. */
function shortest(value: number): number {
  for (let digits = 6; digits < 9; digits++) {
    const candidate = Number(value.toPrecision(digits));
    if (Math.fround(candidate) === value) return candidate;
  }
  return Number(value.toPrecision(9));
}
