// How many lines around a citation are returned. Pure: headings and a range in, a range out.
//
// `none` is the exact lines; `symmetric` is padding where it is given, else the smallest section around the range, at
// most 200 lines; `all` is the whole top section. Padding alone would make "search, then retrieve" return nothing new.

import type { Heading } from '../../domain/document.ts';
import { firstIndex } from '../../domain/first-index.ts';
import type { LineRange } from '../../domain/lines.ts';

export const CONTEXT_MODES = ['none', 'symmetric', 'all'] as const;
export type ContextMode = (typeof CONTEXT_MODES)[number];

const MAX_SECTION_LINES = 200;

export interface ContextRequest {
  headings: readonly Heading[];
  /** Lines of the whole text. */
  lines: number;
  /** Inside the text. */
  range: LineRange;
  mode: ContextMode;
  padding?: number;
}

export interface ContextWindow {
  range: LineRange;
  /** The lines that belong to the context but were left out because of the cap; the part that follows first. */
  rest?: LineRange;
  /** Heading path of the smallest section around what was asked for. */
  headingPath: string[];
}

export function contextWindow(request: ContextRequest): ContextWindow {
  const { headings, lines, range, mode, padding } = request;
  const around = smallestSection(headings, range);
  const headingPath = around?.path ?? [];
  if (mode === 'all') {
    const whole = topSection(headings, lines, range);
    return { range: whole, headingPath: smallestSection(headings, whole)?.path ?? headingPath };
  }
  if (padding !== undefined || mode === 'none') {
    const more = padding ?? 0;
    return {
      range: { start: Math.max(1, range.start - more), end: Math.min(lines, range.end + more) },
      headingPath,
    };
  }
  const section = around?.range ?? { start: 1, end: lines };
  return { ...capped(section, range), headingPath };
}

/** The smallest section (or the text before the first heading) that holds the whole range. */
function smallestSection(
  headings: readonly Heading[],
  range: LineRange,
): { range: LineRange; path: string[] } | undefined {
  const preamble = { start: 1, end: (headings[0]?.line ?? 1) - 1 };
  if (holds(preamble, range)) return { range: preamble, path: [] };
  const after = firstIndex(headings.length, (at) => headings[at]!.line > range.start);
  for (let at = after - 1; at >= 0; at--) {
    const heading = headings[at]!;
    if (holds(heading.section, range)) return { range: heading.section, path: heading.path };
  }
  return undefined;
}

/** A window of at most 200 lines inside the section: spare lines shared equally, an unused share given to the other side. */
function capped(section: LineRange, range: LineRange): { range: LineRange; rest?: LineRange } {
  const spare = Math.max(0, MAX_SECTION_LINES - (range.end - range.start + 1));
  const above = range.start - section.start;
  const below = section.end - range.end;
  const before = Math.min(above, Math.max(Math.floor(spare / 2), spare - below));
  const after = Math.min(below, spare - before);
  const window = { start: range.start - before, end: range.end + after };
  return { range: window, ...restOf(section, window) };
}

function restOf(section: LineRange, window: LineRange): { rest?: LineRange } {
  if (window.end < section.end) return { rest: { start: window.end + 1, end: section.end } };
  if (window.start > section.start) return { rest: { start: section.start, end: window.start - 1 } };
  return {};
}

/** From the first to the last of the top sections that the range touches. */
function topSection(headings: readonly Heading[], lines: number, range: LineRange): LineRange {
  const touched = topSections(headings, lines).filter(
    (part) => part.start <= range.end && part.end >= range.start,
  );
  if (touched.length === 0) return range;
  return { start: touched[0]!.start, end: touched.at(-1)!.end };
}

/**
 * The text split into its top-level sections; where a single heading is above everything (a title), its own block and
 * the sections of the next level.
 */
function topSections(headings: readonly Heading[], lines: number): LineRange[] {
  const first = headings[0];
  if (!first) return [{ start: 1, end: lines }];
  // Without a line where the first heading begins the text.
  const parts: LineRange[] = [{ start: 1, end: first.line - 1 }];
  let covered = 0;
  if (first.section.end === lines) {
    parts.push(first.block);
    covered = first.block.end;
  }
  for (const heading of headings) {
    if (heading.line <= covered) continue;
    parts.push(heading.section);
    covered = heading.section.end;
  }
  return parts;
}

function holds(outer: LineRange, inner: LineRange): boolean {
  return outer.start <= inner.start && outer.end >= inner.end;
}
