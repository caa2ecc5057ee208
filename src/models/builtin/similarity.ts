// What the built-in vectors say about a query and its candidates: whole texts, their best passage, single words, and
// nearness to the candidates that came first.

import { embedIds } from './embed.ts';
import type { Weights } from './weights.ts';

const STEP = 24;
/** Single words are compared on the first part of their vectors: enough, and half the work. */
const WORD_DIMENSIONS = 128;
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
  weights: Weights,
  query: Asked,
  candidates: readonly Int32Array[],
  leading: readonly number[],
): Similarity {
  const asked = embedded(weights, query.all);
  const vectors = candidates.map((ids) => embedded(weights, ids));
  const middle = new Float32Array(weights.dimensions);
  for (const at of leading) for (let d = 0; d < middle.length; d++) middle[d]! += vectors[at]![d]!;
  const length = Math.sqrt(dot(middle, middle)) || 1;
  return {
    whole: vectors.map((vector) => dot(asked, vector)),
    passage: candidates.map((ids) => bestPassage(weights, asked, ids)),
    soft: softMatches(weights, query.telling.slice(0, MAX_QUERY_TOKENS), candidates),
    leaders: vectors.map((vector) => dot(middle, vector) / length),
  };
}

function embedded(weights: Weights, ids: ArrayLike<number>): Float32Array {
  const vector = new Float32Array(weights.dimensions);
  embedIds(weights, ids, ids.length, vector);
  return vector;
}

function dot(a: Float32Array, b: Float32Array): number {
  let sum = 0;
  for (let d = 0; d < a.length; d++) sum += a[d]! * b[d]!;
  return sum;
}

/** The best cosine of a window of tokens; each overlaps the next by half. */
function bestPassage(weights: Weights, asked: Float32Array, ids: Int32Array): number {
  const vector = new Float32Array(asked.length);
  let best = 0;
  for (let from = 0; from < ids.length; from += STEP) {
    const window = ids.subarray(from, from + 2 * STEP);
    embedIds(weights, window, window.length, vector);
    best = Math.max(best, dot(asked, vector));
    if (from + 2 * STEP >= ids.length) break;
  }
  return best;
}

/** Per candidate: the mean over the query's tokens, weighted by their norms, of the best cosine with a token of it. */
function softMatches(
  weights: Weights,
  query: readonly number[],
  candidates: readonly Int32Array[],
): number[] {
  const asked = [...new Set(query)];
  const norms = asked.map((id) => norm(weights, id));
  const total = norms.reduce((sum, value) => sum + value, 0);
  const cosines = wordCosines(weights, asked);
  const best = new Float32Array(asked.length);
  return candidates.map((ids, candidate) => {
    best.fill(0);
    for (let at = 0; at < ids.length; at++) cosines.raise(ids[at]!, candidate, best);
    let sum = 0;
    for (let term = 0; term < best.length; term++) sum += best[term]! * norms[term]!;
    return total > 0 ? sum / total : 0;
  });
}

interface WordCosines {
  /** Raises the best cosine of every asked token to that of `id`; a second time for the same candidate does nothing. */
  raise(id: number, candidate: number, best: Float32Array): void;
}

/** Each token is compared with the asked ones once, whatever number of candidates holds it. */
function wordCosines(weights: Weights, asked: readonly number[]): WordCosines {
  const { codes, dimensions } = weights;
  const size = Math.min(WORD_DIMENSIONS, dimensions);
  const lengths = asked.map((id) => codeLength(weights, id, size));
  const known = new Map<number, { cosines: Float32Array; seen: number }>();

  function compare(id: number): Float32Array {
    const found = new Float32Array(asked.length);
    const start = id * dimensions;
    const length = codeLength(weights, id, size);
    for (let term = 0; term < asked.length; term++) {
      const other = asked[term]! * dimensions;
      let sum = 0;
      for (let d = 0; d < size; d++) sum = (sum + Math.imul(codes[start + d]!, codes[other + d]!)) | 0;
      found[term] = sum / (length * lengths[term]! || 1);
    }
    return found;
  }

  return {
    raise(id, candidate, best) {
      let entry = known.get(id);
      if (!entry) known.set(id, (entry = { cosines: compare(id), seen: -1 }));
      if (entry.seen === candidate) return;
      entry.seen = candidate;
      const { cosines } = entry;
      for (let term = 0; term < best.length; term++)
        if (cosines[term]! > best[term]!) best[term] = cosines[term]!;
    },
  };
}

function codeLength({ codes, dimensions }: Weights, id: number, size: number): number {
  const start = id * dimensions;
  let square = 0;
  for (let d = 0; d < size; d++) square = (square + Math.imul(codes[start + d]!, codes[start + d]!)) | 0;
  return Math.sqrt(square);
}

/** How much a token counts in a text: the length of its vector. */
export function norm(weights: Weights, id: number): number {
  return codeLength(weights, id, weights.dimensions) * weights.scales[id]!;
}
