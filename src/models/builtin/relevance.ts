// How likely a passage answers. From its text, by the network beside the reranker's; or from the score of a search by
// words alone, by one curve: good enough where nothing is read again.

import type { Relevance } from '../../ports/relevance.ts';
import { sigmoid } from './network.ts';
import { BOUNDS, WORDS } from './relevance-weights.ts';
import { judge, nearest } from './reranker.ts';

/** Of questions from elsewhere, nine in ten stay below this over one to ten passages: training/near.ts, docs/evaluation.md. */
const NEAR = 0.2;

export function createRelevance(): Relevance {
  return {
    bounds: BOUNDS,
    judge: (question, passages) => ({ relevance: judge(question, passages).relevance, bounds: BOUNDS }),
    isNear: (question, passages) => nearest(question, passages) >= NEAR,
    judgeWords(shares) {
      const best = Math.max(0, ...shares);
      const { offset, share, behind, bounds } = WORDS;
      return {
        relevance: shares.map((own) => sigmoid(offset + share * own + behind * (own - best))),
        bounds,
      };
    },
  };
}
