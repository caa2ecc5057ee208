// Equal scores in an order that does not depend on when things were written: collection, path, position.

import { byPlace, scored, tied, type Choice, type Ground, type Hit, type Placed } from './select.ts';

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
  if (!overflows)
    return inPlace(
      ground,
      hits.filter((hit) => hit.score >= last.score),
    ).slice(0, limit);
  const above = inPlace(
    ground,
    hits.filter((hit) => hit.score > last.score),
  );
  return [...above, ...tied(ground, { ...choice, limit: limit - above.length }, last.score)];
}

export function withSlack(limit: number): number {
  return limit + SLACK;
}

function inPlace(ground: Ground, hits: readonly Hit[]): Hit[] {
  const ordered: Hit[] = [];
  for (let start = 0; start < hits.length;) {
    let end = start + 1;
    while (end < hits.length && hits[end]!.score === hits[start]!.score) end += 1;
    const group = hits.slice(start, end);
    ordered.push(...(group.length === 1 ? group : sorted(ground, group)));
    start = end;
  }
  return ordered;
}

function sorted(ground: Ground, group: readonly Hit[]): Hit[] {
  const placed = group.map(({ id }): Placed => {
    const [name, path] = ground.connection.row<[name: string, path: string]>(
      `SELECT n.name, d.path FROM chunks c JOIN documents d ON d.id = c.document
       JOIN collections n ON n.id = d.collection WHERE c.id = ?`,
      id,
    )!;
    return { id, name, path };
  });
  return placed.sort(byPlace).map(({ id }) => ({ id, score: group[0]!.score }));
}
