// What a search by words alone can tell about how likely a passage answers: its score, how much of the question it
// contains, and whether those words stand together. Words count by the length of their vectors; no vector is read.

import { stem } from '../../domain/stem.ts';
import type { WordCandidate } from '../../ports/relevance.ts';
import { covered, heaviestMissing, importanceOf } from './features.ts';
import { builtinLengths, type Lengths } from './lengths.ts';
import { matchesOf, termsOf, type Terms } from './matches.ts';
import { score, sigmoid } from './network.ts';
import { MAX_PLACE, MAX_TEXT, type Passage } from './passage.ts';
import { WORDS } from './words-weights.ts';
import { isPlain, unitsOf, wordNumber } from './tokenizer.ts';

/** In the order of the learned weights. */
type Row = [share: number, behind: number, covered: number, missing: number, pairs: number, window: number];

/** Of the passage at hand. */
const words = new Int32Array(MAX_TEXT);
/** Of each character, whether it is a letter or a digit. */
const IN_WORD = Uint8Array.from({ length: 128 }, (_, code) =>
  Number(/[A-Za-z0-9]/.test(String.fromCharCode(code))),
);
/** Words alone: title and headings are not told apart from the text. */
const NOWHERE: Passage = { words: 0, wordsEnd: 0, titleEnd: 0, heading: 0, placeEnd: 0, tokens: 0, textTokens: 0, tokensEnd: 0 }; // prettier-ignore

export function judgeWords(question: string, passages: readonly WordCandidate[]): number[] {
  return wordFeatures(builtinLengths(), question, passages).map((row) => sigmoid(score(WORDS, row)));
}

export function wordFeatures(
  { tokenizer, lengthOf }: Lengths,
  question: string,
  passages: readonly WordCandidate[],
): Row[] {
  const text = question.slice(0, MAX_TEXT);
  const terms = termsOf(tokenizer, text);
  const importance = importanceOf(terms, lengthOf);
  const asked = askedIn(text, terms);
  const best = Math.max(0, ...passages.map(({ share }) => share));
  return passages.map((candidate) => {
    const own = wordsOf(candidate, asked);
    const match = matchesOf(own, { ...NOWHERE, wordsEnd: own.length }, terms, importance);
    // Where only beginnings of words were asked for, there is nothing that could be missing.
    const held = terms.count === 0 ? 1 : covered(match, importance);
    const missing = heaviestMissing(match, importance);
    return [candidate.share, candidate.share - best, held, missing, match.pairs, match.window];
  });
}

/** The words of a passage by number, of its place first. Those that cannot be of the question are 0, which no word is. */
function wordsOf({ text, title, headingPath }: WordCandidate, asked: Asked): Int32Array {
  const places = [...new Set([title, ...(headingPath ?? [])])].map((part) => part?.slice(0, MAX_PLACE) ?? '');
  let count = 0;
  for (const part of [...places, text.slice(0, MAX_TEXT)]) count = addWords(part, asked, count);
  return words.subarray(0, Math.min(count, words.length));
}

function addWords(text: string, asked: Asked, from: number): number {
  if (isPlain(text)) {
    const doubtful: number[] = [];
    const end = scan(text, asked, from, doubtful);
    for (let at = 0; at < doubtful.length; at += 3)
      words[doubtful[at]!] = wordNumber(text.slice(doubtful[at + 1], doubtful[at + 2]));
    return end;
  }
  let count = from;
  for (const unit of unitsOf(text) ?? []) {
    const doubtful = unit.charCodeAt(0) > 127 || mayBeAsked(unit, 0, unit.length, asked);
    words[count++] = doubtful ? wordNumber(unit) : 0;
  }
  return count;
}

/**
 * Finds words without a string or a stem for each, because nearly all are not of the question. Of those that may be:
 * their place, where they begin and where they end.
 */
function scan(text: string, asked: Asked, from: number, doubtful: number[]): number {
  let count = from;
  for (let at = 0; at < text.length; at++) {
    const start = at;
    while (IN_WORD[text.charCodeAt(at)] === 1) at += 1;
    if (at === start) continue;
    if (mayBeAsked(text, start, at, asked)) doubtful.push(count, start, at);
    words[count++] = 0;
  }
  return count;
}

/** The stems of the question's terms by their first letter. */
type Asked = readonly (readonly string[] | undefined)[];

function askedIn(question: string, terms: Terms): Asked {
  const asked: string[][] = [];
  for (const unit of unitsOf(question) ?? []) {
    // Function words are no terms, and nearly every word begins like one of them.
    if (terms.find(wordNumber(unit)) === -1) continue;
    const own = stem(unit.toLowerCase());
    if (own.charCodeAt(0) < 128) (asked[own.charCodeAt(0)] ??= []).push(own);
  }
  return asked;
}

/** Words of one stem begin like it, but for its last letter (`happy`, `happi`). */
function mayBeAsked(text: string, start: number, end: number, asked: Asked): boolean {
  for (const own of asked[text.charCodeAt(start) | 32] ?? []) {
    const most = own.length - 1;
    let same = 1;
    while (same < most && start + same < end && (text.charCodeAt(start + same) | 32) === own.charCodeAt(same))
      same += 1;
    if (same >= most) return true;
  }
  return false;
}
