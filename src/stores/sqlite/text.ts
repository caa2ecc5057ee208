// The text of a document in pieces, so that a few lines of a long text are read without the rest.

import type { LineRange } from '../../domain/lines.ts';
import type { Connection } from './connection.ts';
import { PIECE_SPAN } from './schema.ts';

/** Characters of a piece, at most. */
export const PIECE = 4_096;

interface Piece {
  start: number;
  line: number;
  text: string;
}

/** Writes the pieces and returns where each begins. */
export function writeText(connection: Connection, document: number, text: string): number[] {
  const starts: number[] = [];
  const insert = connection.sql('INSERT INTO pieces (id, start, line, text) VALUES (?, ?, ?, ?)');
  let number = 0;
  let line = 1;
  for (let start = 0; start < text.length; number += 1) {
    const end = cut(text, start);
    const piece = text.slice(start, end);
    insert.run(document * PIECE_SPAN + number, start, line, piece);
    line += countLineEnds(piece);
    starts.push(start);
    start = end;
  }
  return starts;
}

export function removeText(connection: Connection, document: number): void {
  connection
    .sql('DELETE FROM pieces WHERE id BETWEEN ? AND ?')
    .run(document * PIECE_SPAN, (document + 1) * PIECE_SPAN - 1);
}

export function readText(connection: Connection, document: number): string {
  return piecesFrom(connection, document, 0, Infinity)
    .map((piece) => piece.text)
    .join('');
}

/** The text between two offsets, of which the first lies in a known piece. */
export function readSlice(
  connection: Connection,
  document: number,
  { piece, start, end }: { piece: number; start: number; end: number },
): string {
  if (end <= start) return '';
  const pieces = piecesFrom(connection, document, piece, end);
  const text = pieces.map((piece) => piece.text).join('');
  const origin = pieces[0]?.start ?? 0;
  return text.slice(start - origin, end - origin);
}

/** Whole lines, without the end of the last one; empty past the end of the text. */
export function readLines(connection: Connection, document: number, range: LineRange): string {
  if (range.end < range.start) return '';
  const first = pieceBefore(connection, document, range.start);
  // The piece that begins with the line after the range may still be inside it: a long line spans pieces.
  const pieces = connection
    .sql('SELECT start, line, text FROM pieces WHERE id BETWEEN ? AND ? AND line <= ? ORDER BY id')
    .all(document * PIECE_SPAN + first, (document + 1) * PIECE_SPAN - 1, range.end) as unknown as Piece[];
  const text = pieces.map((piece) => piece.text).join('');
  const from = afterLineEnds(text, range.start - (pieces[0]?.line ?? 1));
  if (from === -1) return '';
  let to = afterLineEnds(text, range.end - range.start + 1, from);
  if (to === -1) to = text.length;
  if (to > from && text.charCodeAt(to - 1) === 10) to -= 1;
  if (to > from && text.charCodeAt(to - 1) === 13) to -= 1;
  return text.slice(from, to);
}

/** Number of the last piece that begins in an earlier line: one may begin inside a long line. */
function pieceBefore(connection: Connection, document: number, line: number): number {
  const last = connection
    .sql('SELECT max(id) AS id FROM pieces WHERE id BETWEEN ? AND ?')
    .get(document * PIECE_SPAN, (document + 1) * PIECE_SPAN - 1) as { id: number | null };
  const lineOf = connection.sql('SELECT line FROM pieces WHERE id = ?');
  let low = 0;
  let high = last.id === null ? 0 : last.id - document * PIECE_SPAN;
  while (low < high) {
    const middle = (low + high + 1) >> 1;
    const row = lineOf.get(document * PIECE_SPAN + middle) as { line: number };
    if (row.line < line) low = middle;
    else high = middle - 1;
  }
  return low;
}

function piecesFrom(connection: Connection, document: number, first: number, end: number): Piece[] {
  return connection
    .sql('SELECT start, line, text FROM pieces WHERE id BETWEEN ? AND ? AND start < ? ORDER BY id')
    .all(
      document * PIECE_SPAN + first,
      (document + 1) * PIECE_SPAN - 1,
      Number.isFinite(end) ? end : Number.MAX_SAFE_INTEGER,
    ) as unknown as Piece[];
}

/** Where the piece that begins at `start` ends: after a line end, or at a code point inside a very long line. */
function cut(text: string, start: number): number {
  const hard = start + PIECE;
  if (hard >= text.length) return text.length;
  const lineEnd = text.lastIndexOf('\n', hard - 1);
  if (lineEnd >= start) return lineEnd + 1;
  const unit = text.charCodeAt(hard - 1);
  return unit >= 0xd800 && unit <= 0xdbff ? hard - 1 : hard;
}

function countLineEnds(text: string): number {
  let count = 0;
  for (let at = text.indexOf('\n'); at !== -1; at = text.indexOf('\n', at + 1)) count += 1;
  return count;
}

/** Offset after so many line ends, or -1 when the text has fewer (or ends there: a final LF adds no line). */
function afterLineEnds(text: string, count: number, from = 0): number {
  let at = from;
  for (let n = 0; n < count; n += 1) {
    const end = text.indexOf('\n', at);
    if (end === -1) return -1;
    at = end + 1;
  }
  return at;
}
