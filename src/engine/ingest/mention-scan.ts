// The inner loops of mention extraction, over character codes: they see every character of every ingested text, where
// a regular expression per word would cost more than all the rest of an ingest.

const isLower = (code: number): boolean => code >= 97 && code <= 122;
const isUpper = (code: number): boolean => code >= 65 && code <= 90;
const isDigit = (code: number): boolean => code >= 48 && code <= 57;
const UNDERSCORE = 95;

/** ASCII word characters, and everything beyond ASCII: that is left to the careful path. */
const isWord = (code: number): boolean =>
  isLower(code) || isUpper(code) || isDigit(code) || code === UNDERSCORE || code > 127;

/** Apostrophe, ampersand, slash, hyphen: join the parts of one token. The full stop does too, but may make a name. */
const isJoint = (code: number): boolean => code === 39 || code === 38 || code === 47 || code === 45;

/**
 * Steps over plain lower-case words and what lies between them, up to the next place where a name, an identifier, a
 * link or code may begin. `end` is where the last word stepped over ended, -1 for none.
 */
export function skipPlain(text: string, from: number): { at: number; end: number } {
  let at = from;
  let end = -1;
  while (at < text.length) {
    const code = text.charCodeAt(at);
    if (isLower(code)) {
      const stop = plainEnd(text, at);
      if (stop === -1) return { at, end };
      end = at = stop;
    } else if (isWord(code) || code === 96 || code === 91 || code === 38) return { at, end };
    else at += 1;
  }
  return { at, end };
}

/** Where a token of small letters and joints ends; -1 when it has anything else in it. */
function plainEnd(text: string, from: number): number {
  if (text.startsWith('http', from)) return -1;
  let at = from;
  for (;;) {
    while (at < text.length && isLower(text.charCodeAt(at))) at += 1;
    if (at >= text.length) return at;
    const code = text.charCodeAt(at);
    if (isWord(code)) return -1;
    if (code === 46 && at + 1 < text.length && isWord(text.charCodeAt(at + 1))) return -1;
    if (!isJoint(code)) return at;
    const after = at + 1 < text.length ? text.charCodeAt(at + 1) : 0;
    if (isLower(after)) at += 1;
    else return isWord(after) ? -1 : at;
  }
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
