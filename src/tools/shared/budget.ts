// Keeps an answer within its size: the contents of the lowest-ranked results are truncated first, and a truncated one
// says so.

import { head } from './text.ts';

export interface Cut {
  truncated?: true;
  /** Characters of the whole content. */
  contentLength?: number;
}

/** Under this a piece is of no use: better none. */
const SMALLEST = 200;
/** Size of the two fields that report the truncation. */
const MARK = 48;

/** `available` is what all contents together may take, best first; measured as JSON, the longer of both channels. */
export function fitContents<T extends { content: string }>(
  results: readonly T[],
  available: number,
): (T & Cut)[] {
  let left = available;
  return results.map((result) => {
    const size = jsonLength(result.content);
    if (size <= left) {
      left -= size;
      return result;
    }
    const room = left - MARK;
    const content = room < SMALLEST ? '' : cutTo(result.content, room);
    left -= jsonLength(content) + MARK;
    return { ...result, content, truncated: true as const, contentLength: result.content.length };
  });
}

/** As many rows as fit, each so many characters longer than its JSON. */
export function fitRows<T>(rows: readonly T[], budget: number, longer: number): T[] {
  let left = budget - 1_000;
  return rows.filter((row) => (left -= JSON.stringify(row).length + longer) > 0);
}

const jsonLength = (text: string): number => JSON.stringify(text).length;

/** Escapes make JSON longer than the text, so the length is found by trying. */
function cutTo(text: string, room: number): string {
  let length = Math.min(text.length, room);
  while (length > 0) {
    const piece = head(text, length);
    const over = jsonLength(piece) - room;
    if (over <= 0) return piece;
    length = piece.length - Math.max(1, Math.ceil(over / 6));
  }
  return '';
}
