// Estimates how likely a passage answers a question, on a scale that is comparable between answers.

import type { RerankCandidate } from './reranker.ts';

export interface Judgement {
  /** The probability, 0 to 1, that each passage answers the question. */
  relevance: number[];
  /** The best relevance of an answer below which it holds nothing relevant, and below which it is weak. */
  bounds: { nothing: number; weak: number };
}

/** A passage found by words. */
export interface WordCandidate extends RerankCandidate {
  /** Its score, as a share of the best possible one (`WordHits.shares`). */
  share: number;
}

export interface Relevance {
  /** The bounds of what `judge`, or a reranker that gives relevance, says. */
  readonly bounds: Judgement['bounds'];
  /** From what the passages say; those of one list are judged together. */
  judge(question: string, passages: readonly RerankCandidate[]): Judgement;
  /** Whether the question is about something like one of few passages, though perhaps in words of its own. */
  isNear(question: string, passages: readonly RerankCandidate[]): boolean;
  /** From words alone: less sure, in far less memory. The question is the words that were looked for. */
  judgeWords(question: string, passages: readonly WordCandidate[]): Judgement;
}
