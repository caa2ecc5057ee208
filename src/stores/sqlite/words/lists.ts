// The scored chunks of single words, kept in memory: BM25 of several words is the sum of each word's, so a query whose
// words are all known is answered without asking FTS5 at all. Small lists are kept at once, long ones when a word is
// asked for again. Answers are the same either way.

import type { Connection } from '../connection.ts';
import { createMemory } from '../memory.ts';
import { spansOf } from '../scope.ts';
import type { Unit } from './compile.ts';
import { MAX_SPANS, type Ground } from './select.ts';

/** Ids rise. */
export interface List {
  ids: Float64Array;
  scores: Float64Array;
  highest: number;
}

export interface Lists {
  /** Lists of all units, when those that are missing are asked for often enough to be read now. */
  known(ground: Ground, units: readonly Unit[]): List[] | undefined;
  /** Lists of all units, when those that are missing are short. */
  short(ground: Ground, units: readonly Unit[]): List[] | undefined;
}

/** Sixteen bytes each. With half of it, new questions to 33,000 chunks kept driving out each other's words. */
const MAX_POSTINGS = 2_000_000;
const MAX_ASKED = 20_000;
/** A word asked for a second time is worth reading, if its list is not longer than this (some 20 milliseconds). */
const OFTEN = 2;
const LONG = 25_000;
/** Postings read at once for a query that has never been asked: some two milliseconds. */
const SHORT = 3_000;

export function createLists(connection: Connection): Lists {
  const lists = createMemory<string, List>(connection, {
    limit: MAX_POSTINGS,
    // What is absent everywhere is worth remembering too.
    weigh: (list) => list.ids.length + 8,
  });
  const asked = createMemory<string, { times: number }>(connection, { limit: MAX_ASKED, weigh: () => 1 });

  function isOften(ground: Ground, key: string, unit: Unit): boolean {
    const ask = asked.get(key, () => ({ times: 0 }));
    ask.times += 1;
    return ask.times >= OFTEN && ground.frequency(unit.match) <= LONG;
  }

  /** Undefined as soon as a unit is missing that `mayRead` does not let be read. */
  function collect(ground: Ground, units: readonly Unit[], mayRead: (key: string, unit: Unit) => boolean) {
    const place = placeOf(ground);
    if (place === undefined) return undefined;
    const found: List[] = [];
    for (const unit of units) {
      const key = `${place}\n${unit.match}`;
      const list =
        lists.has(key) || mayRead(key, unit) ? lists.get(key, () => read(ground, unit)) : undefined;
      if (list) found.push(list);
    }
    return found.length === units.length ? found : undefined;
  }

  return {
    known: (ground, units) => collect(ground, units, (key, unit) => isOften(ground, key, unit)),
    short(ground, units) {
      let left = SHORT;
      return collect(ground, units, (_, unit) => (left -= ground.frequency(unit.match)) >= 0);
    },
  };
}

/** What a list depends on beside its word; undefined where a search is not made of a few ranges of ids. */
function placeOf({ weights, collections, keep }: Ground): string | undefined {
  const spans = spansOf(collections);
  return keep || spans.length > MAX_SPANS ? undefined : `${weights.join()} ${spans.join()}`;
}

function read({ connection, weights, collections }: Ground, { match }: Unit): List {
  const rows = spansOf(collections).flatMap((span) =>
    connection.rows<[id: number, score: number]>(
      'SELECT rowid, -bm25(words, ?, ?, ?, ?) FROM words WHERE words MATCH ? AND rowid BETWEEN ? AND ?',
      ...weights,
      match,
      ...span,
    ),
  );
  const scores = Float64Array.from(rows, ([, score]) => score);
  return {
    ids: Float64Array.from(rows, ([id]) => id),
    scores,
    highest: scores.reduce((highest, score) => Math.max(highest, score), 0),
  };
}
