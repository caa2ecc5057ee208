// What the built-in vectors say about a query and its candidates: whole texts, their best passage, single words, and
// nearness to the candidates that came first.

import { embedIds } from './embed.ts';
import type { Nearest } from './nearest.ts';
import type { Passage } from './passage.ts';
import type { Weights } from './weights.ts';

const MAX_QUERY_TOKENS = 48;

export interface Similarity {
  whole: number[];
  passage: number[];
  /** How well every word of the query is met by its nearest word in the text. */
  soft: number[];
  /** To the mean of the leading candidates. */
  leaders: number[];
}

export interface Asked {
  /** Tokens of the whole query, and of its telling words alone. */
  all: readonly number[];
  telling: readonly number[];
}

export function similarities(
  { weights, nearest }: { weights: Weights; nearest: Nearest },
  query: Asked,
  passages: readonly Passage[],
  leading: readonly number[],
): Similarity {
  const { dimensions } = weights;
  const vector = new Float32Array(dimensions);
  embedIds(weights, query.all, query.all.length, vector);
  const asked = Float64Array.from(vector);
  const middle = new Float32Array(dimensions);
  for (const at of leading) {
    const { vectors } = passages[at]!;
    for (let d = 0; d < dimensions; d++) middle[d]! += vectors[d]!;
  }
  const towards = Float64Array.from(middle);
  const length = Math.sqrt(dot(towards, middle)) || 1;
  const similarity: Similarity = {
    whole: [],
    passage: [],
    soft: nearest(query.telling.slice(0, MAX_QUERY_TOKENS), passages),
    leaders: [],
  };
  for (const { vectors } of passages) {
    const whole = dot(asked, vectors);
    similarity.whole.push(whole);
    similarity.passage.push(vectors.length > dimensions ? bestWindow(asked, vectors) : Math.max(0, whole));
    similarity.leaders.push(dot(towards, vectors) / length);
  }
  return similarity;
}

/** With the first vector of the list. */
function dot(a: Float64Array, vectors: Float32Array): number {
  let sum = 0;
  for (let d = 0; d < a.length; d++) sum += a[d]! * vectors[d]!;
  return sum;
}

/** The best cosine with a vector behind the first. Four at a time: each sum waits for itself alone. */
function bestWindow(asked: Float64Array, vectors: Float32Array): number {
  const size = asked.length;
  const last = vectors.length - size;
  let best = 0;
  for (let first = size; first <= last; first += 4 * size) {
    // Beyond the last the last is taken again.
    const second = Math.min(first + size, last);
    const third = Math.min(second + size, last);
    const fourth = Math.min(third + size, last);
    let [a, b, c, e] = [0, 0, 0, 0];
    for (let d = 0; d < size; d++) {
      const value = asked[d]!;
      a += value * vectors[first + d]!;
      b += value * vectors[second + d]!;
      c += value * vectors[third + d]!;
      e += value * vectors[fourth + d]!;
    }
    best = Math.max(best, a, b, c, e);
  }
  return best;
}
