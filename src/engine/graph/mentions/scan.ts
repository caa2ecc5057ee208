// The inner loops of mention extraction, over character codes: they see every character of every ingested text, where
// a regular expression per word would cost more than all the rest of an ingest. They answer for ASCII and the usual
// punctuation; what else may be a letter is left to the careful path.

import { isSpace } from '../../text/chunk/boundaries.ts';

const LOWER = 1;
const UPPER = 2;
const DIGIT = 4;
const LINE = 8;
/** Joins the parts of one token: apostrophes, ampersand, slash, hyphen. The full stop does too, but may make a name. */
const JOINT = 16;
/** Opens code or a link, or is a token by itself. */
const OPENER = 32;
const BEYOND = 64;

const LETTER = LOWER | UPPER;
const ASCII_WORD = LETTER | DIGIT | LINE;
const WORD = ASCII_WORD | BEYOND;
const OPENS = WORD | OPENER;

export const BACKTICK = 96;
export const BRACKET = 91;
export const AMPERSAND = 38;
const FULL_STOP = 46;
const LINE_END = 10;
const CURLY = 0x2019;

const KIND = new Uint8Array(128);
for (let code = 97; code <= 122; code += 1) KIND[code] = LOWER;
for (let code = 65; code <= 90; code += 1) KIND[code] = UPPER;
for (let code = 48; code <= 57; code += 1) KIND[code] = DIGIT;
KIND[95] = LINE;
for (const joint of "'/-") KIND[joint.charCodeAt(0)] = JOINT;
KIND[AMPERSAND] = JOINT | OPENER;
KIND[BACKTICK] = KIND[BRACKET] = OPENER;

const kindOf = (code: number): number => (code < 128 ? KIND[code]! : kindBeyond(code));

function kindBeyond(code: number): number {
  if (code === CURLY) return JOINT;
  return isMark(code) ? 0 : BEYOND;
}

/** No letter or digit is among these: quotes, dashes and spaces, arrows, boxes and signs. */
function isMark(code: number): boolean {
  return (code >= 0x2000 && code < 0x2070) || (code >= 0x2190 && code < 0x2460) || isBoxOrLatin(code);
}

const isBoxOrLatin = (code: number): boolean =>
  (code >= 0x2500 && code < 0x2700) || (code >= 0xa0 && code < 0xaa);

export const isUpper = (code: number): boolean => code >= 65 && code <= 90;
const isLower = (code: number): boolean => code >= 97 && code <= 122;
const isDigit = (code: number): boolean => code >= 48 && code <= 57;
const isAsciiLetter = (code: number): boolean => isLower(code) || isUpper(code);

export interface Step {
  at: number;
  /** Where what was looked for ended or began, -1 for none. */
  end: number;
}

/**
 * Steps over plain lower-case words and what lies between them, up to the next place where a name, an identifier, a
 * link or code may begin; `end` is where the last word ended.
 */
export function skipPlain(units: Uint16Array, length: number, step: Step): void {
  let at = step.at;
  step.end = -1;
  while (at < length) {
    const kind = kindOf(units[at]!);
    if (kind === LOWER) {
      const stop = plainEnd(units, length, at);
      if (stop === -1) break;
      step.end = at = stop;
    } else if ((kind & OPENS) !== 0) break;
    else at += 1;
  }
  step.at = at;
}

/** The next place where any token may begin. */
export function skipGap(units: Uint16Array, length: number, from: number): number {
  let at = from;
  while (at < length && (kindOf(units[at]!) & OPENS) === 0) at += 1;
  return at;
}

/** Where a token of small letters and joints ends; -1 when it has anything else in it. */
function plainEnd(units: Uint16Array, length: number, from: number): number {
  if (units[from] === 104 && opensLink(units, length, from)) return -1;
  let at = from;
  for (;;) {
    while (at < length && isLower(units[at]!)) at += 1;
    if (at >= length) return at;
    const code = units[at]!;
    const kind = kindOf(code);
    if ((kind & WORD) !== 0) return -1;
    const after = at + 1 < length ? kindOf(units[at + 1]!) : 0;
    if (code === FULL_STOP && (after & WORD) !== 0) return -1;
    if ((kind & JOINT) === 0) return at;
    if (after === LOWER) at += 1;
    else return (after & WORD) !== 0 ? -1 : at;
  }
}

/** `http`: a link, or a word that the careful path takes for one. */
const opensLink = (units: Uint16Array, length: number, at: number): boolean =>
  at + 3 < length && units[at + 1] === 116 && units[at + 2] === 116 && units[at + 3] === 112;

/** Where the word that begins here ends; -1 when it is none, or one that the careful path has to read. */
export function tokenEnd(units: Uint16Array, length: number, from: number): number {
  if (from >= length || (kindOf(units[from]!) & ASCII_WORD) === 0) return -1;
  if (units[from] === 104 && opensLink(units, length, from)) return -1;
  let at = from + 1;
  for (;;) {
    let kind = 0;
    while (at < length && ((kind = kindOf(units[at]!)) & ASCII_WORD) !== 0) at += 1;
    if (at >= length) return at;
    if (kind === BEYOND) return -1;
    if ((kind & JOINT) === 0 && units[at] !== FULL_STOP) return at;
    const after = at + 1 < length ? kindOf(units[at + 1]!) : 0;
    if (after === BEYOND) return -1;
    if ((after & ASCII_WORD) === 0) return at;
    at += 2;
  }
}

