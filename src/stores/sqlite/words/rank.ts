// The ranked OR of several words, exact but without scoring every chunk that holds a common one. A chunk with only the
// commonest words cannot beat the best so far once those words' highest possible scores together fall below it (the
// idea of MaxScore), so such chunks are listed, never scored.

import { anyOf, type Unit } from './compile.ts';
import { scored, type Ground, type Hit } from './select.ts';
import { settled, withSlack } from './ties.ts';

/** BM25 of FTS5 saturates at idf times this (k1 + 1). */
const SATURATION = 2.2;
/** Below so many postings scoring everything is quicker than thinking about it. */
const FEW = 300;

export interface WeighedUnit extends Unit {
  postings: number;
  /** Highest score the unit can give a chunk. */
  bound: number;
}

/** Rarest first. */
export function weigh(ground: Ground, units: readonly Unit[]): WeighedUnit[] {
  const { n } = ground.connection.sql('SELECT coalesce(sum(chunks), 0) AS n FROM collections').get() as {
    n: number;
  };
  return units
    .map((unit) => {
      const postings = ground.frequency(unit.match);
      const idf = Math.max(Math.log((n - postings + 0.5) / (postings + 0.5)), 1e-6);
      return { ...unit, postings, bound: unit.plain ? SATURATION * idf : Infinity };
    })
    .sort((a, b) => a.postings - b.postings || (a.match < b.match ? -1 : 1));
}

/** Units within the budget, and those left out of it. */
export function withinBudget(
  units: readonly WeighedUnit[],
  budget: number,
): { kept: WeighedUnit[]; left: WeighedUnit[] } {
  let sum = 0;
  const kept = units.filter((unit, index) => {
    sum += unit.postings;
    return index === 0 || sum <= budget;
  });
  return { kept, left: units.slice(kept.length) };
}

/** `match` is the OR of all units, in the order in which their scores add up. */
export function rankedOr(
  ground: Ground,
  units: readonly WeighedUnit[],
  options: { match: string; limit: number },
): Hit[] {
  const { match } = options;
  const limit = withSlack(options.limit);
  let hits: Hit[] = [];
  let done = 0;
  let needed = firstNeeded(units, limit);
  while (done < needed) {
    const more = scored(ground, {
      match,
      limit,
      ...(done > 0 || needed < units.length ? { within: anyOf(units.slice(done, needed)) } : {}),
      ...(done > 0 ? { beyond: anyOf(units.slice(0, done)) } : {}),
    });
    hits = [...hits, ...more].sort((a, b) => b.score - a.score || a.id - b.id).slice(0, limit);
    done = needed;
    // What could reach the last hit asked for, or tie with it, is still needed.
    const floor = hits[options.limit - 1]?.score ?? -Infinity;
    while (needed < units.length && boundOf(units.slice(needed)) >= floor) needed += 1;
  }
  const within = done < units.length ? { within: anyOf(units.slice(0, done)) } : {};
  return settled(ground, { match, limit: options.limit, ...within }, { hits, window: limit });
}

function firstNeeded(units: readonly WeighedUnit[], limit: number): number {
  let sum = 0;
  let count = 0;
  for (const unit of units) {
    sum += unit.postings;
    count += 1;
    if (sum >= Math.max(FEW, 5 * limit)) break;
  }
  const rest = units.slice(count).reduce((postings, unit) => postings + unit.postings, 0);
  return rest < FEW ? units.length : count;
}

function boundOf(units: readonly WeighedUnit[]): number {
  return units.reduce((sum, unit) => sum + unit.bound, 0);
}
