// Embeddings on this machine through `@huggingface/transformers`, an optional peer. The model is downloaded once, on
// first use.

import { existsSync } from 'node:fs';
import { homedir } from 'node:os';
import { join } from 'node:path';
import { VaiError } from '../../domain/errors.ts';
import { estimateTokens } from '../../domain/tokens.ts';
import type { Embedder } from '../../ports/embedder.ts';
import type { EmbedderRequest, Environment, Provider, ProviderDeps } from '../provider.ts';
import { prefixOf } from '../shared/prefixes.ts';
import { requireCount, unitVector } from '../shared/vectors.ts';
import { LOCAL_PACKAGE } from './index.ts';

const BATCH = 32;
const PRECISION = 'q8';
/** The package's own name for this is `LogLevel.ERROR`. */
const ONLY_ERRORS = 40;

/** The part of the package that is used. */
export interface TransformersModule {
  env: { cacheDir?: string; allowRemoteModels?: boolean; remoteHost?: string; logLevel?: number };
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
  env: Environment;
  load: () => Promise<TransformersModule>;
  notify?: (message: string) => void;
}

async function createLocalEmbedder(deps: LocalDeps, request: EmbedderRequest): Promise<Embedder> {
  const { model, modelId } = request;
  // Without its package nothing is begun, so that nothing is given up for vectors that never come.
  await loadPackage(deps);
  let ready: Promise<Extract> | undefined;
  const open = () =>
    (ready ??= openModel(deps, modelId).catch((error: unknown) => {
      ready = undefined;
      throw error;
    }));
  const dimensions = request.dimensions ?? (await measure(await open()));
  return {
    model,
    dimensions,
    // The precision changes the numbers, so it is part of the space.
    space: `${request.space}@${PRECISION}`,
    hosted: request.hosted,
    trust: request.trust,
    async embed(texts, options) {
      const extract = await open();
      const prefix = prefixOf(modelId, options.role);
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

async function measure(extract: Extract): Promise<number> {
  const { dims } = await extract(['length'], { pooling: 'mean', normalize: true });
  return dims[1] ?? 0;
}

async function loadPackage(deps: LocalDeps): Promise<TransformersModule> {
  try {
    return await deps.load();
  } catch (cause) {
    throw new VaiError(
      'CONFIG_MISSING',
      `The provider local needs the package ${LOCAL_PACKAGE}, which is not installed.`,
      {
        hint: `Install it beside vai: npm install ${LOCAL_PACKAGE} (set ONNXRUNTIME_NODE_INSTALL=skip where its download is impossible), or use the builtin embedder.`,
        cause,
      },
    );
  }
}

async function openModel(deps: LocalDeps, model: string): Promise<Extract> {
  const module = await loadPackage(deps);
  const folder = deps.env['HF_HOME'] ?? join(deps.env['VAI_HOME'] ?? join(homedir(), '.vai'), 'models');
  module.env.cacheDir = folder;
  // Its warnings name paths of this machine and come where only ours belong.
  module.env.logLevel = ONLY_ERRORS;
  if (deps.env['HF_ENDPOINT']) module.env.remoteHost = deps.env['HF_ENDPOINT'];
  if (deps.env['HF_HUB_OFFLINE'] === '1') module.env.allowRemoteModels = false;
  const watch = watchDownload(join(folder, model), (message) => deps.notify?.(`${model}: ${message}`));
  try {
    return await module.pipeline('feature-extraction', model, {
      dtype: PRECISION,
      progress_callback: watch.event,
    });
  } catch (cause) {
    throw loadFailure(model, watch, cause);
  }
}

interface DownloadWatch {
  event: (event: DownloadEvent) => void;
  /** The file that was asked for last. */
  readonly file: string | undefined;
  /** Whether the weights themselves were at hand: what failed then is not the network. */
  readonly complete: boolean;
}

/** Tells of files that are really downloaded: the package reports those it reads from disk in the same words. */
function watchDownload(folder: string, tell: (message: string) => void): DownloadWatch {
  const shown = new Map<string, number>();
  let file: string | undefined;
  let complete = false;
  return {
    event({ status, file: name, progress = 0 }) {
      if (!name) return;
      if (status === 'initiate') {
        file = name;
        if (!existsSync(join(folder, name))) shown.set(name, -1);
      }
      if (status === 'done' && name.endsWith('.onnx')) complete = true;
      const tenths = Math.min(10, Math.max(0, Math.floor(progress / 10)));
      if (status !== 'progress' || tenths <= (shown.get(name) ?? 10)) return;
      shown.set(name, tenths);
      tell(`${name} [${'#'.repeat(tenths)}${'-'.repeat(10 - tenths)}] ${tenths * 10} %`);
    },
    get file() {
      return file;
    },
    get complete() {
      return complete;
    },
  };
}

function loadFailure(model: string, watch: DownloadWatch, cause: unknown): VaiError {
  if (watch.complete) {
    return new VaiError(
      'PROVIDER_UNAVAILABLE',
      `The model ${model} is here but cannot be loaded (${watch.file}).`,
      {
        hint: 'Delete its folder under HF_HOME, so that it is downloaded again, or use the builtin embedder.',
        cause,
      },
    );
  }
  // The package names a path of this machine; what comes after the model's name is enough.
  const told = cause instanceof Error ? cause.message.split(`${model}/`).at(-1)! : '';
  const missing = /^[\w./-]+\.(?:onnx|json)\b/.exec(told)?.[0] ?? watch.file;
  return new VaiError(
    'PROVIDER_UNAVAILABLE',
    `The model ${model} is not on this machine and could not be downloaded${missing ? ` (${missing})` : ''}.`,
    {
      hint: 'Connect once to huggingface.co (or set HF_ENDPOINT to a mirror), or copy the model into HF_HOME from a machine that has it, or use the builtin embedder.',
      cause,
    },
  );
}
