// The reranker that needs no key: a small network, learned on held-out training projects, over the features of every
// candidate. It reads no more than the beginning of very long texts, and never fails for what a text holds.

import { throwIfAborted } from '../../domain/errors.ts';
import type { RerankCandidate, Reranked, Reranker } from '../../ports/reranker.ts';
import { createFeatures, type Features } from './features.ts';
import { BUILTIN_RERANKER } from './index.ts';
import { BIAS, INNER, OFFSET, OUTER, SKIP } from './rerank-weights.ts';
import { builtinWeights } from './weights.ts';

/** A small model: the first stage keeps a say. Chosen on kinds of query it had not learned from. */
const SHARE = 0.6;

let features: Features | undefined;

export function createBuiltinReranker(): Reranker {
  return {
    model: BUILTIN_RERANKER,
    hosted: false,
    share: SHARE,
    async rerank(query, candidates, { signal }) {
      throwIfAborted(signal);
      return rerankBuiltin(query, candidates);
    },
  };
}

/** Pure; best first, equal scores in the order given. */
export function rerankBuiltin(query: string, candidates: readonly RerankCandidate[]): Reranked {
  if (candidates.length === 0) return { order: [], tokens: 0 };
  features ??= createFeatures(builtinWeights());
  const { rows, tokens } = features(query, candidates);
  const order = rows
    .map((row, index) => ({ index, judged: judge(row) }))
    .sort((a, b) => b.judged - a.judged || a.index - b.index)
    .map(({ index, judged }) => ({ index, score: sigmoid(judged) }));
  return { order, tokens };
}

/** Calibrated: the sigmoid of it is about how often such a candidate was the right one. */
function judge(row: readonly number[]): number {
  let score = OFFSET + weighted(row, SKIP);
  for (let unit = 0; unit < OUTER.length; unit++)
    score += OUTER[unit]! * Math.tanh(BIAS[unit]! + weighted(row, INNER[unit]!));
  return score;
}

function weighted(row: readonly number[], weights: readonly number[]): number {
  let sum = 0;
  for (let at = 0; at < row.length; at++) sum += row[at]! * weights[at]!;
  return sum;
}

function sigmoid(value: number): number {
  return 1 / (1 + Math.exp(-value));
}
