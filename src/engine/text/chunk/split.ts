// The recursive splitter under every strategy: split at the best separator present, group greedily, continue with
// weaker separators where a part is still too long. Each level reads a part once, so the whole is linear in the text.

import { firstIndex } from '../../../domain/first-index.ts';
import { lineAt, type LineIndex } from '../../../domain/lines.ts';
import { isSpace, boundaryBefore, trimSpan, type Span } from './boundaries.ts';

export interface Source {
  text: string;
  lines: LineIndex;
  /** Code fences as offsets, in order. */
  fences: readonly Span[];
  /** Offsets at which heading lines start. */
  headings: ReadonlySet<number>;
}

export interface Limits {
  /** No piece is longer. */
  hard: number;
  /** Groups stay within this, so that the overlap fits in front of them. */
  soft: number;
  /** A piece up to this length is joined to a neighbour where it fits. */
  tiny: number;
}

export const BLANK_LINE = 0;
export const NEWLINE = 1;
const SEPARATORS: readonly (string | RegExp)[] = [
  '. ',
  '! ',
  '? ',
  /[。！？]/g,
  '; ',
  ', ',
  /[；，、]/g,
  ' ',
];
const LAST = NEWLINE + SEPARATORS.length;

/** Pieces of a region in order, each trimmed and within `hard`. */
export function splitRegion(source: Source, region: Span, limits: Limits): Span[] {
  const pieces: Span[] = [];
  const whole = trimSpan(source.text, region.start, region.end);
  if (whole) splitSpan({ source, limits, pieces }, whole, BLANK_LINE);
  return joinTiny(pieces, limits);
}

interface Work {
  source: Source;
  limits: Limits;
  pieces: Span[];
}

function splitSpan(work: Work, span: Span, level: number): void {
  const { source, limits, pieces } = work;
  if (span.end - span.start <= limits.hard) {
    pieces.push(span);
    return;
  }
  if (level > LAST) {
    hardCut(work, span);
    return;
  }
  const cuts = cutsAt(source, span, level, limits.hard);
  if (cuts.length === 0) return splitSpan(work, span, level + 1);
  groupSpans(work, spansBetween(source.text, span, cuts), level);
}

/** Groups neighbouring spans greedily; what is too long alone is split at the next level. */
export function groupSpans(work: Work, spans: Iterable<Span>, level: number): void {
  const { source, limits, pieces } = work;
  let group: Span | undefined;
  let last: Span | undefined;
  for (const span of spans) {
    if (group && span.end - group.start <= limits.soft) {
      last = span;
      group = { start: group.start, end: span.end };
      continue;
    }
    // A heading at the end of a group belongs to what follows.
    if (group && last && last.start > group.start && source.headings.has(last.start)) {
      const fits = span.end - last.start <= limits.soft || last.end - last.start <= limits.tiny;
      const before = fits ? trimSpan(source.text, group.start, last.start) : undefined;
      if (before) {
        pieces.push(before);
        group = last;
        if (span.end - group.start <= limits.soft) {
          last = span;
          group = { start: group.start, end: span.end };
          continue;
        }
      }
    }
    last = undefined;
    if (group && group.end - group.start <= limits.tiny && !fenceStartsAt(source, span, limits.hard)) {
      // A heading or a short lead stays with what it introduces, even if that must be split for it.
      splitSpan(work, { start: group.start, end: span.end }, level + 1);
      group = undefined;
      continue;
    }
    if (group) pieces.push(group);
    group = undefined;
    if (span.end - span.start <= limits.hard) group = span;
    else splitSpan(work, span, level + 1);
  }
  if (group) pieces.push(group);
}

export function* spansBetween(text: string, span: Span, cuts: readonly number[]): Generator<Span> {
  let from = span.start;
  for (let i = 0; i <= cuts.length; i += 1) {
    const to = cuts[i] ?? span.end;
    const trimmed = trimSpan(text, from, to);
    if (trimmed) yield trimmed;
    from = to;
  }
}

function hardCut({ source, limits, pieces }: Work, span: Span): void {
  let from = span.start;
  while (span.end - from > limits.soft) {
    const cut = boundaryBefore(source.text, from + limits.soft, from);
    const piece = trimSpan(source.text, from, cut);
    if (piece) pieces.push(piece);
    from = cut;
  }
  const rest = trimSpan(source.text, from, span.end);
  if (rest) pieces.push(rest);
}

/** A short piece joins the one before it when both fit. */
function joinTiny(pieces: readonly Span[], { hard, tiny }: Limits): Span[] {
  const joined: Span[] = [];
  for (const piece of pieces) {
    const last = joined.at(-1);
    const short = last && (piece.end - piece.start <= tiny || last.end - last.start <= tiny);
    if (short && piece.end - last.start <= hard)
      joined[joined.length - 1] = { start: last.start, end: piece.end };
    else joined.push(piece);
  }
  return joined;
}

/** Offsets after the separators of a level, outside fences that are kept whole. */
export function cutsAt(source: Source, span: Span, level: number, hard: number): number[] {
  const cuts =
    level <= NEWLINE
      ? lineCuts(source, span, level)
      : separatorCuts(source.text, span, SEPARATORS[level - 2]!);
  return outsideFences(source, cuts, hard);
}

export function outsideFences(source: Source, cuts: number[], hard: number): number[] {
  if (cuts.length === 0 || source.fences.length === 0) return cuts;
  let at = firstFence(source.fences, cuts[0]!);
  return cuts.filter((cut) => {
    while (at < source.fences.length && source.fences[at]!.end <= cut) at += 1;
    const fence = source.fences[at];
    return !fence || cut <= fence.start || fence.end - fence.start > hard;
  });
}

/** Index of the first fence that ends after an offset. */
export function firstFence(fences: readonly Span[], offset: number): number {
  return firstIndex(fences.length, (at) => fences[at]!.end > offset);
}

function fenceStartsAt(source: Source, span: Span, hard: number): boolean {
  const fence = source.fences[firstFence(source.fences, span.start)];
  return fence !== undefined && fence.start <= span.start && fence.end - fence.start <= hard;
}

function lineCuts({ text, lines }: Source, span: Span, level: number): number[] {
  const cuts: number[] = [];
  let afterBlank = false;
  for (let line = lineAt(lines, span.start) + 1; line <= lines.count; line += 1) {
    const start = lines.starts[line - 1]!;
    if (start >= span.end) break;
    if (level === NEWLINE) {
      cuts.push(start);
      continue;
    }
    if (isBlankLine(text, start)) afterBlank = true;
    else {
      if (afterBlank) cuts.push(start);
      afterBlank = false;
    }
  }
  return cuts;
}

function isBlankLine(text: string, start: number): boolean {
  for (let i = start; i < text.length; i += 1) {
    const code = text.charCodeAt(i);
    if (code === 10) return true;
    if (!isSpace(code)) return false;
  }
  return true;
}

function separatorCuts(text: string, span: Span, separator: string | RegExp): number[] {
  const slice = text.slice(span.start, span.end);
  const cuts: number[] = [];
  const add = (after: number): number => {
    let at = after;
    while (at < slice.length && isSpace(slice.charCodeAt(at))) at += 1;
    if (at < slice.length) cuts.push(span.start + at);
    return at;
  };
  if (typeof separator === 'string') {
    for (let at = slice.indexOf(separator); at !== -1; at = slice.indexOf(separator, at))
      at = add(at + separator.length);
  } else for (const match of slice.matchAll(separator)) add(match.index + 1);
  return cuts;
}
