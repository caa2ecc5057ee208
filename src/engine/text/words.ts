// Extra words to index beside a text, so that other spellings find it: parts and joined forms of identifiers, pairs of
// CJK characters, umlauts written out. One pass over the characters; the query side is `wordVariants` of the domain.

import { spellUmlauts, splitIdentifier, UMLAUT } from '../../domain/variants.ts';
import { unitsOf } from '../../domain/units.ts';

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

/** What was read of the word the characters are in. */
const OUTSIDE = 0;
const SMALL = 1;
const CAPITAL = 2;
const CAPITALS = 3;
const NUMBER = 4;
const JOINED = 5;
/** From here on the word is worth taking apart. */
const TELLING = 6;
const WIDE = 7;

/** The next state by state and class of the character. */
const NEXT = new Uint8Array(64);
const follow = (state: number, [lower, upper, digit, joiner]: readonly number[]): void =>
  NEXT.set([OUTSIDE, lower!, upper!, digit!, joiner!, WIDE], state * 8);
follow(OUTSIDE, [SMALL, CAPITAL, NUMBER, OUTSIDE]);
follow(SMALL, [SMALL, TELLING, NUMBER, JOINED]);
follow(CAPITAL, [SMALL, CAPITALS, NUMBER, JOINED]);
follow(CAPITALS, [TELLING, CAPITALS, NUMBER, JOINED]);
follow(NUMBER, [SMALL, TELLING, NUMBER, JOINED]);
follow(JOINED, [TELLING, TELLING, TELLING, JOINED]);
follow(TELLING, [TELLING, TELLING, TELLING, TELLING]);
follow(WIDE, [WIDE, WIDE, WIDE, WIDE]);

/** Space separated, lower case, each source word once; empty for plain prose. */
export function extraWords(text: string): string {
  const source = text.includes('\u0308') ? text.normalize('NFC') : text;
  const { length } = source;
  const units = unitsOf(source);
  let found: Found | undefined;
  let start = 0;
  let state = OUTSIDE;
  for (let at = 0; at <= length; at += 1) {
    const code = at < length ? units[at]! : 0;
    const next = NEXT[(state << 3) | (code < 128 ? CLASS[code]! : OTHER)]!;
    if (state === OUTSIDE) start = at;
    else if (next === OUTSIDE && state >= TELLING) {
      found ??= { met: new Set(), words: [] };
      if (state === WIDE) addWide(found, source.slice(start, at));
      else addPlain(found, source.slice(start, at));
    }
    state = next;
    // Most of a text is small letters after small letters: nothing changes until they end.
    if (next === SMALL) while (at + 1 < length && isSmall(units[at + 1]!)) at += 1;
  }
  return found ? found.words.join(' ') : '';
}

const isSmall = (code: number): boolean => code >= 97 && code <= 122;

interface Found {
  met: Set<string>;
  words: string[];
}

function addPlain({ met, words }: Found, word: string): void {
  if (words.length >= MAX_WORDS || word.length > MAX_IDENTIFIER || met.has(word)) return;
  met.add(word);
  addIdentifier(word, words);
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
  const useful = !ABBREVIATION.test(written);
  for (let at = 0; at <= written.length; at += 1) {
    const code = at < written.length ? written.charCodeAt(at) : SLASH;
    const kind = CLASS[code]!;
    if (kind === JOINER) {
      if (start !== -1) parts.push(written.slice(start, at));
      start = -1;
      if (code === DOT) joinable = false;
      if (code !== SLASH) continue;
      if (useful) addParts(words, parts, { humps, joins: joinable && (!humps || /[_-]/.test(written)) });
      parts = [];
      humps = false;
      joinable = true;
    } else if (start === -1) start = at;
    else if (kind === UPPER) {
      const before = CLASS[written.charCodeAt(at - 1)]!;
      const next = at + 1 < written.length ? CLASS[written.charCodeAt(at + 1)] : 0;
      if (before === UPPER && next !== LOWER) continue;
      humps = true;
      parts.push(written.slice(start, at));
      start = at;
    }
  }
}

function addParts(
  words: string[],
  parts: string[],
  { humps, joins }: { humps: boolean; joins: boolean },
): void {
  if (parts.length < 2 || parts.length > MAX_PARTS) return;
  if (joins) {
    const joined = parts.join('').toLowerCase();
    const versionLike = CLASS[joined.charCodeAt(0)] !== LOWER || CLASS[parts[1]!.charCodeAt(0)] === DIGIT;
    if ((humps || !versionLike) && joined.length <= MAX_JOINED) words.push(joined);
  }
  if (humps) words.push(parts.join(' ').toLowerCase());
}

/** A word with characters outside ASCII: CJK in pairs with the words between, umlauts, humps. */
function addWide(found: Found, word: string): void {
  const { words } = found;
  if (words.length >= MAX_WORDS || found.met.has(word)) return;
  found.met.add(word);
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
