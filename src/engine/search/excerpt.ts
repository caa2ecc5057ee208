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
  const before = collapseSpace(text.slice(first, hit)).trimStart().length;
  let from = Math.max(0, Math.min(before - Math.min(MOST_BEFORE, length >> 1), shown.length - length));
  if (from > 0) from = shown.indexOf(' ', from) + 1;
  const rest = shown.slice(from);
  const words = rest.length > length ? wholeWords(rest, length) : rest;
  return `${first + from > 0 ? '...' : ''}${words}${words.length < rest.length ? '...' : ''}`;
}

/** As many as fit; of a single one that does not, its beginning. */
function wholeWords(text: string, length: number): string {
  const space = text.lastIndexOf(' ', length);
  return text.slice(0, space === -1 ? length : space);
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
