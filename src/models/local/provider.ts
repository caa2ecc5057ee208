// Embeddings and reranking by models that were added to this machine.

import { createHash } from 'node:crypto';
import { join } from 'node:path';
import { VaiError } from '../../domain/errors.ts';
import type { Embedder } from '../../ports/embedder.ts';
import type { ModelInfo } from '../../ports/models.ts';
import type { Reranker } from '../../ports/reranker.ts';
import type { EmbedderRequest, Provider, ProviderDeps, RerankerRequest } from '../provider.ts';
import { createServiceReranker } from '../shared/reranking.ts';
import { unitVector } from '../shared/vectors.ts';
import { addModel, type AddDeps } from './add.ts';
import { openFiles } from './files.ts';
import { local } from './index.ts';
import {
  damaged,
  describeKept,
  listKept,
  modelsFolder,
  readKept,
  removeKept,
  requireName,
  verifyKept,
  type Manifest,
} from './kept.ts';
import type { OpenModel } from './model.ts';
import { loadInstalled, requireRuntime, type LoadRuntime } from './runtime.ts';

export interface LocalHooks {
  load?: LoadRuntime;
}

export function createProvider(given: ProviderDeps, { load = loadInstalled }: LocalHooks = {}): Provider {
  const folder = modelsFolder(given.env);
  const deps: AddDeps = { env: given.env, fetch: given.fetch, now: given.now, folder, load };
  const opened = new Map<string, Promise<OpenModel>>();

  /** What is known of a model. */
  async function find(name: string, type: Manifest['type']): Promise<Manifest> {
    // Without its package nothing is begun, so that nothing is given up for vectors that never come.
    await requireRuntime(load);
    requireName(name);
    const kept = readKept(folder, name) ?? (await fetchModel(name));
    if (kept.type !== type) throw wrongUse(kept);
    return kept;
  }

  async function fetchModel(name: string): Promise<Manifest> {
    // FlowRAG's default comes by itself; a model of another name might be anything and is asked for.
    if (!local.models.some((model) => model.name === name))
      throw new VaiError('MODEL_UNSUPPORTED', `There is no model ${name} on this machine.`, {
        hint: `Add it with \`vai models add ${name}\` or \`vai models add ${name} --from <folder or address>\`; \`vai models list\` shows what is there.`,
      });
    await addModel(
      deps,
      { name },
      {
        onProgress: (file, bytes, total) =>
          given.notify?.(`${name}: ${file} ${Math.round((bytes / total) * 100)} %`),
      },
    );
    return readKept(folder, name)!;
  }

  /** Opened once; a failure is tried again by the next call. */
  function open(kept: Manifest): Promise<OpenModel> {
    let found = opened.get(kept.name);
    if (!found) {
      found = verifyKept(folder, kept).then(async () =>
        openFiles(await requireRuntime(load), join(folder, kept.name), kept).catch((cause: unknown) => {
          throw cause instanceof VaiError ? cause : damaged(kept.name, 'model.onnx', cause);
        }),
      );
      found.catch(() => opened.delete(kept.name));
      opened.set(kept.name, found);
    }
    return found;
  }

  return {
    embedder: async (request) => embedder(request, await find(request.modelId, 'embedding'), open),
    reranker: async (request) => reranker(request, await find(request.modelId, 'rerank'), open),
    served: async () => listKept(folder).map(infoOf),
    added: {
      add: (request, options) => addModel(deps, request, options),
      list: async () => listKept(folder).map(describeKept),
      remove: (name) => removeKept(folder, name),
    },
  };
}

function embedder(
  request: EmbedderRequest,
  kept: Manifest,
  open: (kept: Manifest) => Promise<OpenModel>,
): Embedder {
  const dimensions = request.dimensions ?? kept.dimensions!;
  return {
    model: request.model,
    dimensions,
    // Another file, pooling or prefix under the same name makes other vectors, so they are part of the space.
    space: `${request.space}@${fingerprint(kept)}`,
    hosted: request.hosted,
    trust: request.trust,
    async embed(texts, { role, ...options }) {
      const model = await open(kept);
      const { vectors, tokens } = await model.embed(
        texts.map((text) => kept.prefixes[role] + text),
        options,
      );
      return {
        vectors: vectors.map((vector) => unitVector(vector, dimensions, request.model)),
        tokens,
        requests: 0,
      };
    },
  };
}

function reranker(
  { model, hosted }: RerankerRequest,
  kept: Manifest,
  open: (kept: Manifest) => Promise<OpenModel>,
): Reranker {
  const limits = { tokens: Infinity, texts: 1_000, contextTokens: kept.contextTokens };
  return createServiceReranker(
    {
      limits,
      send: async (query, documents, { signal }) =>
        (await open(kept)).score(query, documents, signal ? { signal } : {}),
    },
    model,
    hosted,
  );
}

function infoOf(kept: Manifest): ModelInfo {
  return {
    name: kept.model,
    type: kept.type,
    provider: 'local',
    contextTokens: kept.contextTokens,
    dimensions: kept.dimensions ? [kept.dimensions] : [],
    ...(kept.dimensions ? { defaultDimensions: kept.dimensions } : {}),
    pricePerMToken: 0,
    status: 'current',
    bestFor: `On this machine, from ${kept.source}`,
  };
}

const fingerprint = ({ files, pooling, prefixes }: Manifest): string =>
  createHash('sha256')
    .update(JSON.stringify([Object.values(files).map(({ sha256 }) => sha256), pooling, prefixes]))
    .digest('hex')
    .slice(0, 8);

const wrongUse = ({ name, type }: Manifest): VaiError =>
  new VaiError(
    'MODEL_UNSUPPORTED',
    type === 'rerank'
      ? `${name} reranks and makes no vectors.`
      : `${name} makes vectors and does not rerank.`,
    { hint: '`vai models list` says what each model on this machine is for.' },
  );
