// Where a text may be split: never inside a surrogate pair, a combining sequence, an emoji sequence or CRLF. White
// space around a piece is left out, but the indentation of its first line stays.

export interface Span {
  start: number;
  end: number;
}

const JOINS_BACK = /^(?:\p{M}|\p{EMod}|\u200d)/u;
/** A sequence longer than this (stacked marks) is split like any other text. */
const MAX_SEQUENCE = 64;

/** The nearest boundary at or before `at` that lies after `min`; `at` itself where there is none. */
export function boundaryBefore(text: string, at: number, min: number): number {
  if (at >= text.length) return text.length;
  const floor = Math.max(min + 1, at - MAX_SEQUENCE);
  for (let cut = at; cut >= floor; cut -= 1) if (isBoundary(text, cut)) return cut;
  for (let cut = at; cut > min; cut -= 1) if (!splitsUnit(text, cut)) return cut;
  return at;
}

/** The nearest boundary at or after `at`, at most `max`. */
export function boundaryAfter(text: string, at: number, max: number): number {
  for (let cut = at; cut < max; cut += 1) if (isBoundary(text, cut)) return cut;
  return max;
}

function isBoundary(text: string, at: number): boolean {
  if (at <= 0 || at >= text.length) return true;
  const next = text.charCodeAt(at);
  const previous = text.charCodeAt(at - 1);
  if (next < 0x300) return !(next === 10 && previous === 13) && previous !== 0x200d;
  if (splitsUnit(text, at) || previous === 0x200d) return false;
  if (isRegional(text, at)) return !(at >= 2 && isRegional(text, at - 2));
  return !JOINS_BACK.test(text.slice(at, at + 2));
}

/** Half a flag. */
function isRegional(text: string, at: number): boolean {
  const low = text.charCodeAt(at + 1);
  return text.charCodeAt(at) === 0xd83c && low >= 0xdde6 && low <= 0xddff;
}

function splitsUnit(text: string, at: number): boolean {
  const next = text.charCodeAt(at);
  const previous = text.charCodeAt(at - 1);
  if (next === 10) return previous === 13;
  return next >= 0xdc00 && next <= 0xdfff && previous >= 0xd800 && previous <= 0xdbff;
}

export function isSpace(code: number): boolean {
  if (code <= 32) return code === 32 || (code >= 9 && code <= 13);
  if (code < 160) return false;
  return (
    code === 0xa0 ||
    code === 0x1680 ||
    (code >= 0x2000 && code <= 0x200a) ||
    code === 0x2028 ||
    code === 0x2029 ||
    code === 0x202f ||
    code === 0x205f ||
    code === 0x3000 ||
    code === 0xfeff
  );
}

/** The first character that is not white space, and the start of its line's indentation where that lies in the span. */
export function skipSpace(text: string, start: number, end: number): { start: number; solid: number } {
  let solid = start;
  let keep = start === 0 || text.charCodeAt(start - 1) === 10 ? start : -1;
  for (; solid < end; solid += 1) {
    const code = text.charCodeAt(solid);
    if (!isSpace(code)) break;
    if (code === 10) keep = solid + 1;
  }
  return { start: keep === -1 ? solid : keep, solid };
}

/** Without outer white space, except the indentation of a first line; undefined when nothing is left. */
export function trimSpan(text: string, start: number, end: number): Span | undefined {
  const from = skipSpace(text, start, end);
  if (from.solid >= end) return undefined;
  let to = end;
  while (isSpace(text.charCodeAt(to - 1))) to -= 1;
  return { start: from.start, end: to };
}
