// Cuts a list of texts into requests the provider accepts.

import { estimateTokens } from '../../domain/tokens.ts';

/** Fewer than the provider allows: a failed request loses less, and progress moves. */
const MAX_TEXTS = 128;
/** Room for the estimate to be wrong. */
const SHARE = 0.8;

export interface BatchLimits {
  /** Most tokens of one request, as the vendor says. */
  tokens: number;
  texts?: number;
}

/** Positions of the texts of each request, in order. */
export function makeBatches(texts: readonly string[], limits: BatchLimits): number[][] {
  const positions = texts.map((_, at) => at);
  return cutBatches(positions, (at) => estimateTokens(texts[at]!), {
    tokens: limits.tokens,
    texts: Math.min(MAX_TEXTS, limits.texts ?? MAX_TEXTS),
  });
}

/** Runs of positions within both limits. One that is over the limit by itself gets a request of its own. */
export function cutBatches(
  positions: readonly number[],
  tokensOf: (at: number) => number,
  limits: Required<BatchLimits>,
): number[][] {
  const maxTokens = limits.tokens * SHARE;
  const batches: number[][] = [];
  let batch: number[] = [];
  let sum = 0;
  for (const at of positions) {
    const tokens = tokensOf(at);
    if (batch.length > 0 && (batch.length >= limits.texts || sum + tokens > maxTokens)) {
      batches.push(batch);
      batch = [];
      sum = 0;
    }
    batch.push(at);
    sum += tokens;
  }
  if (batch.length > 0) batches.push(batch);
  return batches;
}
