// Embeddings and reranking by models that were added to this machine.

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
  fingerprint,
  listKept,
  modelsFolder,
  placeOf,
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
  const folder = modelsFolder(given.home);
  const deps: AddDeps = { env: given.env, fetch: given.fetch, now: given.now, folder, load };
  const opened = new Map<string, { revision: number; model: Promise<OpenModel> }>();
  const coming = new Map<string, Promise<Manifest>>();

  /** What is known of a model. */
  async function find(name: string, type: Manifest['type']): Promise<Manifest> {
    // Without its package nothing is begun, so that nothing is given up for vectors that never come.
    await requireRuntime(load);
    requireName(name);
    const kept = readKept(folder, name) ?? (await fetchOnce(name));
    if (kept.type !== type) throw wrongUse(kept);
    return kept;
  }

  /** Calls that come meanwhile wait for the same download. */
  function fetchOnce(name: string): Promise<Manifest> {
    let found = coming.get(name);
    if (!found) {
      found = fetchModel(name).finally(() => coming.delete(name));
      coming.set(name, found);
    }
    return found;
  }

  async function fetchModel(name: string): Promise<Manifest> {
    // FlowRAG's default comes by itself; a model of another name might be anything and is asked for.
    if (!local.models.some((model) => model.name === name))
      throw new VaiError('MODEL_UNSUPPORTED', `There is no model ${name} on this machine.`, {
        hint: `Add it with \`vai models add ${name}\` or \`vai models add ${name} --from <folder or address>\`; \`vai models list\` shows what is there.`,
      });
    try {
      await addModel(
        deps,
        { name },
        {
          onProgress: (file, bytes, total) =>
            given.notify?.(`${name}: ${file} ${Math.round((bytes / total) * 100)} %`),
        },
      );
    } catch (error) {
      // Another process may have added it meanwhile.
      if (!readKept(folder, name)) throw error;
    }
    return readKept(folder, name)!;
  }

  /** Opened once; a failure is tried again by the next call. */
  function open(kept: Manifest): Promise<OpenModel> {
    const revision = fingerprint(kept);
    const found = opened.get(kept.name);
    if (found?.revision === revision) return found.model;
    const there = readKept(folder, kept.name);
    if (!there || fingerprint(there) !== revision) return Promise.reject(changed(kept.name));
    // What is open was removed and added anew, here or by another process.
    close(kept.name);
    const model = verifyKept(folder, kept).then(async () =>
      openFiles(await requireRuntime(load), placeOf(folder, kept.name), kept).catch((cause: unknown) => {
        throw cause instanceof VaiError ? cause : damaged(kept.name, 'model.onnx', cause);
      }),
    );
    const entry = { revision, model };
    model.catch(() => opened.get(kept.name) === entry && opened.delete(kept.name));
    opened.set(kept.name, entry);
    return model;
  }

  function close(name: string): void {
    const found = opened.get(name);
    opened.delete(name);
    found?.model.then((model) => model.close()).catch(() => undefined);
  }

  return {
    embedder: async (request) => embedder(request, await find(request.modelId, 'embedding'), open),
    reranker: async (request) => reranker(request, await find(request.modelId, 'rerank'), open),
    served: async () => listKept(folder).map(infoOf),
    added: {
      add: (request, options) => addModel(deps, request, options),
      list: async () => listKept(folder).map(describeKept),
      remove(name) {
        close(name);
        return removeKept(folder, name);
      },
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
      send: async (query, documents, { signal }) => (await open(kept)).score(query, documents, { signal }),
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

const changed = (name: string): VaiError =>
  new VaiError('PROVIDER_UNAVAILABLE', `The model ${name} was removed or replaced while it was in use.`, {
    hint: 'Try again; `vai models list` shows what is there.',
  });

const wrongUse = ({ name, type }: Manifest): VaiError =>
  new VaiError(
    'MODEL_UNSUPPORTED',
    type === 'rerank'
      ? `${name} reranks and makes no vectors.`
      : `${name} makes vectors and does not rerank.`,
    { hint: '`vai models list` says what each model on this machine is for.' },
  );
