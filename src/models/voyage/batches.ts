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

/** Positions of the texts of each request, in order. A text over the limit by itself gets a request of its own. */
export function makeBatches(texts: readonly string[], limits: BatchLimits): number[][] {
  const maxTexts = Math.min(MAX_TEXTS, limits.texts ?? MAX_TEXTS);
  const maxTokens = limits.tokens * SHARE;
  const batches: number[][] = [];
  let batch: number[] = [];
  let sum = 0;
  texts.forEach((text, at) => {
    const tokens = estimateTokens(text);
    if (batch.length > 0 && (batch.length >= maxTexts || sum + tokens > maxTokens)) {
      batches.push(batch);
      batch = [];
      sum = 0;
    }
    batch.push(at);
    sum += tokens;
  });
  if (batch.length > 0) batches.push(batch);
  return batches;
}
