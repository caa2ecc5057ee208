// Extra words to index beside a text, so that other spellings find it: parts and joined forms of identifiers, pairs of
// CJK characters, umlauts written out. One pass over the characters; the query side is `wordVariants` of the domain.

import { spellUmlauts, splitIdentifier, UMLAUT } from '../../domain/variants.ts';
import { detached, unitsOf } from './units.ts';

const LOWER = 1;
const UPPER = 2;
const DIGIT = 3;
const JOINER = 4;
const OTHER = 5;

const CLASS = new Uint8Array(128);
for (let code = 97; code <= 122; code += 1) CLASS[code] = LOWER;
for (let code = 65; code <= 90; code += 1) CLASS[code] = UPPER;
for (let code = 48; code <= 57; code += 1) CLASS[code] = DIGIT;
for (const ch of '_.-/') CLASS[ch.charCodeAt(0)] = JOINER;

const CJK = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}ー々]+/gu;
const ABBREVIATION = /^[A-Z]+s$/;
const DOT = 46;
const SLASH = 47;
const MAX_WORDS = 1000;
const MAX_IDENTIFIER = 120;
const MAX_JOINED = 40;
const MAX_PARTS = 6;

/** Space separated, lower case, each source word once; empty for plain prose. */
export function extraWords(text: string): string {
  const source = text.includes('\u0308') ? text.normalize('NFC') : text;
  const { length } = source;
  const units = unitsOf(source);
  let found: Found | undefined;
  let start = -1;
  let interesting = false;
  let wide = false;
  let previous = 0;
  let beforePrevious = 0;
  for (let at = 0; at <= length; at += 1) {
    const code = at < length ? units[at]! : 0;
    const kind = code < 128 ? CLASS[code]! : OTHER;
    if (kind === 0) {
      if (interesting) addWord((found ??= begin()), source.slice(start, at), wide);
      start = -1;
      interesting = false;
      wide = false;
      beforePrevious = 0;
      previous = 0;
      continue;
    }
    if (start === -1) {
      if (kind === JOINER) continue;
      start = at;
    } else if (kind === UPPER) interesting ||= previous === LOWER || previous === DIGIT;
    else if (kind === LOWER) interesting ||= previous === UPPER && beforePrevious === UPPER;
    if (previous === JOINER && kind !== JOINER) interesting = true;
    if (kind === OTHER) {
      wide = true;
      interesting = true;
    }
    beforePrevious = previous;
    previous = kind;
    if (kind !== LOWER) continue;
    // Most of a text is small letters after small letters: nothing changes until they end.
    const from = at;
    while (at + 1 < length && isSmall(units[at + 1]!)) at += 1;
    if (at > from) beforePrevious = LOWER;
  }
  return found ? found.words.join(' ') : '';
}

const isSmall = (code: number): boolean => code >= 97 && code <= 122;

interface Found {
  /** Words beyond ASCII that were met; the others carry the number of the call. */
  wide: Set<string>;
  words: string[];
}

/** Identifiers repeat all over a collection: what they give is worth remembering for a while. */
const known = new Map<string, { parts: string[]; met: number }>();
const MAX_KNOWN = 20_000;
let calls = 0;

/** A new text: no word of it was met. What is known is only forgotten here, because it says what was met. */
function begin(): Found {
  calls += 1;
  if (known.size >= MAX_KNOWN) known.clear();
  return { wide: new Set(), words: [] };
}

function addWord(found: Found, word: string, wide: boolean): void {
  const { words } = found;
  if (words.length >= MAX_WORDS) return;
  if (wide) {
    if (found.wide.has(word)) return;
    found.wide.add(word);
    return addWide(word, words);
  }
  if (word.length > MAX_IDENTIFIER) return;
  let entry = known.get(word);
  if (!entry) {
    entry = { parts: [], met: 0 };
    addIdentifier(word, entry.parts);
    known.set(detached(word), entry);
  }
  if (entry.met === calls) return;
  entry.met = calls;
  for (const part of entry.parts) words.push(part);
}

/**
 * Takes an ASCII identifier apart. `a_b` and `a-b` also give the joined form; dots and slashes do not, because the index
 * splits there by itself and `res.end` must not be found as `resend`.
 */
function addIdentifier(written: string, words: string[]): void {
  let parts: string[] = [];
  let humps = false;
  let joinable = true;
  let start = -1;
  const flush = (end: number): void => {
    if (start !== -1) parts.push(written.slice(start, end));
    start = -1;
  };
  const finish = (): void => {
    if (parts.length > 1 && parts.length <= MAX_PARTS && !ABBREVIATION.test(written)) {
      const joined = parts.join('').toLowerCase();
      const versionLike = CLASS[joined.charCodeAt(0)] !== LOWER || CLASS[parts[1]!.charCodeAt(0)] === DIGIT;
      const useful = humps ? /[_-]/.test(written) : !versionLike;
      if (joinable && useful && joined.length <= MAX_JOINED) words.push(joined);
      if (humps) words.push(parts.join(' ').toLowerCase());
    }
    parts = [];
    humps = false;
    joinable = true;
  };
  for (let at = 0; at < written.length; at += 1) {
    const kind = CLASS[written.charCodeAt(at)]!;
    if (kind === JOINER) {
      flush(at);
      const code = written.charCodeAt(at);
      if (code === SLASH) finish();
      else if (code === DOT) joinable = false;
      continue;
    }
    if (start !== -1 && kind === UPPER) {
      const before = CLASS[written.charCodeAt(at - 1)]!;
      const next = at + 1 < written.length ? CLASS[written.charCodeAt(at + 1)] : 0;
      if (before !== UPPER || next === LOWER) {
        humps = true;
        flush(at);
      }
    }
    if (start === -1) start = at;
  }
  flush(written.length);
  finish();
}

/** A word with characters outside ASCII: CJK in pairs with the words between, umlauts, humps. */
function addWide(word: string, words: string[]): void {
  let last = 0;
  let cjk = false;
  for (const match of word.matchAll(CJK)) {
    cjk = true;
    addRest(word.slice(last, match.index), words);
    last = match.index + match[0].length;
    const characters = [...match[0]];
    if (characters.length === 1) words.push(match[0]);
    for (let at = 0; at + 1 < characters.length; at += 1) words.push(characters[at]! + characters[at + 1]!);
  }
  if (cjk) return addRest(word.slice(last), words);
  if (word.length > MAX_IDENTIFIER) return;
  if (UMLAUT.test(word))
    for (const part of splitIdentifier(word)) if (UMLAUT.test(part)) words.push(spellUmlauts(part));
  if (/\p{Ll}\p{Lu}|[\p{L}\p{N}][._-][\p{L}\p{N}]/u.test(word))
    words.push(splitIdentifier(word).slice(0, MAX_PARTS).join(' '));
}

function addRest(rest: string, words: string[]): void {
  for (const [word] of rest.matchAll(/[\p{L}\p{N}]+/gu)) words.push(word.toLowerCase());
}
