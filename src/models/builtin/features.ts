// The numbers the reranker judges a candidate by. Most are relative to the other candidates of the same query, because
// only their order matters. The first stage's scores are not among them: they are weighed beside its judgement. The
// learned weights name the features by position: a change here needs new weights.

import type { RerankCandidate } from '../../ports/reranker.ts';
import { embedIds } from './embed.ts';
import { coverage, covered, matchesOf, wanted, type Matches } from './matches.ts';
import { createNearest, norm } from './nearest.ts';
import { MAX_TERMS, MAX_TEXT } from './passage.ts';
import { createPassages } from './passages.ts';
import { bestOf, dot, towards } from './similarity.ts';
import { queryTerms } from './terms.ts';
import type { Weights } from './weights.ts';

export const FEATURES = [
  'bm25',
  'bm25Weighted',
  'coverage',
  'coverageLocal',
  'exact',
  'pairs',
  'window',
  'lead',
  'missing',
  'whole',
  'wholeRelative',
  'passage',
  'passageRelative',
  'soft',
  'softRelative',
  'leaders',
  'place',
  'titleNamed',
  'headingNamed',
] as const; // prettier-ignore

const LEADERS = 5;
const MAX_QUERY_TOKENS = 48;
const K1 = 1.2;
const B = 0.75;

export interface Judged {
  rows: number[][];
  /** Tokens read. */
  tokens: number;
}

export type Features = (query: string, candidates: readonly RerankCandidate[]) => Judged;

/** Without the memory of passages read before; the numbers are the same. */
export function featuresOf(weights: Weights, query: string, candidates: readonly RerankCandidate[]): Judged {
  return createFeatures(weights)(query, candidates);
}

export function createFeatures(weights: Weights): Features {
  const { tokenizer } = weights;
  const passages = createPassages(weights);
  const nearest = createNearest(weights);
  return (query, candidates) => {
    passages.begin();
    const { lexicon } = passages;
    const terms = queryTerms(lexicon, query.slice(0, MAX_TEXT), MAX_TERMS);
    const pieces = terms.map(({ word }) => tokenizer.encode(word));
    const importance = shares(pieces.map((ids) => heaviest(weights, ids)));
    const tokens = tokenizer.encode(query.slice(0, MAX_TEXT));
    const meant = embedded(weights, tokens);
    const whole: number[] = [];
    const passage: number[] = [];
    const read = candidates.map((candidate) => {
      const known = passages.read(candidate);
      const like = dot(meant, known.whole);
      whole.push(like);
      // Here, because the next passage may take the place of its windows.
      passage.push(
        known.windows.length > 0 ? bestOf(meant, passages.vectors, known.windows) : Math.max(0, like),
      );
      return known;
    });
    const asked = wanted(terms, importance, lexicon.stems);
    const matches = read.map((known) => matchesOf(known, asked));
    const local = rarity(matches, terms.length);
    const lexical = relative(bm25(matches, local));
    const weighted = relative(bm25(matches, importance));
    const words = firstStage(candidates.map((c) => c.words)) ?? lexical;
    const leading = best(words, LEADERS).map((at) => read[at]!.whole);
    const soft = nearest(pieces.flat().slice(0, MAX_QUERY_TOKENS), read);
    const leaders = towards(leading, read.map((known) => known.whole)); // prettier-ignore
    const [wholeRelative, passageRelative] = [relative(whole), relative(passage)];
    const [softRelative, leadersRelative] = [relative(soft), relative(leaders)];
    const localShares = shares(local);
    const stems = new Set(terms.map(({ stem }) => stem));
    const rows = matches.map((match, at) => [
      lexical[at]!,
      weighted[at]!,
      covered(match.counts, importance),
      covered(match.counts, localShares),
      covered(match.exact, importance),
      match.pairs,
      match.window,
      match.lead,
      heaviestMissing(match, importance),
      whole[at]!,
      wholeRelative[at]!,
      passage[at]!,
      passageRelative[at]!,
      soft[at]!,
      softRelative[at]!,
      leadersRelative[at]!,
      coverage(read[at]!, read[at]!.placeWords, asked),
      nameShare(read[at]!.titleStems, stems),
      nameShare(read[at]!.headingStems, stems),
    ]);
    return { rows, tokens: read.reduce((sum, { tokens }) => sum + tokens, tokens.length) };
  };
}

function embedded(weights: Weights, ids: readonly number[]): Float64Array {
  const vector = new Float32Array(weights.dimensions);
  embedIds(weights, ids, ids.length, vector);
  return Float64Array.from(vector);
}

/** The share of a name's words that the query says: 1 where a title is asked for by name. */
function nameShare(name: readonly number[], stems: ReadonlySet<number>): number {
  if (name.length === 0) return 0;
  let said = 0;
  for (const stem of name) if (stems.has(stem)) said += 1;
  return said / name.length;
}

/** How much the vectors say a term counts: the length of its pieces' vectors. */
function heaviest(weights: Weights, pieces: readonly number[]): number {
  return pieces.reduce((most, id) => Math.max(most, norm(weights, id)), 0);
}

function shares(values: readonly number[]): number[] {
  const total = values.reduce((sum, value) => sum + value, 0);
  return values.map((value) => (total > 0 ? value / total : 1 / values.length));
}

/** Inverse frequency among the candidates. */
function rarity(matches: readonly Matches[], terms: number): number[] {
  return Array.from({ length: terms }, (_, term) => {
    const having = matches.reduce((sum, match) => sum + (match.counts[term] ? 1 : 0), 0);
    return Math.log(1 + (matches.length - having + 0.5) / (having + 0.5));
  });
}

function bm25(matches: readonly Matches[], weights: readonly number[]): number[] {
  const mean = matches.reduce((sum, match) => sum + match.length, 0) / Math.max(matches.length, 1) || 1;
  return matches.map(({ counts, length }) =>
    counts.reduce(
      (sum, count, term) =>
        sum + (weights[term]! * count * (K1 + 1)) / (count + K1 * (1 - B + (B * length) / mean)),
      0,
    ),
  );
}

/** Between 0 for the least and 1 for the most of the list. */
function relative(values: readonly number[]): number[] {
  const low = Math.min(...values);
  const span = Math.max(...values) - low;
  return values.map((value) => (span > 0 ? (value - low) / span : 0));
}

/** Undefined when no candidate has a score: then there was no first stage. */
function firstStage(scores: readonly (number | undefined)[]): number[] | undefined {
  if (scores.every((score) => score === undefined)) return undefined;
  return scores.map((score) => (Number.isFinite(score) ? Math.min(Math.max(score!, 0), 1) : 0));
}

function best(scores: readonly number[], count: number): number[] {
  return scores
    .map((score, at) => ({ score, at }))
    .sort((a, b) => b.score - a.score || a.at - b.at)
    .slice(0, count)
    .map(({ at }) => at);
}

function heaviestMissing(match: Matches, weights: readonly number[]): number {
  return match.counts.reduce((most, count, term) => (count ? most : Math.max(most, weights[term]!)), 0);
}
