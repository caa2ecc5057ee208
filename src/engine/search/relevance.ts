// How relevant the hits are, and what the whole answer is worth: one scale for every mode and collection. A score only
// orders one answer; this says whether to believe it.

import { wordsOf, type WordQuery } from '../../domain/query.ts';
import { STOPWORDS } from '../../domain/stopwords.ts';
import { foldCase } from '../../domain/text.ts';
import type { Judgement } from '../../ports/relevance.ts';
import type { StoredChunk } from '../../ports/store.ts';
import type { EngineDeps } from '../deps.ts';
import type { CollectionView } from '../scope.ts';
import { isCode } from './rank-code.ts';
import { readable, type Candidate } from './rerank.ts';
import type { Chosen } from './select.ts';
import type { SearchResult, Verdict } from './types.ts';

/** What is asked for by its name, or quoted, answers, however little it looks like the question: 98 of 100 names do (docs/evaluation.md). */
const ASKED = 0.9;

/** The best of the first few decides, the same ones for every page of an answer. */
export const DECIDING = 10;

export interface Rating {
  /** Of each hit of the page. */
  relevance: number[];
  verdict: Verdict;
  /** What decides the verdict is not on the page, and nothing on it would do. */
  elsewhere?: true;
}

export interface Rated {
  /** All hits from the best on. */
  first: readonly Chosen[];
  page: readonly Chosen[];
  /** The words that were looked for, where the word search alone is to judge. */
  byWords?: WordQuery | undefined;
  /** Of the collections that were searched. */
  chunks: number;
}

export async function rate(
  deps: EngineDeps,
  question: string,
  { first, page, byWords, chunks }: Rated,
): Promise<Rating> {
  const deciding = first.slice(0, DECIDING);
  if (deciding.length === 0) return { relevance: [], verdict: 'nothing_relevant' };
  const passages = (hits: readonly Chosen[]) => hits.flatMap(({ candidates }) => candidates);
  const { byPassage, bounds } = await decidingFirst(passages(deciding), passages(page), (all) =>
    judged(deps, question, all, byWords),
  );
  // A hit that was joined of several passages answers where one of them does.
  const ofHit = ({ candidates }: Chosen): number =>
    Math.max(...candidates.map((one) => Math.max(byPassage.get(one)!, one.asked ? ASKED : 0)));
  const best = Math.max(...deciding.map(ofHit));
  // Names and what they define are found better than judged: it was learned on prose.
  const bestIsProse = deciding.some((hit) => ofHit(hit) === best && !isCode(hit.candidates[0]!.chunk));
  const deciders = deciding.flatMap(({ candidates }) => candidates.map(({ chunk }) => chunk));
  const relevances = page.map(ofHit);
  return {
    relevance: relevances,
    ...(bestIsProse && best >= bounds.weak && Math.max(...relevances) < bounds.nothing
      ? { elsewhere: true }
      : {}),
    verdict: await verdictOf(deps, question, {
      best,
      bounds,
      deciders,
      chunks,
      byWords: byWords !== undefined,
    }),
  };
}

/** The same for chunks that were found in other ways, out of so many; `asked` are those that the question names or quotes. */
export async function rateChunks(
  deps: EngineDeps,
  question: string,
  { found, asked, chunks }: { found: readonly StoredChunk[]; asked?: ReadonlySet<string>; chunks: number },
): Promise<Rating> {
  if (found.length === 0) return { relevance: [], verdict: 'nothing_relevant' };
  const model = await deps.models.relevance();
  const deciders = found.slice(0, DECIDING);
  const { byPassage, bounds } = await decidingFirst(deciders, found, (all) =>
    model.judge(question, all.map(readable)),
  );
  const relevance = found.map((chunk) => Math.max(byPassage.get(chunk)!, asked?.has(chunk.id) ? ASKED : 0));
  const best = Math.max(...relevance.slice(0, DECIDING));
  return { relevance, verdict: await verdictOf(deps, question, { best, bounds, deciders, chunks }) };
}

