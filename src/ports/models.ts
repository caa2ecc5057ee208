// The models there are and how to get one. Catalogue entries are data; a client is loaded only when it is asked for.

import type { Embedder } from './embedder.ts';
import type { Extractor } from './extractor.ts';
import type { Relevance } from './relevance.ts';
import type { Reranker } from './reranker.ts';

export interface ModelInfo {
  name: string;
  type: 'embedding' | 'embedding-multimodal' | 'rerank';
  /** Id of the provider that serves it. */
  provider: string;
  contextTokens: number;
  /** Supported output lengths, default first; empty for rerankers. */
  dimensions: number[];
  defaultDimensions?: number;
  /** US dollars per million tokens; 0 for local models. */
  pricePerMToken: number;
  pricePerBPixels?: number;
  sharedSpace?: string;
  architecture?: string;
  rteb?: number;
  bestFor: string;
  status: 'current' | 'legacy' | 'local-only' | 'hidden';
  /** Most tokens and texts of one request. */
  batchTokens?: number;
  batchTexts?: number;
  /** What an estimate sets it against others for: the best documents, the cheapest queries, queries on one's own machine. */
  part?: 'documents' | 'queries' | 'own-queries';
}

/** What holds for every model of a provider, listed or not. */
export interface ModelTraits {
  /** Id of the provider. */
  provider: string;
  /** Whether texts leave this machine. */
  hosted: boolean;
  /** How far a search may trust its vectors, 0 to 1; 0 where the provider is not configured. */
  trust: number;
  /**
   * Another number when the model is another under the same name: earlier vectors are not comparable with new ones.
   * Undefined for a model of the user's own that is not on this machine.
   */
  revision?: number;
  /** Whether the catalogue knows the name, or the provider serves names of the user's own. */
  known: boolean;
}

export type ProbeState = 'connected' | 'unreachable' | 'unauthorized' | 'not configured' | 'unknown';

export interface ProviderState {
  id: string;
  title: string;
  state: ProbeState;
}

/** How a hosted model writes its numbers. Other than `float` they come as they are, not scaled to unit length. */
export type OutputType = 'float' | 'int8' | 'uint8' | 'binary' | 'ubinary';

/** A model that was added to this machine. */
export interface AddedModel {
  name: string;
  /** What it is called wherever a model is named. */
  model: string;
  type: 'embedding' | 'rerank';
  /** Of its vectors. */
  dimensions?: number;
  /** Tokens of a text that it reads. */
  contextTokens: number;
  /** As its files state it. */
  licence?: string;
  source: string;
  bytes: number;
  addedAt: string;
}

export interface AddModelRequest {
  /** What to call it; the model of a hub to add where `from` is missing. */
  name: string;
  /** A folder, an address or a hub's name. */
  from?: string;
  /** Which of several ONNX files. */
  file?: string;
  /** How the tokens of a text become one vector, where the files do not say. */
  pooling?: 'mean' | 'cls';
}

export interface AddModelOptions {
  signal?: AbortSignal;
  /** Told how far a file is, at every tenth. */
  onProgress?: (file: string, bytes: number, total: number) => void;
}

/** Models of the user's own on this machine. */
export interface AddedModels {
  /** Tries the model before it is kept; what fails leaves nothing behind. */
  add(request: AddModelRequest, options?: AddModelOptions): Promise<AddedModel>;
  list(): Promise<AddedModel[]>;
  /** False where there is none of that name. */
  remove(name: string): Promise<boolean>;
}

export interface Models {
  /** Of usable providers, current first, then legacy; hidden ones left out. The user's own entries override ours by name. */
  list(): ModelInfo[];
  /** What the configured endpoints say they serve beyond the catalogue; free of charge, nothing where one is away. */
  served(): Promise<ModelInfo[]>;
  info(name: string): ModelInfo | undefined;
  traits(name: string): ModelTraits;
  /** What an omitted model resolves to: hosted when its key is set, else the built-in one. */
  defaults(): { embedding: string; rerank: string };
  /** Checks name, type and dimensions before any network; refuses a hosted model without its key, with the hint. */
  embedder(name?: string, dimensions?: number, options?: { dtype?: OutputType }): Promise<Embedder>;
  reranker(name?: string): Promise<Reranker>;
  /** Always the built-in one, so that relevance means the same with every model. */
  relevance(): Promise<Relevance>;
  extractor(provider: string, model: string): Promise<Extractor>;
  /** Models with the same space may query each other's collections at equal dimensions. */
  space(name: string): string;
  added(): Promise<AddedModels>;
  /** What is configured oddly, for a person to see. */
  warnings(): string[];
  /** Whether each configured provider answers; free of charge. */
  probe(): Promise<ProviderState[]>;
}
