// A few words around a match, for compact answers.

import { collapseSpace } from '../../domain/text.ts';
import type { Match } from './terms.ts';

/** Characters before the match; less where the whole excerpt is short. */
const MOST_BEFORE = 60;

/** About as many characters as asked for from a line on, cut at word ends, white space collapsed. */
export function excerptFrom(
  text: string,
  { line, matches, length }: { line: number; matches: readonly Match[]; length: number },
): string {
  const start = afterLines(text, 0, line);
  const hit = matches.find((match) => match.at >= start)?.at ?? start;
  const first = Math.max(start, hit - length);
  const end = Math.min(afterLines(text, start, Math.ceil(length / 33)), hit + 2 * length);
  const shown = collapseSpace(text.slice(first, end)).trim();
  let from = 0;
  let to = shown.length;
  if (to > length) {
    const before = collapseSpace(text.slice(first, hit)).trimStart().length;
    from = Math.max(0, Math.min(before - Math.min(MOST_BEFORE, length >> 1), to - length));
    if (from > 0) from = shown.indexOf(' ', from) + 1;
    const space = shown.lastIndexOf(' ', from + length);
    to = from + length >= to ? to : space > from ? space : from + length;
  }
  return `${from > 0 || first > 0 ? '...' : ''}${shown.slice(from, to)}${to < shown.length ? '...' : ''}`;
}

/** Where the text goes on after so many line ends. */
function afterLines(text: string, from: number, count: number): number {
  let at = from;
  for (let line = 0; line < count; line++) {
    const end = text.indexOf('\n', at);
    if (end === -1) return text.length;
    at = end + 1;
  }
  return at;
}
