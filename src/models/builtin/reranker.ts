// The judges that need no key: two small networks over the features of every passage, learned on held-out training
// projects. One orders the candidates of a question, the other estimates how likely each of them answers it. Very long
// texts are read only in part, and no text can make them fail.

import { throwIfAborted } from '../../domain/errors.ts';
import { dot } from '../../domain/vectors.ts';
import type { RerankCandidate, Reranked, Reranker } from '../../ports/reranker.ts';
import { createFeatures, FEATURES, RELATIVE, type Features } from './features.ts';
import { BUILTIN_RERANKER } from './index.ts';
import { score, sigmoid } from './network.ts';
import { RELEVANCE } from './relevance-weights.ts';
import { RERANK } from './rerank-weights.ts';
import { builtinWeights } from './weights.ts';

/** A small model: the first stage keeps a say. Chosen on kinds of query it had not learned from. */
const SHARE = 0.6;
/** It reads twenty as well as fifty (docs/decisions/performance.md), in half the time. */
const READS = 20;
/** How far behind the best candidate one may be said to be. */
const FAR_BEHIND = -8;
/** What a passage's score takes from the two passages most like it: chosen on one half of the judged sets (docs/evaluation.md). */
const BORROWED = 0.15;
/** So many of the best lend and borrow. */
const MOST_LENDING = 50;

const WHOLE = FEATURES.indexOf('whole');

let features: Features | undefined;

export function createBuiltinReranker(): Reranker {
  return {
    model: BUILTIN_RERANKER,
    hosted: false,
    share: SHARE,
    reads: READS,
    async rerank(query, candidates, { signal }) {
      throwIfAborted(signal);
      return rerankBuiltin(query, candidates);
    },
  };
}

/** Pure; best first, equal scores in the order given. */
export function rerankBuiltin(query: string, candidates: readonly RerankCandidate[]): Reranked {
  const { judged, relevance, vectors, tokens } = judge(query, candidates);
  const order = judged
    .map((value, index) => ({ index, score: sigmoid(value), relevance: relevance[index]! }))
    .sort((a, b) => b.score - a.score || a.index - b.index);
  borrow(order, vectors, vectors.length / judged.length);
  order.sort((a, b) => b.score - a.score || a.index - b.index);
  return { order, tokens };
}

/** Passages that say the same confirm each other: a good one among strangers is more often good by chance. */
function borrow(order: Reranked['order'], vectors: Float32Array, dimensions: number): void {
  const lending = order.slice(0, MOST_LENDING);
  const scores = lending.map(({ score }) => score);
  const like = likenesses(
    lending.map(({ index }) => vectors.subarray(index * dimensions, (index + 1) * dimensions)),
  );
  order.forEach((one, at) => {
    let [total, lent] = [0, 0];
    for (const other of mostAlike(like[at], at)) {
      total += like[at]![other]!;
      lent += like[at]![other]! * scores[other]!;
    }
    one.score = (1 - BORROWED) * one.score + (total > 0 ? (BORROWED * lent) / total : 0);
  });
}

/** Cosines of every two, 0 where they are negative. A function of its own, so that V8 compiles this loop alone, and once. */
function likenesses(vectors: readonly Float32Array[]): Float64Array[] {
  const like = vectors.map(() => new Float64Array(vectors.length));
  for (let at = 0; at < vectors.length; at++)
    for (let other = 0; other < at; other++)
      like[at]![other] = like[other]![at] = Math.max(0, dot(vectors[at]!, vectors[other]!));
  return like;
}

/** The two most alike of the others, of equals the earlier. */
function mostAlike(like: Float64Array | undefined, at: number): number[] {
  let [first, second] = [-1, -1];
  like?.forEach((likeness, other) => {
    if (other === at) return;
    if (first === -1 || likeness > like[first]!) [first, second] = [other, first];
    else if (second === -1 || likeness > like[second]!) second = other;
  });
  return [first, second].filter((found) => found !== -1);
}

/** The best cosine of the whole question and a whole passage. */
export function nearest(question: string, passages: readonly RerankCandidate[]): number {
  features ??= createFeatures(builtinWeights());
  return Math.max(...features(question, passages).rows.map((row) => row[WHOLE]!));
}

/**
 * `judged` orders, and its sigmoid is about how often such a candidate was the right one of its list; `relevance` means
 * the same in every list: it rests on the features that do, and on how far a passage is behind the best.
 */
export function judge(
  question: string,
  passages: readonly RerankCandidate[],
): { judged: number[]; relevance: number[]; vectors: Float32Array; tokens: number } {
  if (passages.length === 0) return { judged: [], relevance: [], vectors: new Float32Array(), tokens: 0 };
  features ??= createFeatures(builtinWeights());
  const { rows, vectors, tokens } = features(question, passages);
  const judged = rows.map((row) => score(RERANK, row));
  const best = Math.max(...judged);
  const relevance = rows.map((row, at) => {
    const behind = Math.max(judged[at]! - best, FAR_BEHIND);
    return sigmoid(score(RELEVANCE, [...row.slice(RELATIVE), behind]));
  });
  return { judged, relevance, vectors, tokens };
}
