// Equal scores in an order that does not depend on when things were written: collection, path, position.

import { byPlace, scored, tied, type Choice, type Ground, type Hit } from './select.ts';

/** Hits read beyond the cut; a group of equal scores that ends among them is ordered without another read. */
const SLACK = 20;

/** Like `scored`, with equal scores ordered by place, across the cut too. */
export function scoredInPlace(ground: Ground, choice: Choice): Hit[] {
  const window = withSlack(choice.limit);
  return settled(ground, choice, { hits: scored(ground, { ...choice, limit: window }), window });
}

/** The best hits for a choice, higher score first, at most `window` of them, which is more than its limit. */
export interface Read {
  hits: readonly Hit[];
  window: number;
}

/** Orders equal scores and cuts to the limit of the choice. */
export function settled(ground: Ground, choice: Choice, { hits, window }: Read): Hit[] {
  const { limit } = choice;
  const last = hits[Math.min(limit, hits.length) - 1];
  if (!last) return [];
  const overflows = hits.length === window && hits[window - 1]!.score === last.score;
  const beyond = hits.findIndex(({ score }) => (overflows ? score <= last.score : score < last.score));
  const ordered = hits.slice(0, beyond === -1 ? hits.length : beyond);
  putInPlace(ground, ordered);
  if (!overflows) return ordered.slice(0, limit);
  return [...ordered, ...tied(ground, { ...choice, limit: limit - ordered.length }, last.score)];
}

export function withSlack(limit: number): number {
  return limit + SLACK;
}

/** Reorders each group of equal scores. */
function putInPlace(ground: Ground, hits: Hit[]): void {
  for (let start = 0, end = 1; start < hits.length; start = end++) {
    while (end < hits.length && hits[end]!.score === hits[start]!.score) end += 1;
    if (end - start > 1) hits.splice(start, end - start, ...sorted(ground, hits.slice(start, end)));
  }
}

function sorted(ground: Ground, group: readonly Hit[]): Hit[] {
  const placed = group.map(({ id }) => ground.placeOf(id)).sort(byPlace);
  return placed.map(({ id }) => ({ id, score: group[0]!.score }));
}
