// Paging: an opaque cursor that holds a position and a fingerprint of the search it belongs to.

import { hash } from 'node:crypto';
import { VaiError } from '../../domain/errors.ts';

const MAX_OFFSET = 1000;

export function fingerprint(parts: readonly unknown[]): string {
  return hash('sha256', JSON.stringify(parts), 'base64url').slice(0, 10);
}

/** None beyond the last position that can be asked for. */
export function encodeCursor(offset: number, print: string): string | undefined {
  if (offset > MAX_OFFSET) return undefined;
  return Buffer.from(`${offset}.${print}`).toString('base64url');
}

export function decodeCursor(cursor: string | undefined, print: string): number {
  if (!cursor) return 0;
  const match = /^(\d{1,4})\.([\w-]+)$/.exec(Buffer.from(cursor.slice(0, 64), 'base64url').toString());
  const offset = Number(match?.[1]);
  if (!match || match[2] !== print || offset > MAX_OFFSET) {
    throw new VaiError('INVALID_INPUT', 'The cursor does not belong to this search.', {
      hint: 'Repeat the search without a cursor, then use the one it returns with the same arguments.',
    });
  }
  return offset;
}
