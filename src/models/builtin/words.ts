// What a search by words alone can say about how likely a passage answers: its score, how much of the question it holds,
// and whether that stands together. Words count by the length of their vectors; no vector is read.

import type { WordCandidate } from '../../ports/relevance.ts';
import { covered, heaviestMissing, importanceOf } from './features.ts';
import { builtinLengths, type Lengths } from './lengths.ts';
import { matchesOf, termsOf } from './matches.ts';
import { score, sigmoid } from './network.ts';
import { MAX_PLACE, MAX_TEXT, type Passage } from './passage.ts';
import { WORDS } from './relevance-weights.ts';
import { isPlain, unitsOf, wordNumber } from './tokenizer.ts';

/** In the order of the learned weights. */
type Row = [share: number, behind: number, covered: number, missing: number, pairs: number, window: number];

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
  const beginnings = beginningsOf(text);
  const best = Math.max(0, ...passages.map(({ share }) => share));
  return passages.map((candidate) => {
    const words = wordsOf(candidate, beginnings);
    const match = matchesOf(words, { ...NOWHERE, wordsEnd: words.length }, terms, importance);
    // Where only beginnings of words were asked for, there is nothing that could be missing.
    const held = terms.count === 0 ? 1 : covered(match, importance);
    const missing = heaviestMissing(match, importance);
    return [candidate.share, candidate.share - best, held, missing, match.pairs, match.window];
  });
}

/** The words of a passage by number, of its place first. Those that cannot be of the question are 0, which no word is. */
function wordsOf({ text, title, headingPath }: WordCandidate, beginnings: Uint8Array): Int32Array {
  const places = [...new Set([title, ...(headingPath ?? [])])].map((part) => part?.slice(0, MAX_PLACE) ?? '');
  const words: number[] = [];
  for (const part of [...places, text.slice(0, MAX_TEXT)]) addWords(part, beginnings, words);
  return Int32Array.from(words);
}

function addWords(text: string, beginnings: Uint8Array, words: number[]): void {
  const add = (unit: string): unknown =>
    words.push(beginnings[beginningOf(unit, 0, unit.length)] === 1 ? wordNumber(unit) : 0);
  if (!isPlain(text)) return unitsOf(text).forEach(add);
  // Without a string for each word: nearly all are not of the question.
  for (let at = 0; at < text.length; at++) {
    const start = at;
    while (IN_WORD[text.charCodeAt(at)] === 1) at += 1;
    if (at === start) continue;
    if (beginnings[beginningOf(text, start, at)] === 1) add(text.slice(start, at));
    else words.push(0);
  }
}

/** By two letters, which stemming leaves: most words need no stem to tell that they are not of the question. */
function beginningsOf(question: string): Uint8Array {
  const beginnings = new Uint8Array(128 * 128);
  for (const unit of unitsOf(question)) beginnings[beginningOf(unit, 0, unit.length)] = 1;
  return beginnings;
}

/** Of the word from `start` to `end`. The same for both cases of a letter; all that begin beyond ASCII share one. */
function beginningOf(text: string, start: number, end: number): number {
  const first = text.charCodeAt(start);
  const second = end - start > 1 ? text.charCodeAt(start + 1) : 0;
  return first > 127 ? 0 : ((first | 32) << 7) | (second | 32);
}
