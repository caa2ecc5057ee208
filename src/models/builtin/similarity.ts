// What the built-in vectors say about a query and its candidates: whole texts, their best passage, single words, and
// nearness to the candidates that came first.

import { normalised } from './embed.ts';
import type { Weights } from './weights.ts';

const BLOCK = 24;
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
  candidates: readonly (readonly number[])[],
  leading: readonly number[],
): Similarity {
  const { dimensions } = weights;
  const sum = new Float64Array(dimensions);
  for (const id of query.all) addRow(weights, id, sum);
  const asked = normalised(sum);
  const wholes = candidates.map(() => new Float64Array(dimensions));
  const passage = candidates.map((ids, at) => bestPassage(weights, asked, ids, wholes[at]!));
  const vectors = wholes.map(normalised);
  const centre = new Float64Array(dimensions);
  for (const at of leading) for (let d = 0; d < dimensions; d++) centre[d]! += vectors[at]![d]!;
  const middle = normalised(centre);
  return {
    whole: vectors.map((vector) => dot(asked, vector)),
    passage,
    soft: softMatches(weights, query.telling.slice(0, MAX_QUERY_TOKENS), candidates),
    leaders: vectors.map((vector) => dot(middle, vector)),
  };
}

function dot(a: Float32Array, b: Float32Array): number {
  let sum = 0;
  for (let d = 0; d < a.length; d++) sum += a[d]! * b[d]!;
  return sum;
}

function addRow(weights: Weights, id: number, sum: Float64Array): void {
  const { codes, dimensions } = weights;
  const scale = weights.scales[id]!;
  const start = id * dimensions;
  for (let d = 0; d < dimensions; d++) sum[d]! += codes[start + d]! * scale;
}

/** Two rows a round: the sum is read and written half as often. */
function addRows(weights: Weights, ids: readonly number[], range: [number, number], sum: Float64Array): void {
  const { codes, scales, dimensions } = weights;
  let [at] = range;
  for (; at + 1 < range[1]; at += 2) {
    const first = ids[at]! * dimensions;
    const second = ids[at + 1]! * dimensions;
    const a = scales[ids[at]!]!;
    const b = scales[ids[at + 1]!]!;
    for (let d = 0; d < dimensions; d++) sum[d]! += codes[first + d]! * a + codes[second + d]! * b;
  }
  if (at < range[1]) addRow(weights, ids[at]!, sum);
}

/** The best cosine of two neighbouring blocks; adds all blocks to `whole`. */
function bestPassage(
  weights: Weights,
  asked: Float32Array,
  ids: readonly number[],
  whole: Float64Array,
): number {
  let best = 0;
  let before = new Float64Array(asked.length);
  let block = new Float64Array(asked.length);
  for (let from = 0; from < ids.length; from += BLOCK) {
    addRows(weights, ids, [from, Math.min(ids.length, from + BLOCK)], block);
    let along = 0;
    let square = 0;
    for (let d = 0; d < block.length; d++) {
      whole[d]! += block[d]!;
      const value = block[d]! + before[d]!;
      along += value * asked[d]!;
      square += value * value;
    }
    if (square > 0) best = Math.max(best, along / Math.sqrt(square));
    const done = block;
    block = before.fill(0);
    before = done;
  }
  return best;
}

/** Per candidate: the mean over the query's tokens, weighted by their norms, of the best cosine with a token of it. */
function softMatches(
  weights: Weights,
  query: readonly number[],
  candidates: readonly (readonly number[])[],
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
