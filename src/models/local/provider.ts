// Embeddings on this machine through `@huggingface/transformers`, an optional peer. The model is downloaded once, on
// first use; E5 models want their prefixes and read 512 tokens.

import { homedir } from 'node:os';
import { join } from 'node:path';
import { VaiError } from '../../domain/errors.ts';
import { estimateTokens } from '../../domain/tokens.ts';
import type { Embedder } from '../../ports/embedder.ts';
import { requireCount, unitVector } from '../extraction/vectors.ts';
import type { EmbedderRequest, Provider, ProviderDeps } from '../provider.ts';

export const LOCAL_PACKAGE = '@huggingface/transformers';
const BATCH = 32;
const PRECISION = 'q8';

/** The part of the package that is used. */
export interface TransformersModule {
  env: { cacheDir?: string; allowRemoteModels?: boolean };
  pipeline(
    task: 'feature-extraction',
    model: string,
    options: { dtype: string; progress_callback?: (event: DownloadEvent) => void },
  ): Promise<Extract>;
}

export interface DownloadEvent {
  status: string;
  file?: string;
  progress?: number;
}

type Extract = (
  texts: string[],
  options: { pooling: 'mean'; normalize: boolean },
) => Promise<{ dims: number[]; data: ArrayLike<number> }>;

export interface LocalHooks {
  load?: () => Promise<TransformersModule>;
  /** Told how the download goes, in sentences for a person. */
  notify?: (message: string) => void;
}

export function createProvider(given: ProviderDeps, hooks: LocalHooks = {}): Provider {
  const name: string = LOCAL_PACKAGE;
  const load = hooks.load ?? (async () => (await import(name)) as TransformersModule);
  const notify = hooks.notify ?? given.notify;
  return {
    embedder: (request) =>
      createLocalEmbedder({ env: given.env, load, ...(notify ? { notify } : {}) }, request),
  };
}

interface LocalDeps {
  env: Record<string, string | undefined>;
  load: () => Promise<TransformersModule>;
  notify?: (message: string) => void;
}

function createLocalEmbedder(deps: LocalDeps, request: EmbedderRequest): Embedder {
  const { model, dimensions } = request;
  let ready: Promise<Extract> | undefined;
  const open = () =>
    (ready ??= openModel(deps, model).catch((error: unknown) => {
      ready = undefined;
      throw error;
    }));
  return {
    model,
    dimensions,
    // The precision changes the numbers, so it is part of the space.
    space: `${request.space}@${PRECISION}`,
    hosted: false,
    trust: 0.6,
    async embed(texts, options) {
      const extract = await open();
      const prefix = /\be5\b|e5-/i.test(model) ? (options.role === 'query' ? 'query: ' : 'passage: ') : '';
      const vectors: Float32Array[] = [];
      for (let at = 0; at < texts.length; at += BATCH) {
        options.signal?.throwIfAborted();
        const batch = texts.slice(at, at + BATCH).map((text) => prefix + text);
        const { dims, data } = await extract(batch, { pooling: 'mean', normalize: true });
        requireCount(dims[0] ?? 0, batch.length, model);
        const length = dims[1] ?? 0;
        for (let row = 0; row < batch.length; row++)
          vectors.push(
            unitVector(
              Array.from({ length }, (_, column) => data[row * length + column]!),
              dimensions,
              model,
            ),
          );
        options.onProgress?.(vectors.length);
      }
      return { vectors, tokens: texts.reduce((sum, text) => sum + estimateTokens(text), 0), requests: 0 };
    },
  };
}

async function openModel(deps: LocalDeps, model: string): Promise<Extract> {
  let module: TransformersModule;
  try {
    module = await deps.load();
  } catch (cause) {
    throw new VaiError('CONFIG_MISSING', `The provider local needs the package ${LOCAL_PACKAGE}.`, {
      hint: `Install it beside vai: npm install ${LOCAL_PACKAGE} (set ONNXRUNTIME_NODE_INSTALL=skip where its download is impossible), or use the builtin embedder.`,
      cause,
    });
  }
  module.env.cacheDir =
    deps.env['HF_HOME'] ?? join(deps.env['VAI_HOME'] ?? join(homedir(), '.vai'), 'models');
  if (deps.env['HF_HUB_OFFLINE'] === '1') module.env.allowRemoteModels = false;
  let file = '';
  try {
    return await module.pipeline('feature-extraction', model, {
      dtype: PRECISION,
      progress_callback: (event) => {
        if (event.file) file = event.file;
        if (event.status === 'progress' && event.file)
          deps.notify?.(`${model}: ${event.file} ${Math.round(event.progress ?? 0)} %`);
      },
    });
  } catch (cause) {
    const missing =
      file ||
      (cause instanceof Error
        ? /[\w./-]+\.(?:onnx|json)/.exec(cause.message)?.[0]?.split('/').slice(-2).join('/')
        : undefined);
    throw new VaiError(
      'PROVIDER_UNAVAILABLE',
      `The model ${model} is not on this machine and could not be downloaded${missing ? ` (${missing})` : ''}.`,
      {
        hint: 'Connect once to huggingface.co, or copy the model into HF_HOME from a machine that has it, or use the builtin embedder.',
        cause,
      },
    );
  }
}
