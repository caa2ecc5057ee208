// The embedder that needs no key, no network and no download. Queries and documents are embedded alike.

import { setImmediate } from 'node:timers/promises';
import { throwIfAborted } from '../../domain/errors.ts';
import type { Embedder } from '../../ports/embedder.ts';
import { embedIds } from './embed.ts';
import { builtin, BUILTIN_EMBEDDER } from './index.ts';
import { builtinWeights } from './weights.ts';

/** Characters between two breaths of the event loop: a few milliseconds of work. */
const SLICE = 100_000;

export function createBuiltinEmbedder(dimensions: number): Embedder {
  return {
    model: BUILTIN_EMBEDDER,
    dimensions,
    space: BUILTIN_EMBEDDER,
    hosted: false,
    trust: builtin.trust,
    async embed(texts, { signal, onProgress }) {
      const weights = builtinWeights();
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
        embedIds(weights, weights.ids, count, vector);
        vectors.push(vector);
        tokens += count;
        sliced += text.length;
      }
      onProgress?.(vectors.length);
      return { vectors, tokens, requests: 0 };
    },
  };
}
