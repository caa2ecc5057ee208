// The scored chunks of single words, kept in memory: BM25 of several words is the sum of each word's, so a query whose
// words are all known is answered without asking FTS5 at all. Small lists are kept at once, long ones when a word is
// asked for again and again. Answers are the same either way.

import type { Connection } from '../connection.ts';
import { createMemory } from '../memory.ts';
import { spansOf } from '../scope.ts';
import type { Unit } from './compile.ts';
import { MAX_SPANS, type Ground, type Hit } from './select.ts';

/** Ids rise. */
export interface List {
  ids: Float64Array;
  scores: Float64Array;
}

export interface Lists {
  /** Lists of all units, when those that are missing are asked for often enough to be read now. */
  known(ground: Ground, units: readonly Unit[]): List[] | undefined;
  /** Lists of all units, when those that are missing are short. */
  short(ground: Ground, units: readonly Unit[]): List[] | undefined;
}

/** Sixteen bytes each. */
const MAX_POSTINGS = 600_000;
const MAX_ASKED = 20_000;
/** A word asked for so often is worth reading, if its list is not longer than this. */
const OFTEN = 4;
const LONG = 50_000;
/** Postings read at once for a query that has never been asked: below a millisecond. */
const SHORT = 1_000;

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
  return {
    ids: Float64Array.from(rows, ([id]) => id),
    scores: Float64Array.from(rows, ([, score]) => score),
  };
}

export interface Ranked {
  /** Chunks with every word, the best of them first. */
  complete: Hit[];
  /** Chunks with any of them. */
  any: Hit[];
}

/** The best `size` of each kind, higher score first and then lower id; words add up in the order given. */
export function rankLists(lists: readonly List[], size: number): Ranked {
  const heads = new Int32Array(lists.length);
  const ranked: Ranked = { complete: [], any: [] };
  for (let id = nextId(lists, heads); id !== Infinity; id = nextId(lists, heads)) {
    let score = 0;
    let words = 0;
    for (let at = 0; at < lists.length; at++) {
      const { ids, scores } = lists[at]!;
      const head = heads[at]!;
      if (ids[head] !== id) continue;
      score += scores[head]!;
      words += 1;
      heads[at] = head + 1;
    }
    offer(ranked.any, { id, score }, size);
    if (words === lists.length) offer(ranked.complete, { id, score }, size);
  }
  return ranked;
}

function nextId(lists: readonly List[], heads: Int32Array): number {
  let lowest = Infinity;
  for (let at = 0; at < lists.length; at++) {
    const id = lists[at]!.ids[heads[at]!];
    if (id !== undefined && id < lowest) lowest = id;
  }
  return lowest;
}

/** Ids come rising, so of equal scores the first stays ahead. */
function offer(best: Hit[], hit: Hit, size: number): void {
  if (best.length === size && hit.score <= best[size - 1]!.score) return;
  let at = best.length === size ? size - 1 : best.length;
  for (; at > 0 && best[at - 1]!.score < hit.score; at--) best[at] = best[at - 1]!;
  best[at] = hit;
}
