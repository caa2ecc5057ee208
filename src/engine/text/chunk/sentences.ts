// Where sentences end: after `.`, `!` or `?` and white space before an upper-case letter, an accented letter or a double
// quote; after a full stop of Chinese or Japanese; and at a blank line.

import type { Span } from './boundaries.ts';
import { BLANK_LINE, cutsAt, outsideFences, type Source } from './split.ts';

const SENTENCE_END = /(?<=[.!?]["'”’)\]]?)\s+(?=[\p{Lu}\u00c0-\u024f"“])|(?<=[。！？])(?=\S)/gu;

export function sentenceCuts(source: Source, span: Span, hard: number): number[] {
  const slice = source.text.slice(span.start, span.end);
  const cuts = new Set<number>(cutsAt(source, span, BLANK_LINE, hard));
  const ends: number[] = [];
  for (const match of slice.matchAll(SENTENCE_END)) ends.push(span.start + match.index + match[0].length);
  for (const cut of outsideFences(source, ends, hard)) cuts.add(cut);
  return [...cuts].sort((a, b) => a - b);
}
