// Source code in chunks: whole definitions, small ones together, a long one at the definitions inside it or at blank
// lines. A chunk knows what it defines and what it stands in.

import type { Chunk, ChunkProfile } from '../../../domain/chunk.ts';
import { firstIndex } from '../../../domain/first-index.ts';
import { lineAt, rangeOffsets, type LineIndex, type LineRange } from '../../../domain/lines.ts';
import type { Definition, Symbols } from '../../../domain/symbols.ts';
import { trimSpan, type Span } from '../chunk/boundaries.ts';
import { splitRegion } from '../chunk/split.ts';
import type { Outline } from '../headings.ts';
import { isListed } from './outline.ts';

export interface CodeText {
  text: string;
  outline: Outline;
  symbols: Symbols;
}

export function codeChunks({ text, outline, symbols }: CodeText, { size }: ChunkProfile): Chunk[] {
  const { lines } = outline;
  const source = { text, lines, size };
  const trees = treesOf(symbols.definitions.filter(isListed), lines.count);
  const spans = packed(wholes(source, { start: 1, end: lines.count }, trees), size);
  const place = placer({ text, lines }, symbols.definitions);
  return spans.map((span, ordinal) => ({ ordinal, ...span, ...place(span) }));
}

/** A definition with those inside it. */
interface Tree extends LineRange {
  inside: Tree[];
}

/** By what contains what; lines that two definitions share belong to the first. */
function treesOf(definitions: readonly Definition[], count: number): Tree[] {
  const roots: Tree[] = [];
  const open: Tree[] = [];
  for (const { lines } of [...definitions].sort(
    (a, b) => a.lines.start - b.lines.start || b.lines.end - a.lines.end,
  )) {
    while (open.length > 0 && open.at(-1)!.end < lines.start) open.pop();
    const around = open.at(-1);
    const tree = { start: lines.start, end: Math.min(lines.end, around?.end ?? count), inside: [] };
    // Those of one long line would stand each inside the one before, as deep as they are many.
    if (around && tree.start === around.start && tree.end === around.end) continue;
    const beside = around ? around.inside : roots;
    if (tree.end < tree.start || (beside.at(-1)?.end ?? 0) >= tree.start) continue;
    beside.push(tree);
    open.push(tree);
  }
  return roots;
}

interface Source {
  text: string;
  lines: LineIndex;
  size: number;
}

/** What stays whole. One that `opens` begins an outermost definition that is taken apart, and stays with what follows. */
interface Whole extends Span {
  opens?: boolean;
}

/** In order: definitions that fit, and what stands between them; those that do not are taken apart. */
function* wholes(source: Source, range: LineRange, trees: readonly Tree[]): Generator<Whole> {
  for (const part of partsOf(range, trees)) {
    const { start, end } = rangeOffsets(source.text, source.lines, part);
    const span = trimSpan(source.text, start, end);
    if (!span) continue;
    if (span.end - span.start <= source.size) yield span;
    else yield* opening(part.inside.length > 0 ? wholes(source, part, part.inside) : splitLong(source, span));
  }
}

function* opening(parts: Iterable<Whole>): Generator<Whole> {
  let opens = true;
  for (const part of parts) {
    yield { ...part, opens };
    opens = false;
  }
}

/** Neighbours together, as many as fit. */
function packed(wholes: Iterable<Whole>, size: number): Span[] {
  const spans: Span[] = [];
  for (const { start, end, opens } of wholes) {
    const last = spans.at(-1);
    if (last && !opens && end - last.start <= size) last.end = end;
    else spans.push({ start, end });
  }
  return spans;
}

/** Definitions and what stands between them. */
function partsOf(range: LineRange, trees: readonly Tree[]): Tree[] {
  const parts: Tree[] = [];
  let next = range.start;
  for (const tree of trees) {
    if (tree.start > next) parts.push({ start: next, end: tree.start - 1, inside: [] });
    parts.push(tree);
    next = tree.end + 1;
  }
  if (next <= range.end) parts.push({ start: next, end: range.end, inside: [] });
  return parts;
}

