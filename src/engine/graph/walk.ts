// Personalised PageRank over chunks and names. Pure arithmetic: the same piece of graph gives the same numbers.

import type { Neighbourhood } from './neighbourhood.ts';

/** Share of the walk that goes on over a link; the rest returns to where the question points. */
const FOLLOW = 0.85;
const STEPS = 8;
/** What returns to the question's names, beside what returns to the seeds: they were asked for, seeds only resemble. */
const TO_NAMES = 2;

export function walk(
  place: Neighbourhood,
  start: { seeds: ReadonlyMap<string, number>; names: ReadonlyMap<string, unknown> },
): Map<string, number> {
  const { chunks, links, names, rarity } = place;
  const home = shares(chunks.map((id) => start.seeds.get(id) ?? 0));
  const named = shares(names.map((key, at) => (start.names.has(key) ? rarity[at]! : 0)));
  const reach = new Float64Array(names.length);
  const pull = new Float64Array(chunks.length);
  links.forEach((list, chunk) => {
    for (const { name, weight } of list) {
      reach[name]! += weight;
      pull[chunk]! += rarity[name]!;
    }
  });
  let at = home.slice();
  for (let step = 0; step < STEPS; step++) {
    const over = named.map((share) => (1 - FOLLOW) * TO_NAMES * share);
    links.forEach((list, chunk) => {
      const share = pull[chunk]! > 0 ? at[chunk]! / pull[chunk]! : 0;
      if (share > 0) for (const { name } of list) over[name]! += share * rarity[name]!;
    });
    const next = home.map((share) => (1 - FOLLOW) * share);
    links.forEach((list, chunk) => {
      let sum = 0;
      for (const { name, weight } of list) sum += (over[name]! * weight) / reach[name]!;
      next[chunk]! += FOLLOW * sum;
    });
    at = next;
  }
  return new Map(chunks.map((id, index) => [id, at[index]!]));
}

function shares(values: readonly number[]): Float64Array {
  const total = values.reduce((sum, value) => sum + value, 0);
  return Float64Array.from(values, (value) => (total > 0 ? value / total : 0));
}
