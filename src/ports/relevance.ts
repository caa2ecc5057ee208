// Estimates how likely a passage answers a question, on a scale that is comparable between answers.

import type { RerankCandidate } from './reranker.ts';

export interface Judgement {
  /** The probability, 0 to 1, that each passage answers the question. */
  relevance: number[];
  /** The best relevance of an answer below which it holds nothing relevant, and below which it is weak. */
  bounds: { nothing: number; weak: number };
}

export interface Relevance {
  /** The bounds of what `judge`, or a reranker that gives relevance, says. */
  readonly bounds: Judgement['bounds'];
  /** From what the passages say; those of one list are judged together. */
  judge(question: string, passages: readonly RerankCandidate[]): Judgement;
  /** Whether the question is about something like one of few passages, though perhaps in words of its own. */
  isNear(question: string, passages: readonly RerankCandidate[]): boolean;
  /** From their scores by words alone (`WordHits.shares`): less sure, and costs nothing. */
  judgeWords(shares: readonly number[]): Judgement;
}
