// Which lines of a hit hold the query's words, and the lines to show: whole lines around the densest match, a code
// fence never cut open; and a short excerpt of one line's length for compact answers.

import { countPerLine, findMatches, type Match, type Terms } from './terms.ts';

const FENCE = /^\s{0,3}(`{3,}|~{3,})/;
const SNIPPET_LINES = 8;
const SNIPPET_CHARACTERS = 600;
const WHOLE_FENCE_LINES = 24;

export interface Highlight {
  matchLines: number[];
  snippet: string;
  excerpt?: string;
}

/** With an excerpt of about so many characters, where a length is given. */
export function highlight(text: string, firstLine: number, terms: Terms, excerptLength?: number): Highlight {
  const lines = text.includes('\r') ? text.split('\n').map(withoutReturn) : text.split('\n');
  const matches = findMatches(text, terms);
  const counts = countPerLine(text, matches);
  const matchLines: number[] = [];
  counts.forEach((count, at) => {
    if (count > 0 && matchLines.length < 50) matchLines.push(firstLine + at);
  });
  const { start, end } = keepFences(text, lines, densestWindow(lines, counts));
  const marks = { matchLines, snippet: lines.slice(start, end).join('\n') };
  if (excerptLength === undefined) return marks;
  return { ...marks, excerpt: excerptFrom(text, densest(counts, start, end), matches, excerptLength) };
}

function withoutReturn(line: string): string {
  return line.endsWith('\r') ? line.slice(0, -1) : line;
}

function densestWindow(lines: readonly string[], counts: readonly number[]): { start: number; end: number } {
  let start = 0;
  let best = -1;
  let sum = 0;
  // From the end, so that each window follows from the one after it; of equal ones the first stays.
  for (let at = lines.length - 1; at >= 0; at--) {
    sum += counts[at]! - (counts[at + SNIPPET_LINES] ?? 0);
    if (counts[at]! > 0 && sum >= best) {
      best = sum;
      start = at;
    }
  }
  start = Math.max(0, start - 1);
  let end = start;
  let characters = 0;
  while (
    end < lines.length &&
    end - start < SNIPPET_LINES &&
    (end === start || characters < SNIPPET_CHARACTERS)
  ) {
    characters += lines[end]!.length + 1;
    end += 1;
  }
  while (start < end - 1 && lines[start]!.trim() === '') start += 1;
  return { start, end };
}

/** A window that cuts a fence takes all of it when it is short, else stays inside or outside of it. */
function keepFences(
  text: string,
  lines: readonly string[],
  span: { start: number; end: number },
): { start: number; end: number } {
  let { start, end } = span;
  if (!text.includes('```') && !text.includes('~~~')) return span;
  for (const fence of fences(lines)) {
    if (fence.end <= start || fence.start >= end) continue;
    if (fence.start >= start && fence.end <= end) continue;
    if (fence.end - fence.start <= WHOLE_FENCE_LINES) {
      start = Math.min(start, fence.start);
      end = Math.max(end, fence.end);
    } else if (fence.start > start) end = fence.start;
    else if (fence.end < end) start = fence.end;
    else {
      start = Math.max(start, fence.start + 1);
      end = Math.min(end, fence.end - 1);
    }
  }
  return { start, end: Math.max(end, start + 1) };
}

function fences(lines: readonly string[]): { start: number; end: number }[] {
  const found: { start: number; end: number }[] = [];
  let open: { start: number; mark: string } | undefined;
  lines.forEach((line, at) => {
    const mark = FENCE.exec(line)?.[1];
    if (!mark) return;
    if (!open) open = { start: at, mark };
    else if (mark[0] === open.mark[0] && mark.length >= open.mark.length && line.trim() === mark) {
      found.push({ start: open.start, end: at + 1 });
      open = undefined;
    }
  });
  if (open) found.push({ start: open.start, end: lines.length });
  return found;
}

function densest(counts: readonly number[], start: number, end: number): number {
  let best = start;
  for (let at = start; at < end; at++) if (counts[at]! > counts[best]!) best = at;
  return best;
}

/** About as many characters as asked for from a line on, cut at word ends, white space collapsed. */
function excerptFrom(text: string, line: number, matches: readonly Match[], length: number): string {
  const start = afterLines(text, 0, line);
  const hit = matches.find((match) => match.at >= start)?.at ?? start;
  const first = Math.max(start, hit - length);
  const end = Math.min(afterLines(text, start, Math.ceil(length / 33)), hit + 2 * length);
  const shown = collapse(text.slice(first, end)).trim();
  let from = 0;
  let to = shown.length;
  if (to > length) {
    const before = collapse(text.slice(first, hit)).trimStart().length;
    from = Math.max(0, Math.min(before - 60, to - length));
    if (from > 0) from = shown.indexOf(' ', from) + 1;
    const space = shown.lastIndexOf(' ', from + length);
    to = from + length >= to ? to : space > from ? space : from + length;
  }
  return `${from > 0 || first > 0 ? '...' : ''}${shown.slice(from, to)}${to < shown.length ? '...' : ''}`;
}

function collapse(text: string): string {
  return text.replaceAll(/\s+/g, ' ');
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
