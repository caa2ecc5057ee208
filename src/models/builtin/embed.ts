// A text's vector is the normalised sum of its pieces' vectors; how much a piece counts is in its length. Shorter
// vectors are the beginning of the long one: the model was trained so.

import { BLOCK } from './kernel.ts';
import type { Weights } from './weights.ts';

/** Beyond this the rest of a text no longer moves its vector. */
export const MAX_TOKENS = 32_000;
/** The kernel adds floats: beyond this their rounding would show, so longer texts (chunks never are) are added in doubles. */
const MAX_FAST = 2_048;

/** The vector of the first `count` ids, written to `vector`; ids beyond `MAX_TOKENS` are left out. */
export function embedIds(
  weights: Weights,
  ids: ArrayLike<number>,
  count: number,
  vector: Float32Array,
): void {
  const { fast } = weights;
  const used = Math.min(count, ids.length, MAX_TOKENS);
  if (used === 0) vector.fill(0);
  else if (!fast || used > MAX_FAST || vector.length % BLOCK !== 0)
    vector.set(normalised(sumOf(weights, ids, used, vector.length)));
  else {
    if (ids !== weights.ids) for (let at = 0; at < used; at++) weights.ids[at] = ids[at]!;
    const { codesAt, scalesAt, vector: made } = fast;
    const out = made.byteOffset;
    fast.kernel.embed(
      weights.ids.byteOffset,
      weights.ids.byteOffset + used * 4,
      codesAt,
      scalesAt,
      weights.dimensions,
      out,
      out + vector.length * 4,
    );
    vector.set(vector.length === made.length ? made : made.subarray(0, vector.length));
  }
}

function sumOf(weights: Weights, ids: ArrayLike<number>, count: number, dimensions: number): Float64Array {
  const { codes, scales, dimensions: stride } = weights;
  const sum = new Float64Array(dimensions);
  for (let at = 0; at < count; at++) {
    const id = ids[at]!;
    const scale = scales[id]!;
    const start = id * stride;
    for (let d = 0; d < dimensions; d++) sum[d]! += codes[start + d]! * scale;
  }
  return sum;
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
