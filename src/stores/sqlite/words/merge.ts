// The best chunks of several scored lists, without looking at every posting. Exact, ties included: higher score first and
// then lower id; scores add up in the order of the lists.

import type { List } from './lists.ts';
import type { Hit } from './select.ts';

interface Cursor {
  readonly list: List;
  at: number;
}

/** The best chunks that are in every list. */
export function inEvery(lists: readonly List[], size: number): Hit[] {
  const best: Hit[] = [];
  const cursors = lists.map((list): Cursor => ({ list, at: 0 }));
  const shortest = lists.reduce((one, other) => (other.ids.length < one.ids.length ? other : one));
  for (const id of shortest.ids) {
    let score = 0;
    let words = 0;
    for (const cursor of cursors) {
      if (!reaches(cursor, id)) break;
      score += cursor.list.scores[cursor.at]!;
      words += 1;
    }
    if (words === lists.length) offer(best, id, score, size);
  }
  return best;
}

/**
 * The best chunks that are in any of the lists. What stands only in lists whose highest scores together stay below the
 * last of the best so far cannot be among them (MaxScore), so these lists only follow the others.
 */
export function inAny(lists: readonly List[], size: number): Hit[] {
  const best: Hit[] = [];
  const cursors = lists.map((list): Cursor => ({ list, at: 0 }));
  const leading = [...cursors].sort((a, b) => b.list.highest - a.list.highest);
  let following = 0;
  for (let id = lowest(leading); id !== Infinity; id = lowest(leading)) {
    let score = 0;
    for (const cursor of cursors) {
      if (!reaches(cursor, id)) continue;
      score += cursor.list.scores[cursor.at]!;
      cursor.at += 1;
    }
    offer(best, id, score, size);
    const last = best[size - 1]?.score ?? -1;
    for (
      let weakest = leading.at(-1);
      weakest && following + weakest.list.highest < last;
      weakest = leading.at(-1)
    ) {
      following += weakest.list.highest;
      leading.pop();
    }
  }
  return best;
}

function lowest(cursors: readonly Cursor[]): number {
  let id = Infinity;
  for (const { list, at } of cursors) if (at < list.ids.length && list.ids[at]! < id) id = list.ids[at]!;
  return id;
}

/** Moves to the first id that is not lower, in leaps that double: the lists that follow are the long ones. */
function reaches(cursor: Cursor, id: number): boolean {
  const { ids } = cursor.list;
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
    cursor.at = low = high;
  }
  return low < ids.length && ids[low] === id;
}

/** Ids come rising, so of equal scores the first stays ahead. */
function offer(best: Hit[], id: number, score: number, size: number): void {
  if (best.length === size && score <= best[size - 1]!.score) return;
  let at = best.length === size ? size - 1 : best.length;
  for (; at > 0 && best[at - 1]!.score < score; at--) best[at] = best[at - 1]!;
  best[at] = { id, score };
}
