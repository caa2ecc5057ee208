// What a folder of models offers: one factory, `createProvider`, loaded when one of its models is first asked for.
// Names, types, dimensions and keys have been checked before any of these functions is called.

import type { Embedder } from '../ports/embedder.ts';
import type { Extractor } from '../ports/extractor.ts';
import type { ModelInfo, Models, OutputType } from '../ports/models.ts';
import type { Reranker } from '../ports/reranker.ts';

/** The settings models look at; the resolved settings of the house have all of them. */
export interface ModelSettings {
  voyageApiKey?: string;
  voyageApiBase?: string;
  geminiApiKey?: string;
  /** The reranker somebody chose. */
  rerankModel?: string;
  /** File of catalogue overrides. */
  models?: string;
}

export interface ProviderDeps {
  settings: ModelSettings;
  env: Record<string, string | undefined>;
  fetch: typeof fetch;
  now: () => Date;
  /** Told about long work such as a download, in sentences for a person. */
  notify?: (message: string) => void;
}

export interface EmbedderRequest {
  model: string;
  /** Undefined for a name the catalogue does not know. */
  info?: ModelInfo;
  dimensions: number;
  /** False when the length is what the model gives by itself. */
  sendDimensions: boolean;
  space: string;
  /** Hosted models only; other than `float` the vectors hold the provider's values as they are. */
  dtype?: OutputType;
}

export interface Provider {
  embedder?(request: EmbedderRequest): Embedder | Promise<Embedder>;
  reranker?(model: string, info?: ModelInfo): Reranker | Promise<Reranker>;
  extractor?(model?: string): Extractor | Promise<Extractor>;
  /** Free of charge. */
  probe?(): ReturnType<Models['probe']>;
}

export type CreateProvider = (deps: ProviderDeps) => Provider | Promise<Provider>;
