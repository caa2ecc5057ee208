// The models there are and how to get one: names are looked up in the catalogue, checked before any network, and their
// provider's code is loaded when first used. What differs between providers is what they declare.

import type { ModelInfo, Models, ProbeState, ProviderState } from '../ports/models.ts';
import { badDimensions, cannot, floatOnly, requireServed, requireSettings, wrongType } from './checks.ts';
import { readCatalogueFile } from './catalogue-file.ts';
import type { Ability, Provider, ProviderDeclaration, ProviderDeps, ProviderSettings } from './provider.ts';
import { findProvider, modelId, ON_THIS_MACHINE, ownerOf, PROVIDERS, providersThat } from './providers.ts';

/** The settings models look at; the resolved settings of vai have all of them. */
export interface ModelSettings {
  /** By the id of the provider. */
  providers?: Readonly<Record<string, ProviderSettings>>;
  /** The reranker somebody chose. */
  rerankModel?: string;
  /** File of catalogue overrides. */
  models?: string;
  /** vai's own folder. */
  home?: string;
}

export interface ModelsOptions extends Omit<ProviderDeps, 'settings' | 'home'> {
  settings: ModelSettings;
}

const CACHE_MS = 30_000;
const KNOWN: readonly ModelInfo[] = PROVIDERS.flatMap(({ models }) => models);

