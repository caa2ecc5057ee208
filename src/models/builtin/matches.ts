// What the words say about a question and one passage: which terms are there, how often, how close together, how early,
// and whether the place it stands at is named.

import { isSmall, type Passage } from './passage.ts';
import type { Read, Tokenizer } from './tokenizer.ts';

const MAX_TERMS = 32;
const WINDOW = 30;
/** Numbers of the question's words are looked up by their last bits. */
const SLOTS = 256;

/** The question's distinct stems in order, and where a number leads to its term. */
export interface Terms {
  count: number;
  /** The tokens of each term. */
  pieces: number[][];
  /** The place of a word's term, -1 where the question does not hold it. */
  find(word: number): number;
}

/** Function words are terms only where there is nothing else. */
export function termsOf(tokenizer: Tokenizer, question: string): Terms {
  const runs = question.match(/[\p{L}\p{N}]+/gu) ?? [];
  const read: Read = { ids: new Int32Array(64), tokens: 0, words: new Int32Array(64), count: 0 };
  const known = new Map<number, number[]>();
  const small = new Map<number, number[]>();
  for (const run of runs) {
    read.tokens = read.count = 0;
    tokenizer.read(run, read);
    for (const word of read.words.subarray(0, read.count)) {
      const into = isSmall(word) ? small : known;
      if (!into.has(word) && into.size < MAX_TERMS) into.set(word, [...read.ids.subarray(0, read.tokens)]);
    }
  }
  const terms = known.size > 0 ? known : small;
  const numbers = new Int32Array(SLOTS);
  const places = new Int8Array(SLOTS).fill(-1);
  [...terms.keys()].forEach((word, place) => {
    let slot = word & (SLOTS - 1);
    while (places[slot] !== -1) slot = (slot + 1) & (SLOTS - 1);
    numbers[slot] = word;
    places[slot] = place;
  });
  return {
    count: terms.size,
    pieces: [...terms.values()],
    find(word) {
      for (let slot = word & (SLOTS - 1); ; slot = (slot + 1) & (SLOTS - 1)) {
        const place = places[slot]!;
        if (place === -1 || numbers[slot] === word) return place;
      }
    },
  };
}

export interface Matches {
  length: number;
  /** Occurrences per term. */
  counts: number[];
  /** Share of the question's neighbouring terms that are neighbours here too. */
  pairs: number;
  /** Weight share of the terms in the densest window. */
  window: number;
  /** Share of the title's, and of the last heading's, own words that the question says. */
  title: number;
  heading: number;
}

export function matchesOf(
  words: Int32Array,
  passage: Passage,
  terms: Terms,
  shares: readonly number[],
): Matches {
  const { words: from, placeEnd, wordsEnd } = passage;
  const counts = new Array<number>(terms.count).fill(0);
  const inside = new Array<number>(terms.count).fill(0);
  const [places, found]: [number[], number[]] = [[], []];
  const paired = new Set<number>();
  let [window, best, first] = [0, 0, 0];
  for (let at = from; at < wordsEnd; at++) {
    const term = terms.find(words[at]!);
    if (term === -1) continue;
    counts[term]! += 1;
    const last = places.length - 1;
    if (last >= 0 && term === found[last]! + 1 && at - places[last]! <= 2) paired.add(term);
    places.push(at);
    found.push(term);
    if (inside[term]! === 0) window += shares[term]!;
    inside[term]! += 1;
    while (at - places[first]! >= WINDOW) {
      const left = found[first++]!;
      inside[left]! -= 1;
      if (inside[left] === 0) window -= shares[left]!;
    }
    if (window > best) best = window;
  }
  return {
    length: wordsEnd - from,
    counts,
    pairs: terms.count > 1 ? paired.size / (terms.count - 1) : 0,
    window: best,
    title: named(words, from, passage.titleEnd, terms),
    heading: named(words, passage.heading, placeEnd, terms),
  };
}

/** 1 where every word of a name is in the question. */
function named(words: Int32Array, from: number, to: number, terms: Terms): number {
  let [said, all] = [0, 0];
  for (let at = from; at < to; at++) {
    if (isSmall(words[at]!)) continue;
    all += 1;
    if (terms.find(words[at]!) !== -1) said += 1;
  }
  return all > 0 ? said / all : 0;
}
