// How likely a passage answers: by the network beside the reranker's, or by a smaller one where only words were searched,
// which needs no vectors in memory.

import type { Relevance } from '../../ports/relevance.ts';
import { RELEVANCE_BOUNDS } from './relevance-weights.ts';
import { judge, nearest } from './reranker.ts';
import { judgeWords } from './words.ts';
import { WORDS_BOUNDS } from './words-weights.ts';

/** Of questions from elsewhere, nine in ten stay below this over one to ten passages: training/near.ts, docs/evaluation.md. */
const NEAR = 0.2;

export function createRelevance(): Relevance {
  const bounds = RELEVANCE_BOUNDS;
  return {
    bounds,
    judge: (question, passages) => ({ relevance: judge(question, passages).relevance, bounds }),
    isNear: (question, passages) => nearest(question, passages) >= NEAR,
    judgeWords: (question, passages) => ({
      relevance: judgeWords(question, passages),
      bounds: WORDS_BOUNDS,
    }),
  };
}
