// A text's vector is the normalised sum of its pieces' vectors, each as often as pooling.ts says; how much a piece counts
// by itself is in its length. Shorter vectors are the beginning of the long one: the model was trained so.

import { BLOCK } from './kernel.ts';
import { MAX_TOKENS } from './pooling.ts';
import type { Weights } from './weights.ts';

/** The kernel adds floats: beyond this their rounding would show, so longer texts (chunks never are) are added in doubles. */
const MAX_FAST = 2_048;

/**
 * The vector of the ids, written to `vector`; ids beyond `MAX_TOKENS` are left out, those with a factor count so much
 * more. Answers how many distinct ones there are: they then begin `weights.pooling.ids`.
 */
export function embedIds(
  weights: Weights,
  ids: ArrayLike<number>,
  vector: Float32Array,
  factors?: ReadonlyMap<number, number>,
): number {
  const { fast, pooling } = weights;
  const distinct = pooling.pool(ids, Math.min(ids.length, MAX_TOKENS));
  weights.need(pooling.ids, distinct);
  if (factors)
    for (let at = 0; at < distinct; at++) pooling.weights[at]! *= factors.get(pooling.ids[at]!) ?? 1;
  if (distinct === 0) vector.fill(0);
  else if (!fast || distinct > MAX_FAST || vector.length % BLOCK !== 0)
    vector.set(normalised(sumOf(weights, distinct, vector.length)));
  else {
    const { scales } = weights;
    for (let at = 0; at < distinct; at++) pooling.weights[at]! *= scales[pooling.ids[at]!]!;
    const { codesAt, vector: made } = fast;
    const [from, out] = [pooling.ids.byteOffset, made.byteOffset];
    fast.kernel.embed(
      from,
      from + distinct * 4,
      codesAt,
      pooling.weights.byteOffset - from,
      weights.dimensions,
      out,
      out + vector.length * 4,
    );
    vector.set(vector.length === made.length ? made : made.subarray(0, vector.length));
  }
  return distinct;
}

function sumOf(weights: Weights, distinct: number, dimensions: number): Float64Array {
  const { codes, scales, dimensions: stride, pooling } = weights;
  const sum = new Float64Array(dimensions);
  for (let at = 0; at < distinct; at++) {
    const id = pooling.ids[at]!;
    const scale = pooling.weights[at]! * scales[id]!;
    const start = id * stride;
    for (let d = 0; d < dimensions; d++) sum[d]! += codes[start + d]! * scale;
  }
  return sum;
}

/** Unit length; a vector of nothing stays zero. */
function normalised(sum: Float64Array): Float32Array {
  let square = 0;
  for (let d = 0; d < sum.length; d++) square += sum[d]! * sum[d]!;
  const vector = new Float32Array(sum.length);
  if (square === 0) return vector;
  const factor = 1 / Math.sqrt(square);
  for (let d = 0; d < sum.length; d++) vector[d] = sum[d]! * factor;
  return vector;
}
