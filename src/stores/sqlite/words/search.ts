// Search by words: a ranked OR in which chunks with every word get more; words are left out only where reading their
// postings would cost too much, and then it is said. With required words, those select and the others rank.

import { throwIfAborted } from '../../../domain/errors.ts';
import { ALL_WORDS_BOOST } from '../../../domain/query.ts';
import type { WordHits, WordSearch } from '../../../ports/store.ts';
import type { Connection } from '../connection.ts';
import { createMemory } from '../memory.ts';
import { keepBy, registerKeep } from '../predicate.ts';
import { collectionIds, toText } from '../scope.ts';
import {
  allOf,
  anyOf,
  COLUMN_WEIGHTS,
  compileQuery,
  HEADING_BOOST,
  without,
  type CompiledQuery,
  type Unit,
} from './compile.ts';
import { createLists, type List, type Lists } from './lists.ts';
import { inAny, inEvery } from './merge.ts';
import { rankedOr, weigh, withinBudget } from './rank.ts';
import { countMatches, readPlace, type Ground, type Hit, type Placed } from './select.ts';
import { scoredInPlace, settled } from './ties.ts';

/** Equal scores taken from memory beyond the cut: dearer to read than to keep. */
const TIES = 60;
/** Postings that may be read for a query: about a third of a second of CPU. Only beyond that are words left out. */
const POSTINGS_BUDGET = 2_000_000;
/** Words whose frequency is remembered. */
const MAX_FREQUENCIES = 20_000;
/** Chunks whose place is, to settle equal scores. */
const MAX_PLACES = 5_000;

const NO_LISTS: Lists = { known: () => undefined, short: () => undefined };

interface Searching extends Ground {
  lists: Lists;
  budget: number;
}

interface Found {
  hits: Hit[];
  notices: string[];
}

export function createWordSearch(
  connection: Connection,
  budget = POSTINGS_BUDGET,
): (search: WordSearch) => WordHits {
  const using = registerKeep(connection);
  const frequencies = createMemory<string, number>(connection, { limit: MAX_FREQUENCIES, weigh: () => 1 });
  const count = (match: string): number => countMatches(connection, match, POSTINGS_BUDGET);
  const frequency = (match: string): number => frequencies.get(match, count);
  const places = createMemory<number, Placed>(connection, { limit: MAX_PLACES, weigh: () => 1 });
  const placeOf = (chunk: number): Placed => places.get(chunk, () => readPlace(connection, chunk));
  // Lists in memory cost no reading: they would hide what a smaller budget leaves out.
  const lists = budget < POSTINGS_BUDGET ? NO_LISTS : createLists(connection);
  const basis = { connection, using, frequency, placeOf, lists, budget };
  return (search) => searchWords(basis, search);
}

function searchWords(
  basis: Omit<Searching, 'weights' | 'collections' | 'keep'>,
  search: WordSearch,
): WordHits {
  throwIfAborted(search.signal);
  const { connection } = basis;
  const { query, scope, limit } = search;
  const compiled = compileQuery(query);
  const collections = collectionIds(connection, scope.collections);
  if (!compiled || collections?.length === 0 || limit < 1)
    return { hits: [], total: 0, totalIsBound: false, notices: [] };
  const weights = COLUMN_WEIGHTS.map((weight, column) =>
    query.headings && column < 2 ? weight * HEADING_BOOST : weight,
  );
  const keep = scope.filter && keepBy(connection, scope.filter);
  const ground: Searching = { ...basis, weights, collections, keep };
  // One more than asked tells whether there is more.
  const found = find(ground, compiled, limit + 1);
  return {
    hits: found.hits.slice(0, limit).map(({ id, score }) => ({ id: toText(id), score })),
    total: found.hits.length,
    totalIsBound: found.hits.length > limit,
    notices: found.notices,
  };
}

function find(ground: Searching, compiled: CompiledQuery, limit: number): Found {
  const { should, must, not } = compiled;
  if (must !== undefined) return { hits: findRequired(ground, compiled, limit), notices: [] };
  const known = not === undefined ? ground.lists.known(ground, should) : undefined;
  if (known) return { hits: fromLists(ground, { should, lists: known, limit }), notices: [] };
  const best = scoredInPlace(ground, { match: without(allOf(should), not), limit });
  if (best.length === limit || should.length === 1) return { hits: best, notices: [] };
  const lists = not === undefined ? ground.lists.short(ground, should) : undefined;
  if (lists) return { hits: fromLists(ground, { should, lists, limit }), notices: [] };
  const { kept, left } = withinBudget(weigh(ground, should), ground.budget);
  const match = without(anyOf(should.filter((unit) => !left.some((one) => one.match === unit.match))), not);
  const others = rankedOr(ground, kept, { match, limit: limit + best.length });
  const notices = left.length
    ? [
        `Left out of the ranking because they are almost everywhere: ${left.map(({ match }) => shown(match)).join(', ')}.`,
      ]
    : [];
  return { hits: boosted(best, others).slice(0, limit), notices };
}

/** The same, from lists in memory. */
function fromLists(
  ground: Ground,
  { should, lists, limit }: { should: readonly Unit[]; lists: readonly List[]; limit: number },
): Hit[] {
  const first = (match: string, limit: number, find: typeof inAny): Hit[] => {
    const window = limit + TIES;
    return settled(ground, { match, limit }, { hits: find(lists, window), window });
  };
  const best = first(allOf(should), limit, inEvery);
  if (best.length === limit || should.length === 1) return best;
  const others = first(anyOf(should), limit + best.length, inAny);
  return boosted(best, others).slice(0, limit);
}

/** A ranked OR in which chunks with every word get a little more; strict tiers were measured to rank worse. */
function boosted(complete: readonly Hit[], others: readonly Hit[]): Hit[] {
  if (complete.length === 0) return [...others];
  const raised = new Map<number, Hit>();
  for (const { id, score } of complete) raised.set(id, { id, score: score * ALL_WORDS_BOOST });
  const hits = others.map((hit) => raised.get(hit.id) ?? hit);
  for (const { id } of others) raised.delete(id);
  // Both lists have equal scores in the order of their places, and a stable sort keeps it.
  return [...hits, ...raised.values()].sort((a, b) => b.score - a.score);
}

function findRequired(ground: Ground, { should, must, not }: CompiledQuery, limit: number): Hit[] {
  const wanted = should.length > 1 ? [allOf(should), anyOf(should)] : should.map((unit) => unit.match);
  const matches = [...wanted.map((match) => `(${must}) AND (${match})`), must!].map((match) =>
    without(match, not),
  );
  const tiers: Hit[][] = [];
  for (const match of matches) {
    tiers.push(scoredInPlace(ground, { match, limit }));
    if (new Set(tiers.flat().map((hit) => hit.id)).size >= limit) break;
  }
  return joinTiers(tiers, limit);
}

/** Later tiers rank below earlier ones; their scores are drawn together so that the order of scores says the same. */
function joinTiers(tiers: readonly Hit[][], limit: number): Hit[] {
  const joined: Hit[] = [];
  const seen = new Set<number>();
  for (const tier of tiers) {
    const fresh = tier.filter((hit) => !seen.has(hit.id));
    const floor = joined.at(-1)?.score;
    const top = fresh[0]?.score;
    const scale = floor !== undefined && top !== undefined && top >= floor ? (floor / top) * 0.999 : 1;
    for (const { id, score } of fresh) {
      seen.add(id);
      joined.push({ id, score: score * scale });
    }
  }
  return joined.slice(0, limit);
}

function shown(match: string): string {
  return match.replaceAll(/[()"]/g, '');
}
