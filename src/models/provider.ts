// What a provider of models is: a declaration that is read without loading any of its code, and one factory,
// `createProvider`, loaded when one of its models is first asked for. Everything else in vai that depends on providers
// (settings, catalogue, ping, doctor, FlowRAG's config, the choice of search mode) is derived from the declarations.

import type { Setting } from '../domain/setting.ts';
import type { Embedder } from '../ports/embedder.ts';
import type { Extractor } from '../ports/extractor.ts';
import type { AddedModels, ModelInfo, OutputType, ProbeState } from '../ports/models.ts';
import type { Reranker } from '../ports/reranker.ts';

export type Ability = 'embed' | 'rerank' | 'extract';
/** A provider's own settings, by the names it declares. */
export type ProviderSettings = Readonly<Record<string, string | undefined>>;
export type Environment = Readonly<Record<string, string | undefined>>;

export interface ProviderDeclaration {
  /** As configuration files name it. */
  id: string;
  /** As people read it. */
  title: string;
  abilities: readonly Ability[];
  /** The model of an ability where the provider is named without one. */
  defaults: Partial<Record<Ability, string>>;
  /** Whether texts leave this machine. */
  hosted: boolean | ((settings: ProviderSettings) => boolean);
  /** How far fusion may trust the scores of its vectors, 0 to 1; who has how much and why: docs/decisions/fusion.md. */
  trust: number;
  /**
   * Of its embedding models, where they ship with vai and change with it, or of one that lies in the home: see
   * `ModelTraits`.
   */
  revision?: number | ((modelId: string, home: string | undefined) => number | undefined);
  settings: readonly Setting[];
  /** Settings without which nothing is sent, and what to do where they are missing. */
  requires?: { settings: readonly string[]; what: string; hint: string };
  /** Whether somebody chose to use it. Only then is it listed, pinged and a default; naming a model is a choice too. */
  configured(settings: ProviderSettings, env: Environment): boolean;
  /** Its models are the defaults when it is configured; the first such provider of the list wins. */
  automatic?: boolean;
  /** Variables that the `.env` of a trusted project may set. */
  envFile?: readonly string[];
  models: readonly ModelInfo[];
  /** Which of them `vai_models` lists: all of them always, once configured, or those the endpoint says it serves. */
  lists: 'always' | 'configured' | 'served';
  /** Vector length of a model that no catalogue lists; measured by one request where it is not declared. */
  unlistedDimensions?: number;
  /** Whether a model that no catalogue lists is one of its own. `<id>/<model>` always is. */
  owns?(model: string): boolean;
  /** What is configured oddly, for a person to see. */
  warning?(settings: ProviderSettings): string | undefined;
  load(): Promise<{ createProvider: CreateProvider }>;
}

export interface ProviderDeps {
  /** Its own settings and nobody else's. */
  settings: ProviderSettings;
  env: Environment;
  /** vai's own folder, where files of models may lie. */
  home?: string;
  fetch: typeof fetch;
  now: () => Date;
  /** Told about long work such as a download, in sentences for a person. */
  notify?: (message: string) => void;
}

/** Names, types, dimensions and required settings have been checked before a provider sees a request. */
export interface EmbedderRequest {
  /** As vai knows it. */
  model: string;
  /** As the provider knows it: without its id in front. */
  modelId: string;
  /** Undefined for a name the catalogue does not know. */
  info?: ModelInfo;
  /** Undefined where neither the caller nor a catalogue knows. */
  dimensions?: number;
  /** False when the length is what the model gives by itself. */
  sendDimensions: boolean;
  hosted: boolean;
  trust: number;
  /** Other than `float` the vectors hold the provider's values as they are. */
  dtype?: OutputType;
}

export interface RerankerRequest {
  model: string;
  modelId: string;
  info?: ModelInfo;
  hosted: boolean;
}

export interface Provider {
  embedder?(request: EmbedderRequest): Embedder | Promise<Embedder>;
  reranker?(request: RerankerRequest): Reranker | Promise<Reranker>;
  extractor?(model: string): Extractor | Promise<Extractor>;
  /** Whether it writes vectors in other types than floats. */
  quantises?: boolean;
  /** The models its endpoint says it has; free of charge. */
  served?(): Promise<ModelInfo[]>;
  /** Models that the user puts on this machine. */
  added?: AddedModels;
  /** Free of charge. */
  probe?(): Promise<ProbeState>;
}

export type CreateProvider = (deps: ProviderDeps) => Provider | Promise<Provider>;

/** Whether the required settings of a provider are there: what `configured` means for most. */
export const hasRequired =
  (...names: string[]) =>
  (settings: ProviderSettings): boolean =>
    names.every((name) => Boolean(settings[name]));
