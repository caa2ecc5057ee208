// What the words say about a query and one candidate: which terms are there, how often, how close together, how early.

import type { Passage } from './passage.ts';
import type { QueryTerm } from './terms.ts';

const WINDOW = 30;
const LEAD = 40;

export interface Matches {
  length: number;
  /** Occurrences per term. */
  counts: number[];
  /** Whether the query's own spelling occurs. */
  exact: boolean[];
  /** Share of the query's neighbouring terms that are neighbours here too. */
  pairs: number;
  /** Weight share of the terms in the densest window, and among the first words. */
  window: number;
  lead: number;
}

/** Terms with their weight shares, and where a stem leads to its term. */
export interface Wanted {
  terms: readonly QueryTerm[];
  shares: readonly number[];
  /** By number of the stem: the place of its term, from 1. */
  termOf: Uint8Array;
}

/** `stems` is the highest number a passage may hold. */
export function wanted(terms: readonly QueryTerm[], shares: readonly number[], stems: number): Wanted {
  const termOf = new Uint8Array(stems + 1);
  terms.forEach(({ stem }, at) => (termOf[stem] = at + 1));
  return { terms, shares, termOf };
}

export type Worded = Pick<Passage, 'numbers' | 'words'>;

export function matchesOf({ numbers, words }: Worded, { terms, shares, termOf }: Wanted): Matches {
  const counts = new Array<number>(terms.length).fill(0);
  const exact = new Array<boolean>(terms.length).fill(false);
  const places: Place[] = [];
  for (let at = 0; at < words; at++) {
    const term = termOf[numbers[at * 2]!]! - 1;
    if (term === -1) continue;
    counts[term]! += 1;
    if (!exact[term] && terms[term]!.words.has(numbers[at * 2 + 1]!)) exact[term] = true;
    places.push({ at, term });
  }
  return {
    length: words,
    counts,
    exact,
    pairs: pairShare(places, terms.length),
    window: densest(places, shares),
    lead: leading(places, shares),
  };
}

/** Weight share of the terms among the first words. */
export function coverage({ numbers }: Worded, first: number, { shares, termOf }: Wanted): number {
  const found = new Array<boolean>(shares.length).fill(false);
  for (let at = 0; at < first; at++) {
    const term = termOf[numbers[at * 2]!]! - 1;
    if (term !== -1) found[term] = true;
  }
  return covered(found, shares);
}

export function covered(found: readonly (boolean | number)[], shares: readonly number[]): number {
  let sum = 0;
  for (let term = 0; term < found.length; term++) if (found[term]) sum += shares[term]!;
  return sum;
}

interface Place {
  at: number;
  term: number;
}

function pairShare(places: readonly Place[], terms: number): number {
  if (terms < 2 || places.length < 2) return 0;
  const found = new Set<number>();
  for (let i = 1; i < places.length; i++) {
    const [a, b] = [places[i - 1]!, places[i]!];
    if (b.term === a.term + 1 && b.at - a.at <= 2) found.add(a.term);
  }
  return found.size / (terms - 1);
}

function densest(places: readonly Place[], shares: readonly number[]): number {
  const inside = new Array<number>(shares.length).fill(0);
  let sum = 0;
  let best = 0;
  let first = 0;
  for (const place of places) {
    if (inside[place.term]! === 0) sum += shares[place.term]!;
    inside[place.term]! += 1;
    while (place.at - places[first]!.at >= WINDOW) {
      const left = places[first]!.term;
      inside[left]! -= 1;
      if (inside[left] === 0) sum -= shares[left]!;
      first += 1;
    }
    if (sum > best) best = sum;
  }
  return best;
}

function leading(places: readonly Place[], shares: readonly number[]): number {
  const seen = new Set<number>();
  for (const { at, term } of places) {
    if (at >= LEAD) break;
    seen.add(term);
  }
  let sum = 0;
  for (const term of seen) sum += shares[term]!;
  return sum;
}
