// What the tokens say about a question and a passage: how well each token of the question is met by the nearest token of
// the passage, and of its best part. Each token is compared with the asked ones once, whatever number of passages holds it.

import { PRODUCT } from './kernel.ts';
import type { Passage } from './passage.ts';
import type { Weights } from './weights.ts';

/** Tokens are compared on the first part of their vectors: enough, and half the work. */
const SIZE = PRODUCT;
/** Parts of so many tokens; two neighbours are looked at together. */
const STEP = 24;

/** Means over the asked tokens, weighted by their norms, of the best cosine. */
export interface Nearness {
  soft: number;
  window: number;
}

export type Nearest = (asked: readonly number[], ids: Int32Array, passages: readonly Passage[]) => Nearness[];

export function createNearest(weights: Weights): Nearest {
  const rows = weights.scales.length;
  /** Where a token stands in the list of a call, as long as it is the token that stands there. */
  const places = new Int32Array(rows);
  const list = new Int32Array(rows);
  const lengths = new Float32Array(rows);

  function collect(ids: Int32Array, end: number): Int32Array {
    let count = 0;
    for (let at = 0; at < end; at++) {
      const id = ids[at]!;
      const place = places[id]!;
      if (place < count && list[place] === id) continue;
      places[id] = count;
      list[count++] = id;
    }
    return list.subarray(0, count);
  }

  function lengthOf(id: number): number {
    if (lengths[id] === 0) lengths[id] = Math.sqrt(product(weights, id, id)) || 1;
    return lengths[id]!;
  }

  /** Of every token with every asked one. */
  function cosines(asked: readonly number[], tokens: Int32Array): Float32Array {
    const found = new Float32Array(tokens.length * asked.length);
    weights.need(tokens, tokens.length);
    const own = asked.map(lengthOf);
    products(weights, asked, tokens, (dots, from) => {
      for (let at = 0; at < dots.length; at += asked.length) {
        const start = from + at;
        const length = lengthOf(tokens[start / asked.length]!);
        for (let term = 0; term < asked.length; term++)
          found[start + term] = dots[at + term]! / (length * own[term]!);
      }
    });
    return found;
  }

  return (question, ids, passages) => {
    const asked = [...new Set(question)];
    const norms = asked.map((id) => norm(weights, id));
    const total = norms.reduce((sum, value) => sum + value, 0);
    if (!(total > 0)) return passages.map(() => ({ soft: 0, window: 0 }));
    const found = cosines(asked, collect(ids, passages.at(-1)?.tokensEnd ?? 0));
    const [whole, here, before] = [0, 1, 2].map(() => new Float32Array(asked.length)) as [Float32Array, Float32Array, Float32Array]; // prettier-ignore
    const mean = (best: Float32Array, other?: Float32Array): number => {
      let sum = 0;
      for (let term = 0; term < best.length; term++)
        sum += Math.max(best[term]!, other?.[term] ?? 0) * norms[term]!;
      return sum / total;
    };
    const meet = (best: Float32Array, from: number, to: number): void => {
      for (let at = from; at < to; at++) {
        const start = places[ids[at]!]! * best.length;
        for (let term = 0; term < best.length; term++)
          if (found[start + term]! > best[term]!) best[term] = found[start + term]!;
      }
    };
    return passages.map(({ tokens, textTokens, tokensEnd }) => {
      whole.fill(0);
      meet(whole, tokens, textTokens);
      before.fill(0);
      let window = 0;
      for (let from = textTokens; from < tokensEnd; from += STEP) {
        here.fill(0);
        meet(here, from, Math.min(from + STEP, tokensEnd));
        window = Math.max(window, mean(here, before));
        for (let term = 0; term < here.length; term++)
          if (here[term]! > whole[term]!) whole[term] = here[term]!;
        before.set(here);
      }
      return { soft: mean(whole), window };
    });
  };
}

/** Scalar products of codes, token by token, in as many parts as the kernel needs. */
function products(
  weights: Weights,
  asked: readonly number[],
  tokens: Int32Array,
  take: (dots: Int32Array, from: number) => void,
): void {
  const { fast, ids } = weights;
  if (!fast || weights.dimensions < SIZE) {
    const dots = new Int32Array(tokens.length * asked.length);
    for (let at = 0; at < dots.length; at++)
      dots[at] = product(weights, tokens[Math.floor(at / asked.length)]!, asked[at % asked.length]!);
    take(dots, 0);
    return;
  }
  const { kernel, codesAt, products: room } = fast;
  const part = Math.floor((room.length - asked.length) / asked.length);
  const split = ids.byteOffset + asked.length * 4;
  for (let from = 0; from < tokens.length; from += part) {
    const some = tokens.subarray(from, from + part);
    ids.set(asked);
    ids.set(some, asked.length);
    kernel.products(
      ids.byteOffset,
      split,
      split + some.length * 4,
      codesAt,
      weights.dimensions,
      room.byteOffset,
    );
    take(room.subarray(0, some.length * asked.length), from * asked.length);
  }
}

function product(
  { codes, dimensions }: Weights,
  a: number,
  b: number,
  size = Math.min(SIZE, dimensions),
): number {
  const [from, other] = [a * dimensions, b * dimensions];
  let sum = 0;
  for (let d = 0; d < size; d++) sum = (sum + Math.imul(codes[from + d]!, codes[other + d]!)) | 0;
  return sum;
}

/** How much a token counts in a text: the length of its vector. */
export function norm(weights: Weights, id: number): number {
  weights.need([id], 1);
  return Math.sqrt(product(weights, id, id, weights.dimensions)) * weights.scales[id]!;
}
