// What reorders candidates by reading query and candidate together.

export interface RerankCandidate {
  text: string;
  title?: string;
  headingPath?: string[];
  /** Score by words, scaled to 0..1, where there was one. */
  words?: number;
}

export interface Reranked {
  /** Best first: position in the input, a score of 0 to 1, and how likely it answers where the reranker can say. */
  order: { index: number; score: number; relevance?: number }[];
  tokens: number;
}

export interface Reranker {
  readonly model: string;
  readonly hosted: boolean;
  /** How much of the final order it decides beside the first stage; all of it when absent. */
  readonly share?: number;
  /** How many passages it gains from reading; more where absent. */
  readonly reads?: number;
  rerank(
    query: string,
    candidates: readonly RerankCandidate[],
    options: { signal?: AbortSignal },
  ): Promise<Reranked>;
}
