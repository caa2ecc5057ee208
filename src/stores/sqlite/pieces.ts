// A few characters or lines out of a document's text, without the rest of it.

import { firstIndex } from '../../domain/first-index.ts';
import { sliceLines, type LineRange } from '../../domain/lines.ts';
import type { Connection } from './connection.ts';
import { createMemory } from './memory.ts';
import { PIECE_SPAN, piecesOf } from './ids.ts';

export interface PieceReads {
  /** The text between two offsets, of which the first lies in a known piece. Inside a read, as all here. */
  slice(document: number, place: { piece: number; start: number; end: number }): string;
  /** Whole lines, without the end of the last one; empty past the end of the text. */
  lines(document: number, range: LineRange): string;
}

/** Offset and line it begins at. */
interface Piece {
  start: number;
  line: number;
  text: string;
}

/** Numbers kept of each kind; texts are not, because the next question is about others. */
const MAX_NUMBERS = 2_000;

export function createPieceReads(connection: Connection): PieceReads {
  const counts = createMemory<number, number>(connection, MAX_NUMBERS);
  const lines = createMemory<number, number>(connection, MAX_NUMBERS);
  const pieceAt = (document: number, number: number): Piece | undefined =>
    readPiece(connection, document * PIECE_SPAN + number);
  /** Without its text: a search for a line passes by many pieces. */
  const lineAt = (document: number, number: number): number =>
    lines.get(document * PIECE_SPAN + number, (id) => readLine(connection, id));
  const countOf = (document: number): number => counts.get(document, (id) => readCount(connection, id));

  /** The last piece that begins in an earlier line: one may begin inside a long line. */
  function pieceBefore(document: number, line: number): number {
    return firstIndex(countOf(document) - 1, (before) => lineAt(document, before + 1) >= line);
  }

  /** The text from a piece on up to the last one that is needed, or to its end; undefined past the end. */
  function read(document: number, first: number, isLast: (piece: Piece) => boolean): Piece | undefined {
    const held = pieceAt(document, first);
    if (!held) return undefined;
    let { text } = held;
    // Each piece is looked at alone: in what is held so far, long texts would take time by the square of their length.
    for (let [piece, number] = [held, first]; !isLast(piece);) {
      number += 1;
      const next = pieceAt(document, number);
      if (!next) break;
      text += next.text;
      piece = next;
    }
    return { ...held, text };
  }

  return {
    slice(document, { piece, start, end }) {
      if (end <= start) return '';
      const held = read(document, piece, ({ start: from, text }) => end <= from + text.length);
      return held ? held.text.slice(start - held.start, end - held.start) : '';
    },
    lines(document, { start, end }) {
      if (end < start) return '';
      const joined = read(document, pieceBefore(document, start), ({ line, text }) =>
        hasLineEnds(text, end - line + 1),
      );
      if (!joined) return '';
      const before = joined.line - 1;
      return sliceLines(joined.text, { start: start - before, end: end - before });
    },
  };
}

function readPiece(connection: Connection, id: number): Piece | undefined {
  const row = connection.row<[start: number, line: number, text: string]>(
    'SELECT start, line, text FROM pieces WHERE id = ?',
    id,
  );
  return row && { start: row[0], line: row[1], text: row[2] };
}

function readLine(connection: Connection, id: number): number {
  return connection.row<[line: number]>('SELECT line FROM pieces WHERE id = ?', id)![0];
}

function readCount(connection: Connection, document: number): number {
  const [last] = connection.row<[last: number | null]>(
    'SELECT max(id) FROM pieces WHERE id BETWEEN ? AND ?',
    ...piecesOf(document),
  )!;
  return last === null ? 0 : last - document * PIECE_SPAN + 1;
}

/** Whether the text has so many. */
function hasLineEnds(text: string, count: number): boolean {
  let at = -1;
  for (let found = 0; found < count; found += 1) {
    at = text.indexOf('\n', at + 1);
    if (at === -1) return false;
  }
  return true;
}
