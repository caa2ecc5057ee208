// Splits a document into chunks: exact slices of its text with lines, heading path and block. Pure; linear in the text.
// The invariants (limit, lossless, whole fences, exact lines) are listed and generated in the tests of this folder.

import type { Chunk, ChunkProfile } from '../../../domain/chunk.ts';
import type { Heading } from '../../../domain/document.ts';
import { rangeOffsets } from '../../../domain/lines.ts';
import type { Outline } from '../headings.ts';
import { boundaryBefore, skipSpace, trimSpan, type Span } from './boundaries.ts';
import { fixedWindows, type Window } from './fixed.ts';
import { joinIntroductions, type Region } from './introductions.ts';
import { overlapStart } from './overlap.ts';
import { placer } from './place.ts';
import { checkProfile } from './profile.ts';
import { sentenceCuts } from './sentences.ts';
import {
  cutsAt,
  BLANK_LINE,
  groupSpans,
  NEWLINE,
  spansBetween,
  splitRegion,
  type Limits,
  type Source,
} from './split.ts';

export interface ChunkInput {
  text: string;
  outline: Outline;
  profile: ChunkProfile;
}

export interface Piece extends Window {
  prefix?: string;
}

export function chunkDocument({ text, outline, profile }: ChunkInput): Chunk[] {
  const { lines, headings, windows } = outline;
  const fences = outline.fences.map((fence) => rangeOffsets(text, lines, fence));
  const starts = new Set(windows ? [] : headings.map(({ line }) => lines.starts[line - 1]!));
  const place = placer(lines, headings);
  // Never split at windows of lines: a fence may cross them.
  const pieces = piecesOf(
    { text, lines, fences, headings: starts },
    checkProfile(profile),
    windows ? [] : headings,
  );
  return pieces.map((piece, ordinal) => ({
    ordinal,
    start: piece.start,
    end: piece.end,
    ...(piece.prefix ? { prefix: piece.prefix } : {}),
    ...place(piece),
    // A window of lines is a place to cite, no heading to be found or judged by.
    ...(windows ? { headingPath: [] } : {}),
  }));
}

function piecesOf(source: Source, profile: ChunkProfile, headings: readonly Heading[]): Piece[] {
  const whole = { start: 0, end: source.text.length };
  switch (profile.strategy) {
    case 'fixed':
      return fixedWindows(source, profile.size, profile.overlap);
    case 'sentence':
      return sentences(source, whole, profile);
    case 'paragraph':
      return overlapped(source, paragraphs(source, whole, limitsOf(profile, 0)), profile);
    case 'recursive':
      return overlapped(source, splitRegion(source, whole, limitsOf(profile, 0)), profile);
    case 'markdown':
      return regionsOf(source, headings).flatMap((region) => section(source, region, profile));
    case 'blocks': {
      const { text, lines } = source;
      const regions = joinIntroductions(text, lines, regionsOf(source, headings), profile.size);
      return regions.flatMap((region) => section(source, region, profile));
    }
  }
}

function limitsOf({ size, overlap }: ChunkProfile, prefix: number): Limits {
  return { hard: size - prefix, soft: size - prefix - overlap, tiny: Math.floor((size - prefix) / 8) };
}

function paragraphs(source: Source, whole: Span, limits: Limits): Span[] {
  const pieces: Span[] = [];
  const cuts = cutsAt(source, whole, BLANK_LINE, limits.hard);
  groupSpans(
    { source, limits: { ...limits, tiny: 0 }, pieces },
    spansBetween(source.text, whole, cuts),
    BLANK_LINE,
  );
  return pieces;
}

/** Groups of sentences; what is repeated of the group before is whole sentences, or words of a sentence cut apart. */
function sentences(source: Source, whole: Span, profile: ChunkProfile): Piece[] {
  const limits = { ...limitsOf(profile, 0), tiny: 0 };
  const pieces: Span[] = [];
  const cuts = sentenceCuts(source, whole, limits.hard);
  groupSpans({ source, limits, pieces }, spansBetween(source.text, whole, cuts), NEWLINE - 1);
  const starts = new Set(cuts.map((cut) => skipSpace(source.text, cut, whole.end).start));
  let at = 0;
  return overlapped(source, pieces, profile).map((piece) => {
    if (piece.start === piece.core || !starts.has(piece.core)) return piece;
    while (at < cuts.length && cuts[at]! < piece.start) at += 1;
    return { ...piece, start: Math.min(cuts[at] ?? piece.core, piece.core) };
  });
}

/** One region per heading block, and one for what stands before the first heading. */
function regionsOf({ text, lines }: Source, headings: readonly Heading[]): Region[] {
  const first = headings[0] ? lines.starts[headings[0].line - 1]! : text.length;
  const regions: Region[] = first > 0 ? [{ start: 0, end: first, core: 0, level: 0 }] : [];
  for (const { line, block, level } of headings) {
    const start = lines.starts[line - 1]!;
    const end = lines.starts[block.end] ?? text.length;
    const heading = rangeOffsets(text, lines, { start: line, end: line });
    regions.push({ start, end, core: start, level, heading });
  }
  return regions;
}

function section(source: Source, region: Region, profile: ChunkProfile): Piece[] {
  const whole = trimSpan(source.text, region.start, region.end);
  if (!whole) return [];
  if (whole.end - whole.start <= profile.size)
    return [{ ...whole, core: Math.max(whole.start, region.core) }];
  const prefix =
    profile.strategy === 'markdown' && region.heading
      ? headingPrefix(source.text, region.heading, profile.size)
      : '';
  const parts = splitRegion(source, whole, limitsOf(profile, prefix.length));
  const pieces = overlapped(source, parts, { ...profile, size: profile.size - prefix.length });
  // An introduction is of the section where a piece holds both; one that fills pieces by itself is none of it.
  const begins = pieces.find(({ end }) => end > region.core)!.start;
  return pieces.map((piece, at) => ({
    ...piece,
    ...(piece.end > region.core ? { core: Math.max(piece.core, region.core), section: begins } : {}),
    ...(at > 0 && prefix ? { prefix } : {}),
  }));
}

/** The heading to repeat; a long one is shortened so that text still fits beside it. */
function headingPrefix(text: string, { start, end }: Span, size: number): string {
  const room = Math.floor(size / 4);
  if (end - start <= room) return `${text.slice(start, end).trim()}\n\n`;
  return `${text.slice(start, boundaryBefore(text, start + room - 1, start)).trim()}…\n\n`;
}

function overlapped(source: Source, pieces: readonly Span[], { size, overlap }: ChunkProfile): Piece[] {
  return pieces.map((piece, at) => {
    const before = pieces[at - 1];
    const start =
      before && overlap > 0
        ? overlapStart(source, piece, { length: overlap, hard: size, floor: before.start + 1 })
        : piece.start;
    return { start, end: piece.end, core: piece.start };
  });
}
