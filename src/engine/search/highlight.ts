// Which lines of a hit hold the query's words, and what to show of it.

import { excerptFrom } from './excerpt.ts';
import { linesAround } from './snippet.ts';
import { countPerLine, findMatches, type Terms } from './terms.ts';

/** Lines that are shown: the one before the densest place, and those that belong to it. */
const WINDOW = 8;
const MAX_MATCH_LINES = 50;

export interface Highlight {
  matchLines: number[];
  snippet: string;
}

/** The snippet is whole lines around the densest place, or an excerpt of about so many characters. */
export function highlight(text: string, firstLine: number, terms: Terms, characters?: number): Highlight {
  const matches = findMatches(text, terms);
  const counts = countPerLine(text, matches);
  const start = densestWindow(counts);
  return {
    matchLines: matchLines(counts, firstLine),
    snippet:
      characters === undefined
        ? linesAround(text, start, WINDOW)
        : excerptFrom(text, { line: densestLine(counts, start), matches, length: characters }),
  };
}

function matchLines(counts: readonly number[], firstLine: number): number[] {
  return counts.flatMap((count, at) => (count > 0 ? [firstLine + at] : [])).slice(0, MAX_MATCH_LINES);
}

/** Begins with a line that matches; of equal ones the first. */
function densestWindow(counts: readonly number[]): number {
  let start = 0;
  let best = 0;
  for (const [at, count] of counts.entries()) {
    if (count === 0) continue;
    const sum = counts.slice(at, at + WINDOW - 1).reduce((total, one) => total + one);
    if (sum <= best) continue;
    best = sum;
    start = at;
  }
  return start;
}

function densestLine(counts: readonly number[], start: number): number {
  const window = counts.slice(start, start + WINDOW - 1);
  return start + window.indexOf(Math.max(...window));
}
