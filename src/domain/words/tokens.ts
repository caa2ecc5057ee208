// Tokenises a text into words, and turns a word into the term it is indexed and looked up by: without case and accents,
// and stemmed. Letters, digits and the marks on them make a word; everything else separates words.

import { stem } from '../stem.ts';
import { unitsOf } from '../units.ts';

/** A longer word (an encoded image, say) is truncated, so that no text creates an endless term. */
const LONGEST = 64;

const WORD = 1;
const PARTS = 2;

/** By UTF-16 unit; what is not ASCII is looked up when it is first met. */
const KIND = new Uint8Array(0x10000);
for (let unit = 0; unit < 128; unit += 1)
  KIND[unit] = /[0-9A-Za-z]/.test(String.fromCharCode(unit)) ? WORD : PARTS;

const IN_WORD = /^[\p{L}\p{N}\p{M}\p{Co}]$/u;
const HIGH = 0xd800;
const LOW = 0xdc00;

/** Where each word of a text begins and ends. */
export function eachWord(text: string, visit: (start: number, end: number) => void): void {
  const { length } = text;
  const units = unitsOf(text);
  let start = -1;
  for (let at = 0; at < length; at += 1) {
    const unit = units[at]!;
    const kind = KIND[unit]! || kindAt(units, at, length);
    if (kind === WORD) {
      if (start === -1) start = at;
    } else if (start !== -1) {
      visit(start, at);
      start = -1;
    }
  }
  if (start !== -1) visit(start, length);
}

/** Both halves of a character of two units are of its kind; half of one is no character. */
function kindAt(units: Uint16Array, at: number, length: number): number {
  const unit = units[at]!;
  if (unit < HIGH || unit > 0xdfff)
    return (KIND[unit] = IN_WORD.test(String.fromCharCode(unit)) ? WORD : PARTS);
  const first = unit < LOW ? at : at - 1;
  if (first < 0 || first + 1 >= length || units[first]! >= LOW || units[first + 1]! < LOW) return PARTS;
  return IN_WORD.test(String.fromCharCode(units[first]!, units[first + 1]!)) ? WORD : PARTS;
}

const ASCII = /^[\x20-\x7e]*$/;
const MARKS = /[\u0300-\u036f]/g;
const WITH_MARK = /^([A-Za-z])\p{M}+$/u;

/** The term of a word; empty where nothing of it is left. */
export function termOf(word: string): string {
  const short = word.length > LONGEST ? word.slice(0, LONGEST) : word;
  return stem((ASCII.test(short) ? short : withoutAccents(short)).toLowerCase());
}

/** Accents on Latin letters do not tell words apart; in other scripts a mark makes another letter. */
function withoutAccents(word: string): string {
  // Half of a surrogate pair, where a long word was truncated, is not a character.
  const characters = [...word.toWellFormed().normalize('NFC').replaceAll(MARKS, '')];
  return characters.map((one) => WITH_MARK.exec(one.normalize('NFD'))?.[1] ?? one).join('');
}

/** The terms of a text in their order. */
export function termsIn(text: string): string[] {
  const terms: string[] = [];
  eachWord(text, (start, end) => {
    const term = termOf(text.slice(start, end));
    if (term !== '') terms.push(term);
  });
  return terms;
}
