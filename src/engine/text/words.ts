// Extra words to index beside a text, so that other spellings find it: parts and joined forms of identifiers, pairs of
// CJK characters, umlauts written out. The query side is `wordVariants` of the domain.

import { spellUmlauts, splitIdentifier, UMLAUT } from '../../domain/variants.ts';

const CJK = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}ー々]+/gu;
const ABBREVIATION = /^[A-Z]+s$/;
const HUMP = /(?<=[a-z\d])(?=[A-Z])|(?<=[A-Z])(?=[A-Z][a-z])/;
const MAX_WORDS = 1000;
const MAX_IDENTIFIER = 120;
const MAX_JOINED = 40;
const MAX_PARTS = 6;

/** A word, and what makes one of ASCII worth taking apart: a hump, or a joint inside of it. */
const WORD = /[A-Za-z\d\u0080-\uffff][\w./\u0080-\uffff-]*/g;
const WIDE = /[^\0-\u007f]/;
const TELLING = /[a-z\d][A-Z]|[A-Z]{2}[a-z]|[_./-][A-Za-z\d]/;

/** Space separated, lower case, each source word once; empty for plain prose. */
export function extraWords(text: string): string {
  const source = text.includes('\u0308') ? text.normalize('NFC') : text;
  const found: Found = { met: new Set(), words: [] };
  for (const [word] of source.matchAll(WORD)) {
    if (WIDE.test(word)) addWide(found, word);
    else if (TELLING.test(word)) addPlain(found, word);
  }
  return found.words.join(' ');
}

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
  if (ABBREVIATION.test(written)) return;
  for (const segment of written.split('/')) {
    const plain = segment.split(/[_.-]+/).filter(Boolean);
    const parts = plain.flatMap((part) => part.split(HUMP));
    if (parts.length < 2 || parts.length > MAX_PARTS) continue;
    const humps = parts.length > plain.length;
    const joined = parts.join('').toLowerCase();
    const joins = humps ? /[_-]/.test(written) : /^[a-z]/.test(joined) && !/^\d/.test(parts[1]!);
    if (joins && !segment.includes('.') && joined.length <= MAX_JOINED) words.push(joined);
    if (humps) words.push(parts.join(' ').toLowerCase());
  }
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
