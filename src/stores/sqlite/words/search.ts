// Search by words: a ranked OR in which chunks with every word get more; required words select, and the others rank.
// Each collection is ranked by its own statistics, so other collections neither change its scores nor show in them.

import { throwIfAborted } from '../../../domain/errors.ts';
import { oncePerKey } from '../../../domain/once.ts';
import { compareText } from '../../../domain/text.ts';
import { roundedScore } from '../../../domain/words/bm25.ts';
import { planQuery, type QueryPlan } from '../../../domain/words/plan.ts';
import type { WordHits, WordSearch } from '../../../ports/store.ts';
import type { Connection } from '../connection.ts';
import { keepBy, type Keep } from '../predicate.ts';
import { CHUNK_SPAN } from '../ids.ts';
import { collectionIds } from '../scope.ts';
import type { Lengths } from './lengths.ts';
import { rank, type Matches } from './rank.ts';
import { segmentsOf, type WordIndex } from './segments.ts';
import { Top, type Hit } from './top.ts';

/** Hits read beyond the cut; a group of equal scores that ends among them is ordered without another search. */
const SLACK = 20;
/** Equal scores across the cut that are put in their order; of more, those written first. */
const MAX_TIES = 5_000;

interface Placed {
  name: string;
  path: string;
}

/** What a search in one collection needs. */
interface Searching extends WordIndex {
  plan: QueryPlan;
  statistics: { chunks: number; words: number };
  keep: Keep | undefined;
  limit: number;
  any: boolean;
}

interface Found {
  hits: Hit[];
  /** Chunks that match; undefined where only those that may be shown were counted. */
  total: number | undefined;
}

export function createWordSearch(connection: Connection, lengths: Lengths): (search: WordSearch) => WordHits {
  return ({ query, scope, limit, any = false, signal }) => {
    const plan = planQuery(query);
    if (!plan || limit < 1) return { hits: [], total: 0, totalIsBound: false, notices: [] };
    const byPlace = placeOrder(connection);
    const keep = scope.filter && keepBy(connection, scope.filter);
    // One more than asked tells whether there is more.
    const asked = { plan, keep, any: any && !keep, limit: limit + 1 };
    const found = statisticsOf(connection, scope.collections).map(({ id, ...statistics }): Found => {
      throwIfAborted(signal);
      const segments = segmentsOf(connection, id);
      return find({ connection, collection: id, segments, lengths, statistics, ...asked }, byPlace);
    });
    const hits = found.flatMap((one) =>
      one.hits.map(({ id, score }) => ({ id, score: roundedScore(score) })),
    );
    hits.sort((a, b) => b.score - a.score || byPlace(a, b));
    const exact = found.every(({ total }) => total !== undefined);
    return {
      hits: hits.slice(0, limit).map(({ id, score }) => ({ id: String(id), score })),
      shares: true,
      total: exact ? found.reduce((sum, { total }) => sum + total!, 0) : Math.min(hits.length, limit + 1),
      totalIsBound: !exact && hits.length > limit,
      notices: [],
    };
  };
}

/** The collections of a search with what their chunks count together. */
export function statisticsOf(
  connection: Connection,
  names: readonly string[] | undefined,
): { id: number; chunks: number; words: number }[] {
  const ids = collectionIds(connection, names);
  const rows = connection.rows<[id: number, chunks: number, words: number]>(
    'SELECT id, chunks, words FROM collections WHERE chunks > 0 ORDER BY id',
  );
  const wanted = ids && new Set(ids);
  return rows
    .filter(([id]) => !wanted || wanted.has(id))
    .map(([id, chunks, words]) => ({ id, chunks, words }));
}

/** The best hits of a collection; equal scores by path and position, across the cut too. */
function find(searching: Searching, byPlace: (a: Hit, b: Hit) => number): Found {
  const { limit } = searching;
  const isKept = keeper(searching);
  const base = searching.collection * CHUNK_SPAN;
  const top = new Top(limit + SLACK);
  let total = 0;
  rank(searching, searching, (matches) => {
    total += matches.size;
    takeBest(matches, { base, top, isKept });
  });
  let hits = top.best();
  const last = hits[limit - 1];
  if (last && hits.length === limit + SLACK && hits.at(-1)!.score === last.score) {
    // The group of equal scores at the cut goes on beyond what was kept.
    const tied: Hit[] = [];
    rank(searching, searching, ({ chunks, scores, size }) => {
      for (let at = 0; at < size; at += 1) {
        const [id, score] = [base + chunks[at]!, scores[at]!];
        if (score === last.score && tied.length < MAX_TIES && isKept(id)) tied.push({ id, score });
      }
    });
    hits = [...hits.filter(({ score }) => score > last.score), ...tied];
  }
  hits.sort((a, b) => b.score - a.score || byPlace(a, b));
  return { hits: hits.slice(0, limit), total: searching.keep ? undefined : total };
}

function takeBest(
  { chunks, scores, size }: Matches,
  { base, top, isKept }: { base: number; top: Top; isKept: (chunk: number) => boolean },
): void {
  for (let at = 0; at < size; at += 1) {
    const id = base + chunks[at]!;
    const score = scores[at]!;
    if (top.takes(id, score) && isKept(id)) top.add(id, score);
  }
}

function keeper({ connection, keep }: Searching): (chunk: number) => boolean {
  if (!keep) return () => true;
  return (chunk) =>
    keep(connection.row<[number]>('SELECT document FROM chunks WHERE id = ?', chunk)![0], chunk);
}

/** Equal scores by collection, path and position; the place of a chunk is read once. */
function placeOrder(connection: Connection): (a: Hit, b: Hit) => number {
  const placeOf = oncePerKey((chunk: number) => readPlace(connection, chunk));
  return (a, b) => {
    const [one, other] = [placeOf(a.id), placeOf(b.id)];
    return compareText(one.name, other.name) || compareText(one.path, other.path) || a.id - b.id;
  };
}

function readPlace(connection: Connection, chunk: number): Placed {
  const [name, path] = connection.row<[name: string, path: string]>(
    `SELECT n.name, d.path FROM chunks c JOIN documents d ON d.id = c.document
     JOIN collections n ON n.id = d.collection WHERE c.id = ?`,
    chunk,
  )!;
  return { name, path };
}
