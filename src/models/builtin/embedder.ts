// The embedder that needs no key, no network and no download. Queries and documents are embedded alike, but that words of
// a query count more where they are rare.

import { setImmediate } from 'node:timers/promises';
import { throwIfAborted } from '../../domain/errors.ts';
import type { Embedder } from '../../ports/embedder.ts';
import { embedIds } from './embed.ts';
import { builtin, BUILTIN_EMBEDDER } from './index.ts';
import type { Tokenizer } from './tokenizer.ts';
import { builtinWeights } from './weights.ts';

/** Characters between two breaths of the event loop: a few milliseconds of work. */
const SLICE = 100_000;
/** How far rarity counts. Chosen on projects the embedding had not seen: docs/model-card.md. */
const RARITY_POWER = 0.3;

export function createBuiltinEmbedder(dimensions: number): Embedder {
  return {
    model: BUILTIN_EMBEDDER,
    dimensions,
    hosted: false,
    trust: builtin.trust,
    weighsWords: true,
    async embed(texts, { signal, onProgress, rarity }) {
      const weights = builtinWeights();
      const factors = rarity && factorsOf(weights.tokenizer, rarity);
      const vectors: Float32Array[] = [];
      // One piece of memory for all: a buffer of its own costs a vector as much as its numbers.
      const numbers = new Float32Array(texts.length * dimensions);
      let tokens = 0;
      let sliced = 0;
      for (const text of texts) {
        if (sliced > SLICE) {
          sliced = 0;
          onProgress?.(vectors.length);
          await setImmediate();
        }
        throwIfAborted(signal);
        const count = weights.tokenizer.encodeInto(text, weights.ids);
        const at = vectors.length * dimensions;
        const vector = numbers.subarray(at, at + dimensions);
        embedIds(weights, weights.ids.subarray(0, count), vector, factors);
        vectors.push(vector);
        tokens += count;
        sliced += text.length;
      }
      onProgress?.(vectors.length);
      return { vectors, tokens, requests: 0 };
    },
  };
}

/** Of the pieces of each word; of a piece in several words the most. */
function factorsOf(tokenizer: Tokenizer, rarity: ReadonlyMap<string, number>): Map<number, number> {
  const factors = new Map<number, number>();
  for (const [word, rare] of rarity)
    for (const id of tokenizer.encode(word))
      factors.set(id, Math.max(factors.get(id) ?? 0, rare ** RARITY_POWER));
  return factors;
}
