// Where a piece begins once it repeats the end of the one before: at the start of a line or word, never inside a fence.

import type { Span } from './boundaries.ts';
import { isSpace, boundaryAfter } from './boundaries.ts';
import { firstFence, type Source } from './split.ts';

export interface Overlap {
  /** Characters that may be repeated. */
  length: number;
  /** No piece grows beyond this. */
  hard: number;
  /** Nothing is repeated from before this: a piece never holds all of the one before it. */
  floor: number;
}

export function overlapStart(source: Source, piece: Span, { length, hard, floor }: Overlap): number {
  const room = Math.min(length, hard - (piece.end - piece.start));
  let from = Math.max(piece.start - room, floor);
  if (room <= 0 || from >= piece.start) return piece.start;
  const fence = source.fences[firstFence(source.fences, from)];
  if (fence && fence.start < from && fence.end <= piece.start) from = fence.end;
  if (fence && fence.start < from && fence.end > piece.start) return piece.start;
  const start = snap(source.text, from, piece.start);
  for (let at = start; at < piece.start; at += 1) if (!isSpace(source.text.charCodeAt(at))) return start;
  return piece.start;
}

/** The first line start in the earlier half, else the first word start, else any whole character. */
function snap(text: string, from: number, to: number): number {
  if (from === 0 || text.charCodeAt(from - 1) === 10) return from;
  // Looked for in the overlap only: the next line end may be at the end of the text.
  const newline = text.slice(from, from + Math.floor((to - from) / 2)).indexOf('\n');
  if (newline !== -1) return from + newline + 1;
  for (let at = from; at < to; at += 1) {
    if (isSpace(text.charCodeAt(at - 1)) && !isSpace(text.charCodeAt(at))) return at;
  }
  return boundaryAfter(text, from, to);
}
