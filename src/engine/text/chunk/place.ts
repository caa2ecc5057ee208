// Says for pieces, given in order, on which lines they stand and under which heading.

import type { Chunk } from '../../../domain/chunk.ts';
import type { Heading } from '../../../domain/document.ts';
import type { LineIndex, LineRange } from '../../../domain/lines.ts';
import type { Window } from './fixed.ts';

type Place = Pick<Chunk, 'startLine' | 'endLine' | 'headingPath' | 'block'>;

/** Starts, cores, sections and ends must not go back from piece to piece: each is followed by a pointer, not searched. */
export function placer(lines: LineIndex, headings: readonly Heading[]): (piece: Window) => Place {
  const startLine = follow(lines);
  const coreLine = follow(lines);
  const sectionLine = follow(lines);
  const endLine = follow(lines);
  const headingOfSection = followHeadings(headings);
  const headingAtCore = followHeadings(headings);
  const headingAtEnd = followHeadings(headings);
  const before: LineRange = { start: 1, end: (headings[0]?.line ?? lines.count + 1) - 1 };
  const blockOf = (at: number): LineRange => headings[at]?.block ?? before;

  return (piece) => {
    const start = startLine(piece.start);
    const end = endLine(piece.end - 1);
    const own = headingAtCore(coreLine(piece.core));
    const last = headingAtEnd(end);
    const section = headingOfSection(sectionLine(piece.section ?? piece.start));
    // A piece that begins before every heading but reaches one is about that one.
    const named = own === -1 && last >= 0 ? 0 : own;
    return {
      startLine: start,
      endLine: end,
      headingPath: headings[named]?.path ?? [],
      block: { start: blockOf(section).start, end: blockOf(last).end },
    };
  };
}

function follow(lines: LineIndex): (offset: number) => number {
  let line = 0;
  return (offset) => {
    while (line + 1 < lines.count && lines.starts[line + 1]! <= offset) line += 1;
    return line + 1;
  };
}

/** Index of the last heading at or before a line, -1 before the first. */
function followHeadings(headings: readonly Heading[]): (line: number) => number {
  let at = -1;
  return (line) => {
    while (at + 1 < headings.length && headings[at + 1]!.line <= line) at += 1;
    return at;
  };
}
