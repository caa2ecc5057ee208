// What turns text into vectors. A query and a document are embedded differently by most models, so the role is required.

export type EmbeddingRole = 'query' | 'document';

export interface EmbedOptions {
  role: EmbeddingRole;
  signal?: AbortSignal;
  /** How rare words of a query are where it is asked, for an embedder that weighs them. */
  rarity?: ReadonlyMap<string, number>;
  /** Called as batches come back: texts done so far. */
  onProgress?: (done: number) => void;
  /** Called when the embedder waits before trying again (rate limit). */
  onWait?: (seconds: number) => void;
}

export interface Embedded {
  /** One per text, in order, unit length, `dimensions` long; all zero for a text without any known token. */
  vectors: Float32Array[];
  tokens: number;
  /** Requests made to a provider: 0 for a local model. */
  requests: number;
}

export interface Embedder {
  /** Catalogue name, for example `voyage-4-large` or `builtin-embed-1`. */
  readonly model: string;
  readonly dimensions: number;
  /** Whether texts leave this machine. */
  readonly hosted: boolean;
  /** Whether `rarity` changes the vector of a query. */
  readonly weighsWords?: true;
  /** How far fusion may trust its scores: 0 to 1. */
  readonly trust: number;
  embed(texts: readonly string[], options: EmbedOptions): Promise<Embedded>;
}
