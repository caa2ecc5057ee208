// Truncates texts to the size of one answer: at the end of a line, with the place to continue. Pure.

import { firstIndex } from '../../domain/first-index.ts';
import { indexLines, rangeOffsets } from '../../domain/lines.ts';

/** Characters a text takes inside a JSON string. */
export function jsonLength(text: string): number {
  return JSON.stringify(text).length - 2;
}

export interface Cut {
  content: string;
  /** Whole lines kept; 0 when not even the first fits. */
  lines: number;
}

/** As many whole lines as fit; undefined when all of them do. */
export function cutToFit(content: string, budget: number): Cut | undefined {
  if (jsonLength(content) <= budget) return undefined;
  const index = indexLines(content);
  const upTo = (lines: number): string =>
    lines === 0 ? '' : content.slice(0, rangeOffsets(content, index, { start: 1, end: lines }).end);
  const lines = firstIndex(index.count - 1, (fit) => jsonLength(upTo(fit + 1)) > budget);
  return { content: upTo(lines), lines };
}

/** The beginning of a line that is longer than a whole answer. */
export function cutLine(line: string, budget: number): string {
  let end = Math.min(line.length, Math.max(0, budget));
  while (end > 0 && jsonLength(line.slice(0, end)) > budget) end = Math.floor(end * 0.9);
  if (/[\ud800-\udbff]/.test(line[end - 1] ?? '')) end -= 1;
  return line.slice(0, end);
}
