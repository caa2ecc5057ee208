// Pages of a list: the cursor names a position and a fingerprint of the list it was made for, so that a list that has
// changed since is noticed instead of silently skipping entries. Self-contained: any process can continue it.

import { createHash } from 'node:crypto';
import { invalidParams } from './failure.ts';

const PAGE_SIZE = 200;

export interface Page<T> {
  items: T[];
  nextCursor?: string;
}

export function page<T>(
  items: readonly T[],
  cursor: string | undefined,
  nameOf: (item: T) => string,
  size = PAGE_SIZE,
): Page<T> {
  if (cursor === undefined && items.length <= size) return { items: [...items] };
  const print = fingerprint(items, nameOf);
  const start = cursor === undefined || cursor === '' ? 0 : position(cursor, print, items.length);
  const end = start + size;
  return {
    items: items.slice(start, end),
    ...(end < items.length ? { nextCursor: encode(end, print) } : {}),
  };
}

function fingerprint<T>(items: readonly T[], nameOf: (item: T) => string): string {
  const hash = createHash('sha256');
  for (const item of items) hash.update(`${nameOf(item)}\n`);
  return hash.digest('base64url').slice(0, 11);
}

function encode(start: number, print: string): string {
  return Buffer.from(`${start}.${print}`).toString('base64url');
}

function position(cursor: string, print: string, length: number): number {
  const [start, found] = Buffer.from(cursor.slice(0, 200), 'base64url').toString('utf8').split('.');
  const at = Number(start);
  if (!found || !Number.isSafeInteger(at) || at < 0 || at > length) {
    throw invalidParams('Invalid cursor. Start again without one.');
  }
  if (found !== print)
    throw invalidParams('The list has changed since this cursor was made. Start again without one.');
  return at;
}
