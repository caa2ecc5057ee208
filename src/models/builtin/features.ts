// The numbers a passage is judged by. The first few are relative to the other candidates of the same question, for their
// order; the others mean the same in every list, for relevance. The first stage's scores are not among them: they are
// weighed beside the judgement. The learned weights name the features by position: a change here needs new weights.

import { dot } from '../../domain/vectors.ts';
import type { RerankCandidate } from '../../ports/reranker.ts';
import { embedIds } from './embed.ts';
import { matchesOf, termsOf, type Matches, type Terms } from './matches.ts';
import { createNearest, norm } from './nearest.ts';
import { createPassages, MAX_TEXT } from './passage.ts';
import type { Weights } from './weights.ts';

/** How many of the features are relative. */
export const RELATIVE = 4;
export const FEATURES = [
  'bm25',
  'bm25Weighted',
  'wholeRelative',
  'softRelative',
  'coverage',
  'missing',
  'pairs',
  'window',
  'titleNamed',
  'headingNamed',
  'whole',
  'soft',
  'softWindow',
] as const;

const MAX_QUERY_TOKENS = 48;
const K1 = 1.2;
const B = 0.75;

export interface Judged {
  rows: number[][];
  /** Of each passage, one after the other. */
  vectors: Float32Array;
  /** Tokens read. */
  tokens: number;
}

export type Features = (query: string, candidates: readonly RerankCandidate[]) => Judged;

export function createFeatures(weights: Weights): Features {
  const { tokenizer } = weights;
  const passages = createPassages(tokenizer);
  const nearest = createNearest(weights);
  const asked = new Float32Array(weights.dimensions);

  return (query, candidates) => {
    const text = query.slice(0, MAX_TEXT);
    const terms = termsOf(tokenizer, text);
    const importance = importanceOf(terms, (id) => norm(weights, id));
    const tokens = tokenizer.encode(text);
    embedIds(weights, tokens, asked);
    const read = passages.read(candidates);
    const vectors = new Float32Array(read.length * weights.dimensions);
    const whole = read.map(({ tokens: from, tokensEnd }, at) => {
      const vector = vectors.subarray(at * weights.dimensions, (at + 1) * weights.dimensions);
      embedIds(weights, passages.ids.subarray(from, tokensEnd), vector);
      return dot(asked, vector);
    });
    const near = nearest(terms.pieces.flat().slice(0, MAX_QUERY_TOKENS), passages.ids, read);
    const matches = read.map((passage) => matchesOf(passages.words, passage, terms, importance));
    const lexical = relative(bm25(matches, rarity(matches, terms.count)));
    const weighted = relative(bm25(matches, importance));
    const wholeRelative = relative(whole);
    const softRelative = relative(near.map(({ soft }) => soft));
    const rows = matches.map((match, at) => [
      lexical[at]!,
      weighted[at]!,
      wholeRelative[at]!,
      softRelative[at]!,
      covered(match, importance),
      heaviestMissing(match, importance),
      match.pairs,
      match.window,
      match.title,
      match.heading,
      whole[at]!,
      near[at]!.soft,
      near[at]!.window,
    ]);
    return { rows, vectors, tokens: tokens.length + (read.at(-1)?.tokensEnd ?? 0) };
  };
}

/** How much the vectors say each term counts, in all 1: by the longest vector of its pieces. */
export function importanceOf({ pieces }: Terms, lengthOf: (id: number) => number): number[] {
  const values = pieces.map((ids) => ids.reduce((most, id) => Math.max(most, lengthOf(id)), 0));
  const total = values.reduce((sum, value) => sum + value, 0);
  return values.map((value) => (total > 0 ? value / total : 1 / values.length));
}

export function covered({ counts }: Matches, weights: readonly number[]): number {
  let sum = 0;
  for (let term = 0; term < counts.length; term++) if (counts[term]) sum += weights[term]!;
  return sum;
}

export function heaviestMissing({ counts }: Matches, weights: readonly number[]): number {
  let most = 0;
  for (let term = 0; term < counts.length; term++)
    if (!counts[term] && weights[term]! > most) most = weights[term]!;
  return most;
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
  return matches.map(({ counts, length }) => {
    const slow = K1 * (1 - B + (B * length) / mean);
    let sum = 0;
    for (let term = 0; term < counts.length; term++)
      sum += (weights[term]! * counts[term]! * (K1 + 1)) / (counts[term]! + slow);
    return sum;
  });
}

/** Between 0 for the least and 1 for the most of the list. */
function relative(values: readonly number[]): number[] {
  const low = Math.min(...values);
  const span = Math.max(...values) - low;
  return values.map((value) => (span > 0 ? (value - low) / span : 0));
}
