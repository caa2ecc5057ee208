// How well the query's tokens are met by the nearest tokens of every passage. Each token is compared with the asked ones
// once, whatever number of passages holds it.

import { PRODUCT } from './kernel.ts';
import type { Passage } from './passage.ts';
import type { Weights } from './weights.ts';

/** Tokens are compared on the first part of their vectors: enough, and half the work. */
const SIZE = PRODUCT;

type Tokens = Pick<Passage, 'distinct' | 'kinds'>;

/** Per passage: the mean over the asked tokens, weighted by their norms, of the best cosine with a token of it. */
export type Nearest = (asked: readonly number[], passages: readonly Tokens[]) => number[];

export function createNearest(weights: Weights): Nearest {
  const rows = weights.scales.length;
  /** Where a token stands in the list of a call, as long as it is the token that stands there. */
  const places = new Int32Array(rows);
  const list = new Int32Array(rows);
  const lengths = new Float64Array(rows);

  function collect(passages: readonly Tokens[]): Int32Array {
    let count = 0;
    for (const { distinct, kinds } of passages)
      for (let at = 0; at < kinds; at++) {
        const id = distinct[at]!;
        const place = places[id]!;
        if (place < count && list[place] === id) continue;
        places[id] = count;
        list[count++] = id;
      }
    return list.subarray(0, count);
  }

  /** Before the products: the kernel has one place for its answers. */
  function measure(tokens: ArrayLike<number>): void {
    for (let at = 0; at < tokens.length; at++) {
      const id = tokens[at]!;
      if (lengths[id] === 0) lengths[id] = Math.sqrt(square(weights, id));
    }
  }

  /** Of every token with every asked one. */
  function cosines(asked: readonly number[], tokens: Int32Array): Float32Array {
    measure(asked);
    measure(tokens);
    const found = new Float32Array(tokens.length * asked.length);
    const own = asked.map((id) => lengths[id]!);
    products(weights, asked, tokens, (dots, from) => {
      for (let at = 0; at < dots.length; at += asked.length) {
        const start = from + at;
        const length = lengths[tokens[start / asked.length]!]!;
        for (let term = 0; term < asked.length; term++)
          found[start + term] = dots[at + term]! / (length * own[term]! || 1);
      }
    });
    return found;
  }

  return (query, passages) => {
    const asked = [...new Set(query)];
    const norms = asked.map((id) => norm(weights, id));
    const total = norms.reduce((sum, value) => sum + value, 0);
    if (!(total > 0)) return passages.map(() => 0);
    const found = cosines(asked, collect(passages));
    const best = new Float32Array(asked.length);
    return passages.map(({ distinct, kinds }) => {
      best.fill(0);
      for (let at = 0; at < kinds; at++) {
        const from = places[distinct[at]!]! * best.length;
        for (let term = 0; term < best.length; term++)
          if (found[from + term]! > best[term]!) best[term] = found[from + term]!;
      }
      let sum = 0;
      for (let term = 0; term < best.length; term++) sum += best[term]! * norms[term]!;
      return sum / total;
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
  const { fast, codes, dimensions, ids } = weights;
  if (!fast || dimensions < SIZE) {
    const size = Math.min(SIZE, dimensions);
    const dots = new Int32Array(tokens.length * asked.length);
    for (let at = 0; at < dots.length; at++) {
      const [a, b] = [tokens[Math.floor(at / asked.length)]!, asked[at % asked.length]!];
      dots[at] = product(codes, a * dimensions, b * dimensions, size);
    }
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
    kernel.products(ids.byteOffset, split, split + some.length * 4, codesAt, dimensions, room.byteOffset);
    take(room.subarray(0, some.length * asked.length), from * asked.length);
  }
}

function square({ fast, codes, dimensions, ids }: Weights, id: number): number {
  if (!fast || dimensions < SIZE)
    return product(codes, id * dimensions, id * dimensions, Math.min(SIZE, dimensions));
  const { kernel, codesAt, products: room } = fast;
  const at = ids.byteOffset;
  ids[0] = ids[1] = id;
  kernel.products(at, at + 4, at + 8, codesAt, dimensions, room.byteOffset);
  return room[0]!;
}

function product(codes: Int8Array, a: number, b: number, size: number): number {
  let sum = 0;
  for (let d = 0; d < size; d++) sum = (sum + Math.imul(codes[a + d]!, codes[b + d]!)) | 0;
  return sum;
}

function codeLength({ codes, dimensions }: Weights, id: number): number {
  const start = id * dimensions;
  return Math.sqrt(product(codes, start, start, dimensions));
}

/** How much a token counts in a text: the length of its vector. */
export function norm(weights: Weights, id: number): number {
  return codeLength(weights, id) * weights.scales[id]!;
}
