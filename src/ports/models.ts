// The models there are and how to get one. Catalogue entries are data; a client is loaded only when it is asked for.

import type { Embedder } from './embedder.ts';
import type { Extractor } from './extractor.ts';
import type { Reranker } from './reranker.ts';

export interface ModelInfo {
  name: string;
  type: 'embedding' | 'embedding-multimodal' | 'rerank';
  provider: 'builtin' | 'local' | 'voyage' | 'gemini' | 'bedrock';
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
}

/** How a hosted model writes its numbers. Other than `float` they come as they are, not scaled to unit length. */
export type OutputType = 'float' | 'int8' | 'uint8' | 'binary' | 'ubinary';

export interface Models {
  /** Current first, then legacy; hidden ones left out. The user's own entries override ours by name. */
  list(): ModelInfo[];
  info(name: string): ModelInfo | undefined;
  /** What an omitted model resolves to: hosted when its key is set, else the built-in one. */
  defaults(): { embedding: string; dimensions: number; rerank: string };
  /** Checks name, type and dimensions before any network; refuses a hosted model without its key, with the hint. */
  embedder(name?: string, dimensions?: number, options?: { dtype?: OutputType }): Promise<Embedder>;
  reranker(name?: string): Promise<Reranker>;
  extractor(provider: string, model?: string): Promise<Extractor>;
  /** The space of a model name, for comparing with a collection's stamp. */
  space(name: string): string;
  /** What is configured oddly, for a person to see. */
  warnings?(): string[];
  /** Free reachability probe of the hosted embedding provider, for `/health` and `vai ping`. */
  probe(): Promise<'connected' | 'unreachable' | 'unauthorized' | 'not configured' | 'unknown'>;
}