export function createModels(options: ModelsOptions): Models {
  const { settings, env } = options;
  const place = settings.home === undefined ? {} : { home: settings.home };
  const loaded = new Map<string, Promise<Provider>>();
  let catalogue: readonly ModelInfo[] | undefined;
  const all = (): readonly ModelInfo[] => (catalogue ??= mergeCatalogue(settings.models));
  const info = (name: string): ModelInfo | undefined => all().find((model) => model.name === name);
  const settingsOf = ({ id }: ProviderDeclaration): ProviderSettings => settings.providers?.[id] ?? {};
  const isConfigured = (provider: ProviderDeclaration): boolean =>
    provider.configured(settingsOf(provider), env);
  const isHosted = (provider: ProviderDeclaration): boolean =>
    typeof provider.hosted === 'boolean' ? provider.hosted : provider.hosted(settingsOf(provider));
  const revisionOf = (provider: ProviderDeclaration, name: string): number | undefined =>
    typeof provider.revision === 'function'
      ? provider.revision(modelId(provider, name), settings.home)
      : provider.revision;
  const serverOf = (name: string): ProviderDeclaration =>
    findProvider(info(name)?.provider ?? '') ?? ownerOf(name);

  function load(provider: ProviderDeclaration): Promise<Provider> {
    let found = loaded.get(provider.id);
    if (!found) {
      found = provider
        .load()
        .then(({ createProvider }) =>
          createProvider({ ...options, ...place, settings: settingsOf(provider) }),
        );
      // A failed load (a missing optional package) is tried again by the next call.
      found.catch(() => loaded.delete(provider.id));
      loaded.set(provider.id, found);
    }
    return found;
  }

  function check(provider: ProviderDeclaration, model: string): void {
    const names = all().map(({ name }) => name);
    requireSettings(provider, { name: model, known: info(model) !== undefined }, settingsOf(provider), names);
  }

  function defaultOf(ability: 'embed' | 'rerank'): string {
    const provider = providersThat(ability).find((one) => one.automatic && isConfigured(one));
    return provider!.defaults[ability]!;
  }

  const defaults: Models['defaults'] = () => ({
    embedding: defaultOf('embed'),
    rerank: settings.rerankModel ?? defaultOf('rerank'),
  });

  /** The provider that serves a model, and the model as it knows it. */
  async function open(model: string, ability: Ability) {
    const declared = serverOf(model);
    check(declared, model);
    if (!declared.abilities.includes(ability)) throw cannot(declared.id, ability, providersThat(ability));
    const provider = await load(declared);
    return {
      declared,
      provider,
      request: { model, modelId: modelId(declared, model), hosted: isHosted(declared) },
    };
  }

  const probeOne = async (declared: ProviderDeclaration): Promise<ProbeState> =>
    (await load(declared)).probe?.() ?? 'unknown';
  const probeAll = (): Promise<ProviderState[]> =>
    Promise.all(
      PROVIDERS.filter((one) => one.settings.length > 0 && isConfigured(one)).map(async (one) => ({
        id: one.id,
        title: one.title,
        state: await probeOne(one).catch((): ProbeState => 'unreachable'),
      })),
    );
  const serveAll = async (): Promise<ModelInfo[]> => {
    const serving = PROVIDERS.filter((one) => one.lists === 'served' && isConfigured(one));
    const lists = await Promise.all(
      serving.map(async (one) => {
        try {
          return (await (await load(one)).served?.()) ?? [];
        } catch {
          // An endpoint that is away serves nothing now; `vai ping` says so.
          return [];
        }
      }),
    );
    return lists.flat().map((served) => info(served.name) ?? served);
  };

  return {
    list: () =>
      sorted(
        all().filter((model) => {
          const provider = findProvider(model.provider);
          if (model.status === 'hidden' || !provider) return false;
          return provider.lists === 'always' || (provider.lists === 'configured' && isConfigured(provider));
        }),
      ),
    served: remembered(serveAll, options.now),
    info,
    traits(name) {
      const provider = serverOf(name);
      const revision = revisionOf(provider, name);
      return {
        provider: provider.id,
        hosted: isHosted(provider),
        trust: isConfigured(provider) ? provider.trust : 0,
        ...(revision === undefined ? {} : { revision }),
        known: info(name) !== undefined || provider.lists === 'served',
      };
    },
    defaults,
    space: (name) => info(name)?.sharedSpace ?? name,
    async embedder(name, dimensions, extra) {
      const model = name ?? defaults().embedding;
      const known = info(model);
      if (known?.type === 'rerank') throw wrongType(known, 'an embedding model');
      if (known) requireServed(known);
      if (known && dimensions !== undefined && !known.dimensions.includes(dimensions))
        throw badDimensions(known, dimensions);
      const { declared, provider, request } = await open(model, 'embed');
      const dtype = extra?.dtype ?? 'float';
      if (dtype !== 'float' && !provider.quantises) throw floatOnly(model);
      const length = dimensions ?? known?.defaultDimensions ?? declared.unlistedDimensions;
      return provider.embedder!({
        ...request,
        ...(known ? { info: known } : {}),
        ...(length === undefined ? {} : { dimensions: length }),
        sendDimensions: known ? known.dimensions.length > 1 : dimensions !== undefined,
        trust: declared.trust,
        dtype,
      });
    },
    async relevance() {
      return (await import('./builtin/relevance.ts')).createRelevance();
    },
    async reranker(name) {
      const model = name ?? defaults().rerank;
      const known = info(model);
      if (known && known.type !== 'rerank') throw wrongType(known, 'a reranker');
      if (known) requireServed(known);
      const { provider, request } = await open(model, 'rerank');
      return provider.reranker!({ ...request, ...(known ? { info: known } : {}) });
    },
    async extractor(id, model) {
      const declared = findProvider(id);
      if (!declared?.abilities.includes('extract')) throw cannot(id, 'extract', providersThat('extract'));
      check(declared, model ?? declared.defaults.extract!);
      return (await load(declared)).extractor!(model);
    },
    added: async () => (await load(ON_THIS_MACHINE)).added!,
    warnings: () => PROVIDERS.flatMap((provider) => provider.warning?.(settingsOf(provider)) ?? []),
    probe: remembered(probeAll, options.now),
  };
}

/** Asks again after half a minute at the soonest: health checks come often. */
function remembered<T>(ask: () => Promise<T>, now: () => Date): () => Promise<T> {
  let last: { at: number; answer: Promise<T> } | undefined;
  return () => {
    const at = now().getTime();
    if (!last || at - last.at > CACHE_MS) last = { at, answer: ask() };
    return last.answer;
  };
}

function mergeCatalogue(file: string | undefined): readonly ModelInfo[] {
  if (!file) return KNOWN;
  const own = readCatalogueFile(file, KNOWN);
  const names = new Set(own.map((model) => model.name));
  return [...KNOWN.filter((model) => !names.has(model.name)), ...own];
}

/** Current ones first, in the catalogue's order; the sort is stable. */
function sorted(models: ModelInfo[]): ModelInfo[] {
  const rank = (model: ModelInfo): number => (model.status === 'legacy' ? 1 : 0);
  return models.sort((a, b) => rank(a) - rank(b));
}
