// The text of a document in pieces, so that a few lines of a long text are read without the rest and no piece meets
// MongoDB's limit on a document.

import type { ClientSession } from 'mongodb';
import type { Heading } from '../../domain/document.ts';
import { inGroups } from '../../domain/few-at-a-time.ts';
import { sliceLines, type LineRange } from '../../domain/lines.ts';
import { textPieces } from '../text-pieces.ts';
import type { Database } from './database.ts';
import { type HeadingPiece, type TextPiece } from './layout.ts';

const PIECE = 65_536;
const HEADINGS = 2000;

export function piecesOf(doc: string, text: string): TextPiece[] {
  return Array.from(textPieces(text, PIECE), (piece, number) => ({
    _id: `${doc}:${number}`,
    doc,
    number,
    ...piece,
  }));
}

export function headingPieces(doc: string, headings: readonly Heading[]): HeadingPiece[] {
  return inGroups(headings, HEADINGS).map((headings, number) => ({
    _id: `${doc}:${number}`,
    doc,
    number,
    headings,
  }));
}

export async function readText(database: Database, doc: string): Promise<string> {
  const pieces = await database
    .own('texts')
    .find({ doc }, { ...database.limits, projection: { text: 1 } })
    .sort({ number: 1 })
    .toArray();
  return pieces.map((piece) => piece.text).join('');
}

export async function readHeadings(database: Database, doc: string): Promise<Heading[]> {
  const pieces = await database.own('headings').find({ doc }, database.limits).sort({ number: 1 }).toArray();
  return pieces.flatMap((piece) => piece.headings);
}

/** Lines of a version of a document. */
export interface LinesOf {
  doc: string;
  lines: LineRange;
}

/** Whole lines of each range, without the end of the last one; empty past the end of the text. */
export async function readLines(database: Database, wanted: readonly LinesOf[]): Promise<string[]> {
  const docs = [...new Set(wanted.map(({ doc }) => doc))];
  if (docs.length === 0) return [];
  const texts = database.own('texts');
  const load = (ids: readonly string[]): Promise<TextPiece[]> =>
    texts.find({ _id: { $in: [...ids] } }, { ...database.limits, batchSize: ids.length + 1 }).toArray();
  // Most texts are one piece; of the others it is seen where each piece begins.
  const [first, others] = await Promise.all([
    load(docs.map((doc) => `${doc}:0`)),
    texts
      .find(
        { doc: { $in: docs }, number: { $gt: 0 } },
        { ...database.limits, projection: { doc: 1, number: 1, line: 1 } },
      )
      .sort({ doc: 1, number: 1 })
      .toArray(),
  ]);
  const later = Map.groupBy(others, ({ doc }) => doc);
  const needed = wanted.map(({ doc, lines }) =>
    piecesWith(lines, later.get(doc) ?? []).map((at) => `${doc}:${at}`),
  );
  const got = new Map(first.map((piece) => [piece._id, piece]));
  const missing = [...new Set(needed.flat())].filter((id) => !got.has(id));
  for (const piece of missing.length > 0 ? await load(missing) : []) got.set(piece._id, piece);
  return wanted.map(({ lines }, at) => {
    const pieces = needed[at]!.flatMap((id) => got.get(id) ?? []);
    const text = pieces.map((piece) => piece.text).join('');
    const before = (pieces[0]?.line ?? 1) - 1;
    return sliceLines(text, { start: lines.start - before, end: lines.end - before });
  });
}

/**
 * The numbers of the pieces that hold these lines. The first is the last that begins in an earlier line: its end may hold
 * the beginning of the first line, which may go on over several.
 */
function piecesWith(
  { start, end }: LineRange,
  later: readonly Pick<TextPiece, 'number' | 'line'>[],
): number[] {
  const pieces = [{ number: 0, line: 1 }, ...later];
  const from = Math.max(
    0,
    pieces.findLastIndex(({ line }) => line < start),
  );
  return pieces.slice(from).flatMap(({ number, line }) => (line <= end ? [number] : []));
}

/** Removes texts and headings of versions; a text may stay behind for the archive. */
export async function removePieces(
  database: Database,
  docs: { texts: readonly string[]; headings: readonly string[] },
  session: ClientSession,
): Promise<void> {
  if (docs.texts.length)
    await database.own('texts').deleteMany({ doc: { $in: [...docs.texts] } }, { session });
  if (docs.headings.length)
    await database.own('headings').deleteMany({ doc: { $in: [...docs.headings] } }, { session });
}
