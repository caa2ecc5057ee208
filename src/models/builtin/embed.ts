// A text's vector is the normalised sum of its pieces' vectors; how much a piece counts is in its length. Shorter
// vectors are the beginning of the long one: the model was trained so.

import type { Weights } from './weights.ts';

/** Beyond this the rest of a text no longer moves its vector. */
export const MAX_TOKENS = 32_000;

export function embedIds(weights: Weights, ids: readonly number[], dimensions: number): Float32Array {
  const { codes, scales, dimensions: stride } = weights;
  const sum = new Float64Array(dimensions);
  const count = Math.min(ids.length, MAX_TOKENS);
  for (let at = 0; at < count; at++) {
    const id = ids[at]!;
    const scale = scales[id]!;
    const start = id * stride;
    for (let d = 0; d < dimensions; d++) sum[d]! += codes[start + d]! * scale;
  }
  return normalised(sum);
}

/** Unit length; a vector of nothing stays zero. */
export function normalised(sum: Float64Array): Float32Array {
  let square = 0;
  for (let d = 0; d < sum.length; d++) square += sum[d]! * sum[d]!;
  const vector = new Float32Array(sum.length);
  if (square === 0) return vector;
  const factor = 1 / Math.sqrt(square);
  for (let d = 0; d < sum.length; d++) vector[d] = sum[d]! * factor;
  return vector;
}
