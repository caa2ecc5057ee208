// The inner loops of mention extraction, over character codes: they see every character of every ingested text, where
// a regular expression per word would cost more than all the rest of an ingest.

const isLower = (code: number): boolean => code >= 97 && code <= 122;
export const isUpper = (code: number): boolean => code >= 65 && code <= 90;
const isDigit = (code: number): boolean => code >= 48 && code <= 57;
const UNDERSCORE = 95;

const isAsciiLetter = (code: number): boolean => isLower(code) || isUpper(code);
const isAsciiWord = (code: number): boolean => isAsciiLetter(code) || isDigit(code) || code === UNDERSCORE;

/** ASCII word characters, and everything beyond ASCII: that is left to the careful path. */
const isWord = (code: number): boolean =>
  isLower(code) || isUpper(code) || isDigit(code) || code === UNDERSCORE || code > 127;

/** Apostrophe, ampersand, slash, hyphen: join the parts of one token. The full stop does too, but may make a name. */
const isJoint = (code: number): boolean => code === 39 || code === 38 || code === 47 || code === 45;

export interface Step {
  at: number;
  /** Where the last word stepped over ended, -1 for none. */
  end: number;
}

/**
 * Steps over plain lower-case words and what lies between them, up to the next place where a name, an identifier, a
 * link or code may begin.
 */
export function skipPlain(units: Uint16Array, length: number, step: Step): void {
  let at = step.at;
  while (at < length) {
    const code = units[at]!;
    if (isLower(code)) {
      const stop = plainEnd(units, length, at);
      if (stop === -1) break;
      step.end = at = stop;
    } else if (mayOpen(code)) break;
    else at += 1;
  }
  step.at = at;
}

/** The next place where any token may begin. */
export function skipGap(units: Uint16Array, length: number, from: number): number {
  let at = from;
  while (at < length && !mayOpen(units[at]!)) at += 1;
  return at;
}

/** Word characters, the marks of code and links, the ampersand. */
const mayOpen = (code: number): boolean => isWord(code) || code === 96 || code === 91 || code === 38;

/** Where a token of small letters and joints ends; -1 when it has anything else in it. */
function plainEnd(units: Uint16Array, length: number, from: number): number {
  if (opensLink(units, length, from)) return -1;
  let at = from;
  for (;;) {
    while (at < length && isLower(units[at]!)) at += 1;
    if (at >= length) return at;
    const code = units[at]!;
    if (isWord(code)) return -1;
    if (code === 46 && at + 1 < length && isWord(units[at + 1]!)) return -1;
    if (!isJoint(code)) return at;
    const after = at + 1 < length ? units[at + 1]! : 0;
    if (isLower(after)) at += 1;
    else return isWord(after) ? -1 : at;
  }
}

/** `http`. */
const opensLink = (units: Uint16Array, length: number, at: number): boolean =>
  units[at] === 104 &&
  at + 3 < length &&
  units[at + 1] === 116 &&
  units[at + 2] === 116 &&
  units[at + 3] === 112;

/** Where the word that begins here ends; -1 when it is none, or one that the careful path has to read. */
export function tokenEnd(units: Uint16Array, length: number, from: number): number {
  if (from >= length || !isAsciiWord(units[from]!) || opensLink(units, length, from)) return -1;
  let at = from + 1;
  for (;;) {
    while (at < length && isAsciiWord(units[at]!)) at += 1;
    if (at >= length) return at;
    const code = units[at]!;
    if (code > 127) return -1;
    if (!isJoint(code) && code !== 46) return at;
    const after = at + 1 < length ? units[at + 1]! : 0;
    if (after > 127) return -1;
    if (!isAsciiWord(after)) return at;
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
      if (before === UNDERSCORE && isAsciiLetter(first)) return true;
      if (first === 46 && isAsciiLetter(before) && at - from > 2 && isAsciiLetter(units[at - 3]!))
        return true;
    }
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

/** Neither a word character here, nor a joint with a word character behind it. */
function bounded(text: string, at: number, step: 1 | -1): boolean {
  const code = text.charCodeAt(at);
  if (Number.isNaN(code)) return true;
  if (isWord(code) && code !== 0x2019) return false;
  const joins = isJoint(code) || code === 46 || code === 0x2019;
  const beyond = text.charCodeAt(at + step);
  return !joins || Number.isNaN(beyond) || !isWord(beyond);
}

/** The next word in code and, where it is camelCase, PascalCase or snake_case of four letters or more, the word itself. */
export function codeName(text: string, from: number): { at: number; name?: string } {
  let at = from;
  while (at < text.length && !startsName(text.charCodeAt(at))) at += 1;
  const start = at;
  let telling = false;
  while (at < text.length && at - start < 64 && isWord(text.charCodeAt(at))) {
    telling ||= tells(text, start, at);
    at += 1;
  }
  return telling && at - start > 3 ? { at, name: text.slice(start, at) } : { at };
}

const isLetter = (code: number): boolean => isLower(code) || isUpper(code) || code > 127;
const startsName = (code: number): boolean => isLetter(code) || code === UNDERSCORE;

/** A change of case or an underscore between letters, at this character. */
function tells(text: string, start: number, at: number): boolean {
  if (at === start) return false;
  const code = text.charCodeAt(at);
  const before = text.charCodeAt(at - 1);
  if (isUpper(code) && isLower(before)) return true;
  if (at - start < 2) return false;
  const first = text.charCodeAt(at - 2);
  if (isLower(code) && isUpper(before)) return isUpper(first);
  return before === UNDERSCORE && isLetter(code) && isLetter(first);
}