function splitLong({ text, lines, size }: Source, span: Span): Span[] {
  const limits = { hard: size, soft: size, tiny: Math.floor(size / 8) };
  return splitRegion({ text, lines, fences: [], headings: new Set() }, span, limits);
}

type Place = Pick<Chunk, 'startLine' | 'endLine' | 'headingPath' | 'block'> & { defines: string[] };

/** Says of spans, given in order, where they stand and what they define. */
function placer({ text, lines }: Omit<Source, 'size'>, definitions: readonly Definition[]) {
  const definedIn = definitionsIn(text, lines, definitions);
  const innermost = containers(definitions);
  return (span: Span): Place => {
    const startLine = lineAt(lines, span.start);
    const endLine = lineAt(lines, span.end - 1);
    const defined = definedIn({ ...span, startLine, endLine });
    const around = innermost(startLine, endLine);
    const [only, ...others] = outermost(defined.filter((one) => isListed(one) && one !== around));
    const subject = only && others.length === 0 ? only : around;
    return {
      startLine,
      endLine,
      headingPath: subject ? [...subject.path, subject.name] : [],
      block: blockOf(subject, { start: startLine, end: endLine }),
      defines: namesOf(defined),
    };
  };
}

/** Operators are names without one. */
const WORD = /[\p{L}\p{N}_$]+/gu;

/** Finds the definitions whose names stand in a chunk: where it cuts a line, those it holds the words of. */
export function definitionsIn(
  text: string,
  lines: LineIndex,
  definitions: readonly Definition[],
): (chunk: Pick<Chunk, 'start' | 'end' | 'startLine' | 'endLine'>) => Definition[] {
  const byLine = [...definitions].sort((a, b) => a.line - b.line);
  return ({ start, end, startLine, endLine }) => {
    const first = firstIndex(byLine.length, (at) => byLine[at]!.line >= startLine);
    const after = firstIndex(byLine.length, (at) => byLine[at]!.line > endLine);
    const found = byLine.slice(first, after);
    const range = rangeOffsets(text, lines, { start: startLine, end: endLine });
    const whole = trimSpan(text, range.start, range.end);
    if (!whole || (start <= whole.start && end >= whole.end)) return found;
    const words = new Set(text.slice(start, end).match(WORD));
    return found.filter(({ name }) => (name.match(WORD) ?? []).every((word) => words.has(word)));
  };
}

/** A constructor has the name of what it makes: who asks for that name wants the whole. And not what is only announced. */
export function namesOf(defined: readonly Definition[]): string[] {
  return [
    ...new Set(
      defined
        .filter(({ name, path, kind }) => path.at(-1) !== name && kind !== 'prototype')
        .map(({ name }) => name),
    ),
  ];
}

/** The smallest listed definition around lines that rise from call to call. */
function containers(
  definitions: readonly Definition[],
): (start: number, end: number) => Definition | undefined {
  const byStart = definitions
    .filter(isListed)
    .sort((a, b) => a.lines.start - b.lines.start || b.lines.end - a.lines.end);
  const open: Definition[] = [];
  let next = 0;
  return (start, end) => {
    for (; next < byStart.length && byStart[next]!.lines.start <= start; next += 1) {
      while (open.length > 0 && open.at(-1)!.lines.end < byStart[next]!.lines.start) open.pop();
      open.push(byStart[next]!);
    }
    while (open.length > 0 && open.at(-1)!.lines.end < start) open.pop();
    return open.findLast(({ lines }) => lines.end >= end);
  };
}

/** Those that stand in none of the others; in the order of their lines. */
function outermost(definitions: readonly Definition[]): Definition[] {
  const found: Definition[] = [];
  for (const one of [...definitions].sort(
    (a, b) => a.lines.start - b.lines.start || b.lines.end - a.lines.end,
  ))
    if ((found.at(-1)?.lines.end ?? 0) < one.lines.end) found.push(one);
  return found;
}

/** The lines of what a chunk is about, and of the chunk. */
function blockOf(subject: Definition | undefined, own: LineRange): LineRange {
  if (!subject) return own;
  return { start: Math.min(own.start, subject.lines.start), end: Math.max(own.end, subject.lines.end) };
}
