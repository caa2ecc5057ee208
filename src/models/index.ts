// The models there are and how to get one: names are looked up in the catalogue, checked before any network, and their
// code is loaded when first used. Nothing here knows how a provider is called.

import { VaiError } from '../domain/errors.ts';
import type { Embedder } from '../ports/embedder.ts';
import type { ModelInfo, Models, OutputType } from '../ports/models.ts';
import {
  BUILTIN_EMBEDDER,
  BUILTIN_RERANKER,
  CATALOGUE,
  HOSTED_EMBEDDER,
  HOSTED_RERANKER,
} from './catalogue.ts';
import {
  badDimensions,
  floatOnly,
  noProvider,
  providerOfName,
  requireKey,
  requireServed,
  wrongType,
  type ProviderName,
} from './checks.ts';
import { readCatalogueFile } from './catalogue-file.ts';
import { loadProvider, PROVIDERS } from './load.ts';
import type { ModelSettings, Provider, ProviderDeps } from './provider.ts';
import { endpointWarning } from './voyage/endpoint.ts';

export interface ModelsOptions {
  settings: ModelSettings;
  env: Record<string, string | undefined>;
  fetch: typeof fetch;
  now: () => Date;
  /** Told about long work such as a download, in sentences for a person. */
  notify?: (message: string) => void;
}

const UNLISTED_DIMENSIONS = 1024;
const PROBE_CACHE_MS = 30_000;

export function createModels(options: ModelsOptions): Models {
  const { settings } = options;
  const deps: ProviderDeps = { ...options };
  const providers = new Map<ProviderName, Promise<Provider>>();
  let catalogue: ModelInfo[] | undefined;
  let probed: { at: number; result: ReturnType<Models['probe']> } | undefined;

  const all = (): ModelInfo[] => (catalogue ??= mergeCatalogue(settings.models));
  const info = (name: string): ModelInfo | undefined => all().find((model) => model.name === name);
  const checkKey = (from: ProviderName, name: string): void =>
    requireKey(
      from,
      { name, known: info(name) !== undefined },
      settings,
      all().map((model) => model.name),
    );
  const space = (name: string): string => info(name)?.sharedSpace ?? name;

  function provider(name: ProviderName): Promise<Provider> {
    let found = providers.get(name);
    if (!found) {
      found = loadProvider(name).then((create) => {
        if (!create) throw noProvider(name);
        return create(deps);
      });
      // A failed load (a missing optional package) is tried again by the next call.
      found.catch(() => providers.delete(name));
      providers.set(name, found);
    }
    return found;
  }

  function defaults(): ReturnType<Models['defaults']> {
    const hosted = Boolean(settings.voyageApiKey);
    const embedding = hosted ? HOSTED_EMBEDDER : BUILTIN_EMBEDDER;
    return {
      embedding,
      dimensions: info(embedding)?.defaultDimensions ?? UNLISTED_DIMENSIONS,
      rerank: settings.rerankModel ?? (hosted ? HOSTED_RERANKER : BUILTIN_RERANKER),
    };
  }

  async function embedder(
    name?: string,
    dimensions?: number,
    extra?: { dtype?: OutputType },
  ): Promise<Embedder> {
    const model = name ?? defaults().embedding;
    const known = info(model);
    if (known?.type === 'rerank') throw wrongType(known, 'an embedding model');
    if (known) requireServed(known);
    const length = dimensions ?? known?.defaultDimensions ?? UNLISTED_DIMENSIONS;
    if (known && !known.dimensions.includes(length)) throw badDimensions(known, length);
    const from = known?.provider ?? providerOfName(model);
    checkKey(from, model);
    if (extra?.dtype && extra.dtype !== 'float' && from !== 'voyage') throw floatOnly(model);
    const found = await provider(from);
    if (!found.embedder) throw noProvider(from);
    return found.embedder({
      model,
      ...(known ? { info: known } : {}),
      dimensions: length,
      sendDimensions: known ? known.dimensions.length > 1 : dimensions !== undefined,
      space: space(model),
      ...(extra?.dtype ? { dtype: extra.dtype } : {}),
    });
  }

  return {
    list: () => sorted(all().filter((model) => model.status !== 'hidden')),
    info,
    defaults,
    embedder,
    space,
    async reranker(name) {
      const model = name ?? defaults().rerank;
      const known = info(model);
      if (known && known.type !== 'rerank') throw wrongType(known, 'a reranker');
      if (known) requireServed(known);
      const from = known?.provider ?? 'voyage';
      checkKey(from, model);
      const found = await provider(from);
      if (!found.reranker) throw noProvider(from);
      return found.reranker(model, known);
    },
    async extractor(name, model) {
      if (name === 'rules' || name === 'builtin')
        return (await import('./rules/index.ts')).createRulesExtractor();
      const from = PROVIDERS.find((known) => known === name);
      const found = from && (await provider(from));
      if (!found?.extractor) {
        throw new VaiError('MODEL_UNSUPPORTED', `\`${name.slice(0, 60)}\` does not extract entities.`, {
          hint: 'Use rules, gemini or bedrock as the extractor; local has none.',
        });
      }
      return found.extractor(model);
    },
    warnings() {
      const { voyageApiKey, voyageApiBase } = settings;
      const warning = voyageApiKey && endpointWarning(voyageApiKey, voyageApiBase);
      return warning ? [warning] : [];
    },
    async probe() {
      if (!settings.voyageApiKey) return 'not configured';
      const at = options.now().getTime();
      if (!probed || at - probed.at > PROBE_CACHE_MS) {
        probed = { at, result: provider('voyage').then((voyage) => voyage.probe?.() ?? 'unknown') };
      }
      return probed.result;
    },
  };
}

function mergeCatalogue(file: string | undefined): ModelInfo[] {
  if (!file) return [...CATALOGUE];
  const own = readCatalogueFile(file, CATALOGUE);
  const names = new Set(own.map((model) => model.name));
  return [...CATALOGUE.filter((model) => !names.has(model.name)), ...own];
}

/** Current ones first, in the catalogue's order; the sort is stable. */
function sorted(models: ModelInfo[]): ModelInfo[] {
  const rank = (model: ModelInfo): number => (model.status === 'legacy' ? 1 : 0);
  return [...models].sort((a, b) => rank(a) - rank(b));
}
