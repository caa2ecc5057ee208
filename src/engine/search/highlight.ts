// Which lines of a hit hold the query's words, and what to show of it.

import { excerptFrom } from './excerpt.ts';
import { linesAround } from './snippet.ts';
import { countPerLine, findMatches, type Terms } from './terms.ts';

/** Lines that belong together when the densest place is looked for. */
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
  const lines: number[] = [];
  for (let at = 0; at < counts.length && lines.length < MAX_MATCH_LINES; at++)
    if (counts[at]! > 0) lines.push(firstLine + at);
  return lines;
}

/** From the end, so that each window follows from the one after it; of equal ones the first stays. */
function densestWindow(counts: readonly number[]): number {
  let start = 0;
  let best = -1;
  let sum = 0;
  for (let at = counts.length - 1; at >= 0; at--) {
    sum += counts[at]! - (counts[at + WINDOW] ?? 0);
    if (counts[at]! > 0 && sum >= best) {
      best = sum;
      start = at;
    }
  }
  return start;
}

function densestLine(counts: readonly number[], start: number): number {
  let best = start;
  for (let at = start; at < Math.min(counts.length, start + WINDOW); at++)
    if (counts[at]! > counts[best]!) best = at;
  return best;
}
