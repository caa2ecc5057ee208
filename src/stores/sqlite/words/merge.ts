// The best chunks of several scored lists, without looking at every posting: what stands only in lists whose highest
// scores together stay below the last of the best so far cannot be among them (MaxScore). Exact, ties included.

import type { List } from './lists.ts';
import type { Hit } from './select.ts';

export interface Ranked {
  /** Chunks that are in every list, the best of them first. */
  complete: Hit[];
  /** Chunks that are in any of them. */
  any: Hit[];
}

/** The best `size` of each kind, higher score first and then lower id; scores add up in the order of the lists. */
export function mergeLists(lists: readonly List[], size: number): Ranked {
  const ranked: Ranked = { complete: [], any: [] };
  const cursors = lists.map((list) => ({ ...list, at: 0 }));
  // Those at the end of this order can bring a chunk in; those before it only add to what others brought.
  const rising = [...cursors].sort((a, b) => a.highest - b.highest);
  let leading = rising;
  let rest = 0;
  for (let id = lowest(leading); id !== Infinity; id = lowest(leading)) {
    let score = 0;
    let words = 0;
    for (const cursor of cursors) {
      if (!reaches(cursor, id)) continue;
      score += cursor.scores[cursor.at]!;
      cursor.at += 1;
      words += 1;
    }
    offer(ranked.any, { id, score }, size);
    if (words === lists.length) offer(ranked.complete, { id, score }, size);
    if (ranked.any.length < size) continue;
    const last = ranked.any[size - 1]!.score;
    while (leading.length > 0 && rest + leading[0]!.highest < last) {
      rest += leading[0]!.highest;
      leading = leading.slice(1);
    }
  }
  return ranked;
}

interface Cursor extends List {
  at: number;
}

function lowest(cursors: readonly Cursor[]): number {
  let id = Infinity;
  for (const { ids, at } of cursors) if (at < ids.length && ids[at]! < id) id = ids[at]!;
  return id;
}

/** Moves to the first id that is not lower, in leaps: the lists that only follow are the long ones. */
function reaches(cursor: Cursor, id: number): boolean {
  const { ids } = cursor;
  let low = cursor.at;
  if (low < ids.length && ids[low]! < id) {
    let step = 1;
    while (low + step < ids.length && ids[low + step]! < id) {
      low += step;
      step *= 2;
    }
    let high = Math.min(low + step, ids.length);
    while (low + 1 < high) {
      const middle = (low + high) >> 1;
      if (ids[middle]! < id) low = middle;
      else high = middle;
    }
    low = high;
    cursor.at = low;
  }
  return low < ids.length && ids[low] === id;
}

/** Ids come rising, so of equal scores the first stays ahead. */
function offer(best: Hit[], hit: Hit, size: number): void {
  if (best.length === size && hit.score <= best[size - 1]!.score) return;
  let at = best.length === size ? size - 1 : best.length;
  for (; at > 0 && best[at - 1]!.score < hit.score; at--) best[at] = best[at - 1]!;
  best[at] = hit;
}
