// The text of a document in pieces, so that a few lines of a long text can be read without the rest (`pieces.ts`).

import type { Connection } from './connection.ts';
import { PIECE_SPAN } from './ids.ts';

/** Characters of a piece, at most. */
const PIECE = 4_096;

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
  const pieces = connection.rows<[text: string]>(
    'SELECT text FROM pieces WHERE id BETWEEN ? AND ? ORDER BY id',
    document * PIECE_SPAN,
    (document + 1) * PIECE_SPAN - 1,
  );
  return pieces.map(([text]) => text).join('');
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