/**
 * Passages of one list are judged together. So those that decide are judged by themselves, and what else a page shows with
 * them in view: neither the verdict nor their relevance depends on the size of the page.
 */
async function decidingFirst<Passage>(
  deciding: readonly Passage[],
  shown: readonly Passage[],
  judge: (passages: readonly Passage[]) => Judgement | Promise<Judgement>,
): Promise<{ byPassage: Map<Passage, number>; bounds: Judgement['bounds'] }> {
  const { relevance, bounds } = await judge(deciding);
  const byPassage = new Map(deciding.map((passage, at) => [passage, relevance[at]!]));
  const others = shown.filter((passage) => !byPassage.has(passage));
  if (others.length > 0) {
    const all = await judge([...deciding, ...others]);
    others.forEach((passage, at) => byPassage.set(passage, all.relevance[deciding.length + at]!));
  }
  return { byPassage, bounds };
}

interface Evidence extends Pick<Judgement, 'bounds'> {
  best: number;
  deciders: readonly StoredChunk[];
  chunks: number;
  byWords?: boolean;
}

/**
 * The bounds were learned where many passages compete and one that answers shares words with the question. A few notes
 * may answer in other words: there, only a question about something else is told that there is nothing.
 */
async function verdictOf(deps: EngineDeps, question: string, evidence: Evidence): Promise<Verdict> {
  const { best, bounds, deciders, chunks, byWords = false } = evidence;
  if (best >= bounds.nothing) {
    // What was asked for by its name or quoted may be made of any words.
    const doubtful = best < bounds.weak || (best < ASKED && isOfNothing(question, deciders));
    return doubtful ? 'weak' : 'answered';
  }
  if (byWords || chunks > DECIDING) return 'nothing_relevant';
  const near = (await deps.models.relevance()).isNear(question, deciders.map(readable));
  return near ? 'weak' : 'nothing_relevant';
}

/** Every text has the small words and hardly one is about them, unless it is headed so: `where`, `while`. */
function isOfNothing(question: string, found: readonly StoredChunk[]): boolean {
  const words = question.match(/[\p{L}\p{N}]+/gu) ?? [];
  if (words.length === 0 || !words.every((word) => STOPWORDS.has(foldCase(word)))) return false;
  const asked = foldCase(question.trim());
  return !found.some(({ title, headingPath }) =>
    [title, ...headingPath].some((heading) => foldCase(heading) === asked),
  );
}

async function judged(
  deps: EngineDeps,
  question: string,
  candidates: readonly Candidate[],
  byWords?: WordQuery,
): Promise<Judgement> {
  const model = await deps.models.relevance();
  if (byWords) {
    const found = candidates.map(({ chunk, fused }) => ({ ...readable(chunk), share: fused.share ?? 0 }));
    // Beginnings of words (`conf*`) were found as such; as words they would seem to be missing.
    return model.judgeWords(wordsOf(byWords).whole.join(' '), found);
  }
  const known = candidates.flatMap(({ relevance }) => relevance ?? []);
  if (known.length === candidates.length) return { relevance: known, bounds: model.bounds };
  return model.judge(
    question,
    candidates.map(({ chunk }) => readable(chunk)),
  );
}

export const chunkCount = (collections: readonly CollectionView[]): number =>
  collections.reduce((sum, { stats }) => sum + stats.chunks, 0);

/** What a model should know before it uses the hits. */
export function verdictNotice(verdict: Verdict): SearchResult['notices'] {
  if (verdict === 'answered') return [];
  const message =
    verdict === 'weak'
      ? 'No passage clearly answers this; check the best ones before relying on them, or ask in other words.'
      : 'Nothing here seems to answer this: these passages are only the nearest. Say so rather than answer from them, or ask in other words.';
  return [{ code: verdict, message }];
}
