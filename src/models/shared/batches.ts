// Cuts a list of texts into requests the provider accepts.

/** Fewer than some providers allow: a failed request loses less, and progress moves. */
const MAX_TEXTS = 128;
/** Room for the estimate of tokens to be wrong. */
const SHARE = 0.8;

export interface BatchLimits {
  /** Most tokens of one request, as the vendor says. */
  tokens?: number;
  texts?: number;
}

/** Runs of positions within both limits. One that is over the limit by itself gets a request of its own. */
export function makeBatches(
  positions: readonly number[],
  tokensOf: (at: number) => number,
  limits: BatchLimits,
): number[][] {
  const maxTokens = (limits.tokens ?? Infinity) * SHARE;
  const maxTexts = limits.texts ?? MAX_TEXTS;
  const batches: number[][] = [];
  let batch: number[] = [];
  let sum = 0;
  for (const at of positions) {
    const tokens = tokensOf(at);
    if (batch.length > 0 && (batch.length >= maxTexts || sum + tokens > maxTokens)) {
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
