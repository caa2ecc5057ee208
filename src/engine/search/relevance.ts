// How relevant the hits are, and what the whole answer is worth: one scale for every mode and collection. A score only
// orders one answer; this says whether to believe it.

import type { Judgement } from '../../ports/relevance.ts';
import type { StoredChunk } from '../../ports/store.ts';
import type { EngineDeps } from '../deps.ts';
import { readable, type Candidate } from './rerank.ts';
import type { Chosen } from './select.ts';
import type { SearchResult, Verdict } from './types.ts';

/** The best of the first few decides, the same ones for every page of an answer. */
export const DECIDING = 10;

export interface Rating {
  /** Of each hit of the page. */
  relevance: number[];
  verdict: Verdict;
}

export interface Rated {
  /** All hits from the best on. */
  first: readonly Chosen[];
  page: readonly Chosen[];
  /** From the scores of the word search alone, which mean something by themselves. */
  byWords: boolean;
}

export async function rate(
  deps: EngineDeps,
  question: string,
  { first, page, byWords }: Rated,
): Promise<Rating> {
  const deciding = first.slice(0, DECIDING);
  if (deciding.length === 0) return { relevance: [], verdict: 'nothing_relevant' };
  const hits = [...new Set([...deciding, ...page])];
  const passages = hits.flatMap(({ candidates }) => candidates);
  const { relevance, bounds } = await judged(deps, question, passages, byWords);
  const byPassage = new Map(passages.map((passage, at) => [passage, relevance[at]!]));
  // A hit that was joined of several passages answers where one of them does.
  const ofHit = ({ candidates }: Chosen): number => Math.max(...candidates.map((one) => byPassage.get(one)!));
  return { relevance: page.map(ofHit), verdict: verdictOf(Math.max(...deciding.map(ofHit)), bounds) };
}

/** The same for chunks that were found in other ways. */
export async function rateChunks(
  deps: EngineDeps,
  question: string,
  chunks: readonly StoredChunk[],
): Promise<Rating> {
  if (chunks.length === 0) return { relevance: [], verdict: 'nothing_relevant' };
  const { relevance, bounds } = (await deps.models.relevance()).judge(question, chunks.map(readable));
  return { relevance, verdict: verdictOf(Math.max(...relevance.slice(0, DECIDING)), bounds) };
}

function verdictOf(best: number, { nothing, weak }: Judgement['bounds']): Verdict {
  return best < nothing ? 'nothing_relevant' : best < weak ? 'weak' : 'answered';
}

async function judged(
  deps: EngineDeps,
  question: string,
  candidates: readonly Candidate[],
  byWords: boolean,
): Promise<Judgement> {
  const model = await deps.models.relevance();
  if (byWords) return model.judgeWords(candidates.map(({ fused }) => fused.share ?? 0));
  const known = candidates.flatMap(({ relevance }) => relevance ?? []);
  if (known.length === candidates.length) return { relevance: known, bounds: model.bounds };
  return model.judge(
    question,
    candidates.map(({ chunk }) => readable(chunk)),
  );
}

/** What a model should know before it uses the hits. */
export function verdictNotice(verdict: Verdict): SearchResult['notices'] {
  if (verdict === 'answered') return [];
  const message =
    verdict === 'weak'
      ? 'No passage clearly answers this; check the best ones before relying on them, or ask in other words.'
      : 'Nothing here seems to answer this: the passages below are only the nearest. Say so rather than answer from them, or ask in other words.';
  return [{ code: verdict, message }];
}
