// The numbers the reranker judges a candidate by. Most are relative to the other candidates of the same query, because
// only their order matters. The first stage's scores are not among them: they are weighed beside its judgement. The
// learned weights name the features by position: a change here needs new weights.

import type { RerankCandidate } from '../../ports/reranker.ts';
import { matchesOf, type Matches } from './matches.ts';
import { norm, similarities } from './similarity.ts';
import { queryTerms, type QueryTerm } from './terms.ts';
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

const MAX_TEXT = 8_000;
const MAX_PLACE = 400;
const MAX_TERMS = 32;
const LEADERS = 5;
const K1 = 1.2;
const B = 0.75;

export interface Judged {
  rows: number[][];
  /** Tokens read. */
  tokens: number;
}

export function featuresOf(weights: Weights, query: string, candidates: readonly RerankCandidate[]): Judged {
  const { tokenizer } = weights;
  const terms = queryTerms(query.slice(0, MAX_TEXT), MAX_TERMS);
  const importance = shares(terms.map((term) => termWeight(weights, term)));
  const places = candidates.map(placeOf);
  const bodies = candidates.map(({ text }) => text.slice(0, MAX_TEXT));
  const texts = bodies.map((body, at) => (places[at] ? `${places[at]} ${body}` : body));
  const matches = texts.map((text) => matchesOf(text, terms, importance));
  const local = rarity(matches, terms.length);
  const lexical = relative(bm25(matches, local));
  const weighted = relative(bm25(matches, importance));
  const words = firstStage(candidates.map((c) => c.words)) ?? lexical;
  const asked = {
    all: tokenizer.encode(query.slice(0, MAX_TEXT)),
    telling: terms.flatMap(({ words }) => tokenizer.encode([...words][0]!)),
  };
  const ids = texts.map((text) => weights.ids.slice(0, tokenizer.encodeInto(text, weights.ids)));
  const leading = best(words, LEADERS);
  const like = similarities(weights, asked, ids, leading);
  const whole = relative(like.whole);
  const passage = relative(like.passage);
  const soft = relative(like.soft);
  const leaders = relative(like.leaders);
  const localShares = shares(local);
  const named = nameShares(terms);
  const rows = matches.map((match, at) => [
    lexical[at]!,
    weighted[at]!,
    covered(match.counts.map(Boolean), importance),
    covered(match.counts.map(Boolean), localShares),
    covered(match.exact, importance),
    match.pairs,
    match.window,
    match.lead,
    heaviestMissing(match, importance),
    like.whole[at]!,
    whole[at]!,
    like.passage[at]!,
    passage[at]!,
    like.soft[at]!,
    soft[at]!,
    leaders[at]!,
    placeCoverage(places[at]!, terms, importance),
    named(candidates[at]!.title),
    named(candidates[at]!.headingPath?.at(-1)),
  ]);
  return { rows, tokens: ids.reduce((sum, list) => sum + list.length, asked.all.length) };
}

function placeOf(candidate: RerankCandidate): string {
  const parts = [candidate.title, ...(candidate.headingPath ?? [])].filter(Boolean);
  return [...new Set(parts)].join(' ').slice(0, MAX_PLACE);
}

/** The share of a name's words that the query says: 1 where a title is asked for by name. */
function nameShares(terms: readonly QueryTerm[]): (name: string | undefined) => number {
  const stems = new Set(terms.map(({ stem }) => stem));
  return (name) => {
    const own = name ? queryTerms(name.slice(0, MAX_PLACE), MAX_TERMS) : [];
    return own.length > 0 ? own.filter(({ stem }) => stems.has(stem)).length / own.length : 0;
  };
}

/** How much the vectors say a term counts: the length of its pieces' vectors. */
function termWeight(weights: Weights, term: QueryTerm): number {
  const [word] = term.words;
  return weights.tokenizer.encode(word!).reduce((sum, id) => Math.max(sum, norm(weights, id)), 0);
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

function covered(found: readonly boolean[], weights: readonly number[]): number {
  return found.reduce((sum, is, term) => sum + (is ? weights[term]! : 0), 0);
}

function heaviestMissing(match: Matches, weights: readonly number[]): number {
  return match.counts.reduce((most, count, term) => (count ? most : Math.max(most, weights[term]!)), 0);
}

function placeCoverage(place: string, terms: readonly QueryTerm[], weights: readonly number[]): number {
  return place ? covered(matchesOf(place, terms, weights).counts.map(Boolean), weights) : 0;
}