/** In ASCII: a change of case, a letter before a digit, an underscore or full stop between letters. */
export function isIdentifier(units: Uint16Array, from: number, to: number): boolean {
  for (let at = from + 1; at < to; at += 1) {
    const code = units[at]!;
    const before = units[at - 1]!;
    if (isDigit(code)) {
      if (isAsciiLetter(before)) return true;
    } else if (isAsciiLetter(code)) {
      if (isUpper(code) && (isLower(before) || isDigit(before))) return true;
      if (at - from < 2) continue;
      const first = units[at - 2]!;
      if (isLower(code) && isUpper(before) && isUpper(first)) return true;
      if (before === 95 && isAsciiLetter(first)) return true;
      if (first === FULL_STOP && isAsciiLetter(before) && at - from > 2 && isAsciiLetter(units[at - 3]!))
        return true;
    }
  }
  return false;
}

export function hasApostrophe(units: Uint16Array, from: number, to: number): boolean {
  for (let at = from; at < to; at += 1) if (units[at] === 39 || units[at] === CURLY) return true;
  return false;
}

export const UNSURE = -2;
const MAX_SPAN = 80;
const MAX_LABEL = 120;
const MAX_TARGET = 300;
const MAX_TITLE = 200;

const isSurrogate = (code: number): boolean => code >= 0xd800 && code < 0xe000;

/** Where the code span that a backtick opens is closed; -1 when it is not. */
export function codeSpanEnd(units: Uint16Array, length: number, from: number): number {
  for (let at = from + 1; at < length && at <= from + 1 + MAX_SPAN; at += 1) {
    const code = units[at]!;
    if (code === BACKTICK) return at > from + 1 ? at : -1;
    if (code === LINE_END) return -1;
    // Lengths are counted in whole characters.
    if (isSurrogate(code)) return UNSURE;
  }
  return -1;
}

/** The link that a bracket opens: `step.end` where its label ends, `step.at` where its target ends; the end of all. */
export function linkEnd(units: Uint16Array, length: number, from: number, step: Step): number {
  let at = from + 1;
  for (; at < length && units[at] !== 93; at += 1) {
    if (units[at] === LINE_END || at > from + MAX_LABEL) return -1;
    if (isSurrogate(units[at]!)) return UNSURE;
  }
  if (at === from + 1 || at + 1 >= length || units[at + 1] !== 40) return -1;
  step.end = at;
  const target = (at += 2);
  for (; at < length && at < target + MAX_TARGET; at += 1) {
    const code = units[at]!;
    if (code === 40 || code === 41 || isSpace(code)) break;
    if (isSurrogate(code)) return UNSURE;
  }
  if (at === target) return -1;
  step.at = at;
  for (const last = at + MAX_TITLE; at < length && at <= last; at += 1) {
    const code = units[at]!;
    if (code === 41) return at + 1;
    if (code === LINE_END) return -1;
    if (isSurrogate(code)) return UNSURE;
  }
  return -1;
}

const ENDS_SENTENCE = new Set([...'.!?:;|•#>*'].map((mark) => mark.charCodeAt(0)));

/** Whether what lies between two tokens ends a sentence: a mark, a blank line, a line that begins an item. */
export function endsSentence(units: Uint16Array, from: number, to: number): boolean {
  for (let at = from; at < to; at += 1) {
    const code = units[at]!;
    if (code === 32) continue;
    if (ENDS_SENTENCE.has(code)) return true;
    if (code !== LINE_END) continue;
    while (at + 1 < to && isSpace(units[at + 1]!)) {
      at += 1;
      if (units[at] === LINE_END) return true;
    }
    const next = at + 1 < to ? units[at + 1]! : 0;
    if (next === 45 || next === 43 || isDigit(next)) return true;
  }
  return false;
}

/** Whether the text has this small word as a token of its own. */
export function writtenSmall(text: string, word: string): boolean {
  for (let at = text.indexOf(word); at !== -1; at = text.indexOf(word, at + 1)) {
    if (bounded(text, at - 1, -1) && bounded(text, at + word.length, 1)) return true;
  }
  return false;
}

/** ASCII word characters, and everything beyond ASCII. */
const isWord = (code: number): boolean => code > 127 || (KIND[code]! & ASCII_WORD) !== 0;

/** Neither a word character here, nor a joint with a word character behind it. */
function bounded(text: string, at: number, step: 1 | -1): boolean {
  const code = text.charCodeAt(at);
  if (Number.isNaN(code)) return true;
  if (isWord(code) && code !== CURLY) return false;
  const joins = code === CURLY || code === FULL_STOP || (KIND[code]! & JOINT) !== 0;
  const beyond = text.charCodeAt(at + step);
  return !joins || Number.isNaN(beyond) || !isWord(beyond);
}

/**
 * The next word in code, which ends at `step.at`; `step.end` is where it begins if it is camelCase, PascalCase or
 * snake_case of four letters or more, else -1.
 */
export function codeName(units: Uint16Array, length: number, step: Step): void {
  let at = step.at;
  while (at < length && !startsName(units[at]!)) at += 1;
  const start = at;
  let telling = false;
  while (at < length && at - start < 64 && isWord(units[at]!)) {
    telling ||= at > start && tells(units, start, at);
    at += 1;
  }
  step.at = at;
  step.end = telling && at - start > 3 ? start : -1;
}

const isLetter = (code: number): boolean => code > 127 || (KIND[code]! & LETTER) !== 0;
const startsName = (code: number): boolean => code === 95 || isLetter(code);

/** A change of case or an underscore between letters, at this character. */
function tells(units: Uint16Array, start: number, at: number): boolean {
  const code = units[at]!;
  const before = units[at - 1]!;
  if (isUpper(code) && isLower(before)) return true;
  if (at - start < 2) return false;
  const first = units[at - 2]!;
  if (isLower(code) && isUpper(before)) return isUpper(first);
  return before === 95 && isLetter(code) && isLetter(first);
}
