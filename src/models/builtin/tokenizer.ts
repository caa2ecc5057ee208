// How text becomes token ids for the built-in model. `training/text.py` does exactly the same; golden examples hold the
// two together, so a change here needs a newly trained model.

import { stem } from '../../domain/stem.ts';
import { detached } from '../../domain/text.ts';
import type { Pieces } from './pieces.ts';

/** Longer runs are hashes and encoded blobs, not words. */
const MAX_RUN = 80;
const MAX_PART = 40;
/** Room for runs that are remembered with what they became, some 40,000; longer ones are hardly met twice. */
const ROOM = 200_000;
const MAX_REMEMBERED = 40;

/** ASCII, and dashes, quotes, arrows and lines, which separate words under the Unicode rules too. */
const PLAIN = /^[\0-\x7f\xa0\u2000-\u206f\u2190-\u21ff\u2500-\u257f]*$/;
const PLAIN_UNIT = /[A-Za-z0-9]+/g;
const IDEOGRAPHS = '\\u2e80-\\u9fff\\uf900-\\ufaff\\u{20000}-\\u{3ffff}';
const UNIT = new RegExp(
  `[A-Za-z0-9]+|(?=[\\p{L}\\p{N}])[${IDEOGRAPHS}]|(?:(?![A-Za-z0-9${IDEOGRAPHS}])[\\p{L}\\p{N}])+`,
  'gu',
);
const CAMEL = /(?<=[a-z0-9])(?=[A-Z])|(?<=[A-Z])(?=[A-Z][a-z])/;

export interface Tokenizer {
  /** Ids below the number of pieces are pieces; the rest are hashed rows for words that are no piece of their own. */
  encode(text: string): number[];
  /** The same into a buffer, as far as there is room; answers how many there are. */
  encodeInto(text: string, ids: Int32Array): number;
  /** Adds the ids and the words of a text to what was read before, as far as there is room. */
  read(text: string, into: Read): void;
}

/** A text as numbers. */
export interface Read {
  ids: Int32Array;
  /** How many ids there are. */
  tokens: number;
  /** The number of each word's stem, in order. */
  words: Int32Array;
  count: number;
}

export function createTokenizer(pieces: Pieces, buckets: number): Tokenizer {
  /** Of each run that was met, where what it became begins: the number of its word, where its ids end, its ids. */
  const remembered = new Map<string, number>();
  const known = new Int32Array(ROOM);
  let used = 0;
  let scratch = new Int32Array(1_024);

  function idsOf(run: string): readonly number[] {
    const code = run.charCodeAt(0);
    const lower = run.toLowerCase();
    if (code > 127) return hashed(lower);
    if (run.length > MAX_RUN) return [];
    const whole = pieces.whole(lower);
    if (whole !== -1) return [whole];
    const ids: number[] = [];
    // Without a capital there is nothing to part.
    for (const part of run === lower ? [run] : run.split(CAMEL)) {
      const word = part.toLowerCase();
      if (word.length > MAX_PART) continue;
      const found = wordPieces(word);
      ids.push(...found);
      if (found.length > 1 && word !== lower) ids.push(...hashed(word));
    }
    ids.push(...hashed(lower));
    return ids;
  }

  /** Two hashed rows together tell a rare word from nearly all others, which its pieces alone do not. */
  function hashed(word: string): number[] {
    const hash = mixedHash(word);
    return [pieces.count + (hash % buckets), pieces.count + ((hash >>> 16) % buckets)];
  }

  /** Greedy, longest first. Every letter and digit is a piece, so a word always has ids. */
  function wordPieces(word: string): number[] {
    const ids: number[] = [];
    for (let start = 0; start < word.length;) {
      const id = pieces.longest(word, start);
      if (id === -1) return [];
      ids.push(id);
      start += pieces.size(id);
    }
    return ids;
  }

  function encodeInto(text: string, ids: Int32Array, from = 0, read?: Read): number {
    const units = unitsOf(text);
    let count = from;
    // By index: an iterator makes an object for each step until the loop is compiled, and there are thousands a question.
    for (let unit = 0; units !== null && unit < units.length; unit++) {
      const run = units[unit]!;
      const place = remembered.get(run) ?? learn(run);
      const end = known[place + 1]!;
      for (let at = place + 2; at < end; at++) ids[count++] = known[at]!;
      // What has no ids is no word.
      if (read && end > place + 2) read.words[read.count++] = known[place]!;
    }
    return count;
  }

  /** Takes down what a run became; answers where. What is not remembered is overwritten by the next. */
  function learn(run: string): number {
    const ids = idsOf(run);
    const size = ids.length + 2;
    if (used + size > ROOM) {
      remembered.clear();
      used = 0;
    }
    known.set([wordNumber(run), used + size, ...ids], used);
    if (run.length > MAX_REMEMBERED) return used;
    remembered.set(detached(run), used);
    used += size;
    return used - size;
  }

  return {
    encodeInto: (text, ids) => encodeInto(text, ids),
    read(text, into) {
      into.tokens = Math.min(encodeInto(text, into.ids, into.tokens, into), into.ids.length);
      into.count = Math.min(into.count, into.words.length);
    },
    encode(text) {
      const count = encodeInto(text, scratch);
      if (count > scratch.length) {
        scratch = new Int32Array(count);
        encodeInto(text, scratch);
      }
      return Array.from(scratch.subarray(0, count));
    },
  };
}

/**
 * Words of one stem have one number. It is a hash: two stems of one number are so rare, and so harmless where matches
 * are only counted, that no list of words has to be kept.
 */
export function wordNumber(run: string): number {
  const lower = run.toLowerCase();
  const word = lower.length > MAX_PART ? lower : stem(lower);
  let hash = 0x811c9dc5;
  for (let at = 0; at < word.length; at++) hash = Math.imul(hash ^ word.charCodeAt(at), 0x01000193);
  return hash | 0 || 1;
}

/** Whether letters and digits of ASCII are all there is to words. */
export function isPlain(text: string): boolean {
  return PLAIN.test(text);
}

/** Runs of letters and digits, or null where there are none. */
export function unitsOf(text: string): readonly string[] | null {
  if (isPlain(text)) return text.match(PLAIN_UNIT);
  return text
    .normalize('NFKD')
    .replace(/\p{M}+/gu, '')
    .match(UNIT);
}

/** FNV-1a over the UTF-8 bytes, then mixed so that both halves depend on every byte. */
function mixedHash(word: string): number {
  let hash = 0x811c9dc5;
  for (const byte of new TextEncoder().encode(word)) hash = Math.imul(hash ^ byte, 0x01000193);
  hash = Math.imul(hash ^ (hash >>> 16), 0x85ebca6b);
  hash = Math.imul(hash ^ (hash >>> 13), 0xc2b2ae35);
  return (hash ^ (hash >>> 16)) >>> 0;
}
