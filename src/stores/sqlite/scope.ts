// Which chunks and which rows a set of collection names means: ranges of chunk ids, ids of collections.

import type { Connection } from './connection.ts';
import { chunksOf, type Span } from './ids.ts';

/** Ids of the named collections in rising order; undefined when every collection is meant. */
export function collectionIds(
  connection: Connection,
  names: readonly string[] | undefined,
): number[] | undefined {
  if (!names) return undefined;
  const one = connection.sql<{ id: number }>('SELECT id FROM collections WHERE name = ?');
  const ids = new Set<number>();
  for (const name of names) {
    const row = one.get(name);
    if (row) ids.add(row.id);
  }
  return [...ids].sort((a, b) => a - b);
}

/** Chunk ids of the collections, neighbours joined. */
export function spansOf(ids: readonly number[] | undefined): Span[] {
  if (!ids) return [[0, Number.MAX_SAFE_INTEGER]];
  const spans: [number, number][] = [];
  for (const id of ids) {
    const [first, last] = chunksOf(id);
    const before = spans.at(-1);
    if (before?.[1] === first - 1) before[1] = last;
    else spans.push([first, last]);
  }
  return spans;
}

/** A list as SQLite's `json_each` takes it; what has no end of parameters needs only one. */
export function jsonList(values: readonly (string | number)[]): string {
  return JSON.stringify(values);
}

/** Ids inside the database, from the opaque ones outside; what was never one of ours is dropped. */
export function toIds(ids: readonly string[]): number[] {
  return ids.map(toId).filter((id) => id !== undefined);
}

export function toId(id: string): number | undefined {
  const value = Number(id);
  return /^\d{1,16}$/.test(id) && Number.isSafeInteger(value) ? value : undefined;
}
