// The judges that need no key: two small networks over the features of every passage, learned on held-out training
// projects. One orders the candidates of a question, the other says how likely each of them answers it. They read no
// more than the beginning of very long texts, and never fail for what a text holds.

import { throwIfAborted } from '../../domain/errors.ts';
import type { RerankCandidate, Reranked, Reranker } from '../../ports/reranker.ts';
import { createFeatures, RELATIVE, type Features } from './features.ts';
import { BUILTIN_RERANKER } from './index.ts';
import { score, sigmoid } from './network.ts';
import { RELEVANCE } from './relevance-weights.ts';
import { RERANK } from './rerank-weights.ts';
import { builtinWeights } from './weights.ts';

/** A small model: the first stage keeps a say. Chosen on kinds of query it had not learned from. */
const SHARE = 0.6;
/** How far behind the best candidate one may be said to be. */
const FAR_BEHIND = -8;

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
  const { judged, relevance, tokens } = judge(query, candidates);
  const order = judged
    .map((value, index) => ({ index, judged: value }))
    .sort((a, b) => b.judged - a.judged || a.index - b.index)
    .map(({ index, judged }) => ({ index, score: sigmoid(judged), relevance: relevance[index]! }));
  return { order, tokens };
}

/**
 * `judged` orders, and its sigmoid is about how often such a candidate was the right one of its list; `relevance` means
 * the same in every list: it rests on the features that do, and on how far a passage is behind the best.
 */
export function judge(
  question: string,
  passages: readonly RerankCandidate[],
): { judged: number[]; relevance: number[]; tokens: number } {
  if (passages.length === 0) return { judged: [], relevance: [], tokens: 0 };
  features ??= createFeatures(builtinWeights());
  const { rows, tokens } = features(question, passages);
  const judged = rows.map((row) => score(RERANK, row));
  const best = Math.max(...judged);
  const relevance = rows.map((row, at) => {
    const behind = Math.max(judged[at]! - best, FAR_BEHIND);
    return sigmoid(score(RELEVANCE, [...row.slice(RELATIVE), behind]));
  });
  return { judged, relevance, tokens };
}
