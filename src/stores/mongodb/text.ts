// The text of a document in pieces, so that a few lines of a long text are read without the rest and no piece meets
// MongoDB's limit on a document.

import type { ClientSession } from 'mongodb';
import type { Heading } from '../../domain/document.ts';
import type { LineRange } from '../../domain/lines.ts';
import type { Database } from './database.ts';
import { NAMES, type HeadingPiece, type TextPiece } from './layout.ts';

const PIECE = 65_536;
const HEADINGS = 2000;

export function textPieces(doc: string, text: string): TextPiece[] {
  const pieces: TextPiece[] = [];
  let line = 1;
  for (let start = 0; start < text.length;) {
    const end = cut(text, start);
    const piece = text.slice(start, end);
    pieces.push({ _id: `${doc}:${pieces.length}`, doc, number: pieces.length, start, line, text: piece });
    line += countLineEnds(piece);
    start = end;
  }
  return pieces;
}

export function headingPieces(doc: string, headings: readonly Heading[]): HeadingPiece[] {
  const pieces: HeadingPiece[] = [];
  for (let at = 0; at < headings.length; at += HEADINGS) {
    const number = pieces.length;
    pieces.push({ _id: `${doc}:${number}`, doc, number, headings: headings.slice(at, at + HEADINGS) });
  }
  return pieces;
}

/** After a line end where there is one, never inside a surrogate pair. */
function cut(text: string, start: number): number {
  const limit = start + PIECE;
  if (limit >= text.length) return text.length;
  const newline = text.lastIndexOf('\n', limit - 1);
  if (newline > start) return newline + 1;
  const unit = text.charCodeAt(limit - 1);
  return unit >= 0xd800 && unit <= 0xdbff ? limit - 1 : limit;
}

function countLineEnds(text: string): number {
  let count = 0;
  for (let at = text.indexOf('\n'); at !== -1; at = text.indexOf('\n', at + 1)) count += 1;
  return count;
}

export async function readText(database: Database, doc: string): Promise<string> {
  const pieces = await database
    .collection<TextPiece>(NAMES.texts)
    .find({ doc }, { ...database.limits, projection: { text: 1 } })
    .sort({ number: 1 })
    .toArray();
  return pieces.map((piece) => piece.text).join('');
}

export async function readHeadings(database: Database, doc: string): Promise<Heading[]> {
  const pieces = await database
    .collection<HeadingPiece>(NAMES.headings)
    .find({ doc }, database.limits)
    .sort({ number: 1 })
    .toArray();
  return pieces.flatMap((piece) => piece.headings);
}

/** Whole lines of each range, without the end of the last one; empty past the end of the text. */
export async function readLines(
  database: Database,
  doc: string,
  ranges: readonly LineRange[],
): Promise<string[]> {
  const wanted = ranges.filter((range) => range.end >= range.start);
  if (wanted.length === 0) return ranges.map(() => '');
  const last = Math.max(...wanted.map((range) => range.end));
  const first = Math.min(...wanted.map((range) => range.start));
  const texts = database.collection<TextPiece>(NAMES.texts);
  // The piece that holds the first line is the last that begins at or before it; a line may go on over several.
  const before = await texts
    .find({ doc, line: { $lt: first } }, { ...database.limits, projection: { number: 1 } })
    .sort({ line: -1, number: -1 })
    .limit(1)
    .toArray();
  const pieces = await texts
    .find({ doc, number: { $gte: before[0]?.number ?? 0 }, line: { $lte: last } }, database.limits)
    .sort({ number: 1 })
    .toArray();
  const text = pieces.map((piece) => piece.text).join('');
  const origin = pieces[0]?.line ?? 1;
  const starts = lineStarts(text);
  return ranges.map((range) => slice(text, starts, { start: range.start - origin, end: range.end - origin }));
}

function lineStarts(text: string): number[] {
  const starts = [0];
  for (let at = text.indexOf('\n'); at !== -1; at = text.indexOf('\n', at + 1)) starts.push(at + 1);
  return starts;
}

function slice(text: string, starts: readonly number[], range: LineRange): string {
  const start = starts[range.start];
  if (start === undefined || range.end < range.start) return '';
  let end = starts[range.end + 1] ?? text.length;
  if (end > start && text.charCodeAt(end - 1) === 10) end -= 1;
  if (end > start && text.charCodeAt(end - 1) === 13) end -= 1;
  return text.slice(start, end);
}

/** Removes texts and headings of versions; a text may stay behind for the archive. */
export async function removePieces(
  database: Database,
  docs: { texts: readonly string[]; headings: readonly string[] },
  session: ClientSession,
): Promise<void> {
  if (docs.texts.length)
    await database.collection(NAMES.texts).deleteMany({ doc: { $in: [...docs.texts] } }, { session });
  if (docs.headings.length)
    await database.collection(NAMES.headings).deleteMany({ doc: { $in: [...docs.headings] } }, { session });
}
