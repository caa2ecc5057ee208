// What a line is. Text is kept exactly as decoded (a BOM removed); a line ends at LF, a CR before it belongs to the
// line end; a final LF adds no line. Every line number in vai is 1-based and counted by these functions.

import { firstIndex } from './first-index.ts';

export interface LineRange {
  start: number;
  end: number;
}

export interface LineIndex {
  /** Offset (UTF-16) at which each line starts. */
  readonly starts: readonly number[];
  readonly count: number;
}

export function indexLines(text: string): LineIndex {
  const starts: number[] = [];
  if (text.length > 0) starts.push(0);
  for (let at = text.indexOf('\n'); at !== -1 && at + 1 < text.length; at = text.indexOf('\n', at + 1))
    starts.push(at + 1);
  return { starts, count: starts.length };
}

/** The line that holds an offset; an offset past the end belongs to the last line. */
export function lineAt(index: LineIndex, offset: number): number {
  return 1 + firstIndex(index.count - 1, (before) => index.starts[before + 1]! > offset);
}

/** Offsets of a line range, without the line end of its last line. */
export function rangeOffsets(
  text: string,
  index: LineIndex,
  range: LineRange,
): { start: number; end: number } {
  const start = index.starts[range.start - 1] ?? text.length;
  let end = range.end >= index.count ? text.length : index.starts[range.end]!;
  if (end > start && text.charCodeAt(end - 1) === 10) end -= 1;
  if (end > start && text.charCodeAt(end - 1) === 13) end -= 1;
  return { start, end };
}

/** The exact text of a line range; line ends inside it are kept, the last one is not. */
export function sliceLines(text: string, range: LineRange, index: LineIndex = indexLines(text)): string {
  const { start, end } = rangeOffsets(text, index, range);
  return text.slice(start, end);
}

export function formatRange(range: LineRange): string {
  return range.start === range.end ? `${range.start}` : `${range.start}-${range.end}`;
}
