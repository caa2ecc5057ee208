// What became of cited lines in a newer text: same, moved, changed or gone. Pure.
//
// The two texts are aligned line by line. Lines that all found their place are the same or have moved; some of them
// found: changed; none: a passage that was moved as a whole is looked for, then what stands in its place in its section.

import type { Resolution } from '../../domain/citation.ts';
import type { LineRange } from '../../domain/lines.ts';
import { outline } from '../text/headings.ts';
import { alignLines } from './align.ts';

const MAX_SHOWN = 20;
/** Lines compared while looking for a passage that was moved: texts of nothing but equal lines would take for ever. */
const MAX_COMPARED = 2_000_000;

export function resolveLines(before: string, after: string, range: LineRange): Resolution {
  const old = linesOf(before);
  const now = linesOf(after);
  const start = range.start - 1;
  const cited = old.slice(start, range.end);
  if (cited.length === 0) return { status: 'gone' };
  const { to } = alignLines(old, now);
  const places = [...to.subarray(start, range.end)].filter((place) => place !== -1);
  if (places.length === cited.length && places.at(-1)! - places[0]! === cited.length - 1)
    return found(range, { start: places[0]! + 1, end: places.at(-1)! + 1 });
  const telling = cited.some(isTelling);
  const whole = telling ? findWhole(now, cited, start) : undefined;
  if (whole !== undefined) return found(range, { start: whole + 1, end: whole + cited.length });
  const kept = telling ? places.some((place) => isTelling(now[place]!)) : places.length > 0;
  if (kept) return changed(cited, now, widened(to, now.length, { start, end: start + cited.length }));
  const section = sameSection(before, after, range);
  if (!section) return { status: 'gone' };
  const { before: previous, after: next } = around(to, now.length, { start, end: start + cited.length });
  const replaced = { start: previous + 2, end: next };
  const isInside =
    section.start <= replaced.start && replaced.start <= replaced.end && replaced.end <= section.end;
  return changed(cited, now, isInside ? replaced : section);
}

function found(asked: LineRange, range: LineRange): Resolution {
  return { status: range.start === asked.start && range.end === asked.end ? 'same' : 'moved', range };
}

/**
 * From the first to the last cited line that was found, and the lines that replaced those before and after it: an edit
 * of the first or the last cited line is part of the change. Old lines `start` up to `end`, counted from 0.
 */
function widened(to: Int32Array, lines: number, { start, end }: LineRange): LineRange {
  let first = start;
  while (to[first] === -1) first += 1;
  let last = end - 1;
  while (to[last] === -1) last -= 1;
  const { above, below, before, after } = around(to, lines, { start, end });
  const room = (now: number, missing: number, others: number): number =>
    missing === 0 ? 0 : Math.min(now, others === 0 ? missing + MAX_SHOWN : missing);
  return {
    start: to[first]! + 1 - room(to[first]! - before - 1, first - start, start - 1 - above),
    end: to[last]! + 1 + room(after - to[last]! - 1, end - 1 - last, below - end),
  };
}

/** The nearest old lines around a passage that the new text still has, and where they are now. */
function around(to: Int32Array, lines: number, { start, end }: LineRange) {
  // Both searches end beyond the text, where there is no line at all.
  let above = start - 1;
  while (to[above] === -1) above -= 1;
  let below = end;
  while (to[below] === -1) below += 1;
  return { above, below, before: to[above] ?? -1, after: to[below] ?? lines };
}

function changed(cited: readonly string[], now: readonly string[], range: LineRange): Resolution {
  const present = now.slice(range.start - 1, range.end);
  const { to } = alignLines(cited, present);
  const kept = new Set(to);
  return {
    status: 'changed',
    range,
    removed: cited.filter((_, at) => to[at] === -1).slice(0, MAX_SHOWN),
    added: present.filter((_, at) => !kept.has(at)).slice(0, MAX_SHOWN),
  };
}

/** Where the cited lines stand unchanged and together, nearest to where they were. */
function findWhole(now: readonly string[], cited: readonly string[], near: number): number | undefined {
  let best: number | undefined;
  let left = MAX_COMPARED;
  for (let at = now.indexOf(cited[0]!); at !== -1; at = now.indexOf(cited[0]!, at + 1)) {
    if (!cited.every((line, offset) => (left -= 1) > 0 && now[at + offset] === line)) continue;
    if (best === undefined || Math.abs(at - near) < Math.abs(best - near)) best = at;
  }
  return best;
}

/** The block of the heading of the same path and occurrence that the cited lines stood under. */
function sameSection(before: string, after: string, range: LineRange): LineRange | undefined {
  const was = outline(before, 'markdown');
  const is = outline(after, 'markdown');
  // Windows of lines have names that say nothing about their content.
  if (was.windows || is.windows) return undefined;
  const anchor = was.headings.findLast((heading) => heading.line <= range.start)?.anchor;
  return anchor === undefined ? undefined : is.headings.find((heading) => heading.anchor === anchor)?.block;
}

/** Lines that say where they are from: not blank, not a rule, bracket or fence. */
function isTelling(line: string): boolean {
  return /[\p{L}\p{N}]/u.test(line) && !/^\s*(`{3,}|~{3,})/.test(line);
}

function linesOf(text: string): string[] {
  const lines = text.split('\n').map((line) => (line.endsWith('\r') ? line.slice(0, -1) : line));
  if (lines.at(-1) === '') lines.pop();
  return lines;
}
