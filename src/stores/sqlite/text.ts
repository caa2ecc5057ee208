// The text of a document, stored in pieces; reading a few lines of it is in `pieces.ts`.

import { textPieces } from '../text-pieces.ts';
import type { Connection } from './connection.ts';
import { PIECE_SPAN, piecesOf } from './ids.ts';

/** Characters of a piece, at most. */
const PIECE = 4_096;

/** Writes the pieces and returns where each begins. */
export function writeText(connection: Connection, document: number, text: string): number[] {
  const starts: number[] = [];
  const insert = connection.sql('INSERT INTO pieces (id, start, line, text) VALUES (?, ?, ?, ?)');
  for (const { start, line, text: piece } of textPieces(text, PIECE)) {
    insert.run(document * PIECE_SPAN + starts.length, start, line, piece);
    starts.push(start);
  }
  return starts;
}

export function removeText(connection: Connection, document: number): void {
  connection.sql('DELETE FROM pieces WHERE id BETWEEN ? AND ?').run(...piecesOf(document));
}

export function readText(connection: Connection, document: number): string {
  const pieces = connection.rows<[text: string]>(
    'SELECT text FROM pieces WHERE id BETWEEN ? AND ? ORDER BY id',
    ...piecesOf(document),
  );
  return pieces.map(([text]) => text).join('');
}
