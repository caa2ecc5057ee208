// What was found in a text, in a shape that passes between threads cheaply: numbers in one array, strings in a few, no
// objects. What follows from the rest (paths, places of headings) is left out and made again.

import type { Heading } from '../../../domain/document.ts';
import type { AnalysedChunk, Analysis } from '../../text/analyse.ts';

export interface Packed {
  title: string;
  sha256: string;
  lines: number;
  windows: boolean;
  /** Level, line, last line of the block, last line of the section, length of the path; of each heading. */
  headings: Float64Array;
  headingTexts: string[];
  anchors: string[];
  /** Start, end, first and last line, first and last line of the block, heading (-1 for none); of each chunk. */
  chunks: Float64Array;
  extraWords: string[];
  /** Only where a chunk has one. */
  prefixes?: (string | undefined)[];
}

const PER_HEADING = 5;
const PER_CHUNK = 7;

export function pack({ headings, chunks, ...rest }: Analysis): Packed {
  const prefixes = chunks.map(({ prefix }) => prefix);
  return {
    ...rest,
    headings: packHeadings(headings),
    headingTexts: headings.map(({ text }) => text),
    anchors: headings.map(({ anchor }) => anchor),
    chunks: packChunks(chunks, new Map(headings.map(({ path }, at) => [path, at]))),
    extraWords: chunks.map(({ extraWords }) => extraWords),
    ...(prefixes.some((prefix) => prefix !== undefined) ? { prefixes } : {}),
  };
}

function packHeadings(headings: readonly Heading[]): Float64Array {
  const numbers = new Float64Array(headings.length * PER_HEADING);
  headings.forEach(({ level, line, block, section, path }, index) => {
    const at = index * PER_HEADING;
    numbers[at] = level;
    numbers[at + 1] = line;
    numbers[at + 2] = block.end;
    numbers[at + 3] = section.end;
    numbers[at + 4] = path.length;
  });
  return numbers;
}

/** A chunk has the very path of its heading, so that the path tells which one it is. */
function packChunks(
  chunks: readonly AnalysedChunk[],
  places: ReadonlyMap<readonly string[], number>,
): Float64Array {
  const numbers = new Float64Array(chunks.length * PER_CHUNK);
  chunks.forEach(({ start, end, startLine, endLine, block, headingPath }, index) => {
    const at = index * PER_CHUNK;
    numbers[at] = start;
    numbers[at + 1] = end;
    numbers[at + 2] = startLine;
    numbers[at + 3] = endLine;
    numbers[at + 4] = block.start;
    numbers[at + 5] = block.end;
    numbers[at + 6] = places.get(headingPath) ?? -1;
  });
  return numbers;
}

export function unpack(packed: Packed): Analysis {
  const { title, sha256, lines, windows } = packed;
  const headings = unpackHeadings(packed);
  return { title, sha256, lines, windows, headings, chunks: unpackChunks(packed, headings) };
}

function unpackHeadings({ headings: numbers, headingTexts, anchors }: Packed): Heading[] {
  const above: string[][] = [];
  return headingTexts.map((text, index) => {
    const at = index * PER_HEADING;
    const line = numbers[at + 1]!;
    const depth = numbers[at + 4]!;
    const path = depth > 1 ? [...above[depth - 2]!, text] : [text];
    above[depth - 1] = path;
    return {
      level: numbers[at]!,
      text,
      path,
      line,
      block: { start: line, end: numbers[at + 2]! },
      section: { start: line, end: numbers[at + 3]! },
      anchor: anchors[index]!,
    };
  });
}

function unpackChunks(packed: Packed, headings: readonly Heading[]): AnalysedChunk[] {
  const { chunks: numbers, extraWords, prefixes } = packed;
  return extraWords.map((words, ordinal) => {
    const at = ordinal * PER_CHUNK;
    const prefix = prefixes?.[ordinal];
    return {
      ordinal,
      start: numbers[at]!,
      end: numbers[at + 1]!,
      ...(prefix === undefined ? {} : { prefix }),
      startLine: numbers[at + 2]!,
      endLine: numbers[at + 3]!,
      headingPath: headings[numbers[at + 6]!]?.path ?? [],
      block: { start: numbers[at + 4]!, end: numbers[at + 5]! },
      extraWords: words,
    };
  });
}
