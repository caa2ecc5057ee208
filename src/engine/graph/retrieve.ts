// Retrieval by relations: from the names in the question and the best hits of the other retrievers, over the names that
// chunks share, to chunks that neither words nor vectors would bring up. Personalised PageRank on a local piece of the
// mention index, bounded in size, so that its cost does not grow with the collection. No model is called. Names that were
// not looked for yet are looked for first.

import { throwIfAborted } from '../../domain/errors.ts';
import { compareText } from '../../domain/text.ts';
import type { Scope, ScoredChunk, Store } from '../../ports/store.ts';
import { TOPIC } from './mentions/mentions.ts';
import { coveredShare } from './coverage.ts';
import { completeNames, PATIENCE_MS, type NamingCall } from './naming.ts';
import { loadNeighbourhood } from './neighbourhood.ts';
import { queryNames } from './query-names.ts';
import { walk } from './walk.ts';

export interface RelationSearch {
  query: string;
  /** What the other retrievers found, best first, with their weights in the fusion. */
  seeds: readonly { hits: readonly ScoredChunk[]; weight: number }[];
  scope: Scope;
  limit: number;
  call: NamingCall;
  /** Nothing else ranks the answer, so relations do even where they would have no weight beside others. */
  alone: boolean;
}

export interface RelationHits {
  hits: ScoredChunk[];
  /**
   * How much of the fusion relations may decide. Nothing unless some heading is a name of the question: without a place
   * that is about it, shared names mislead more often than they lead. The less, the more of the question the best
   * passage already holds (docs/decisions/graph-retrieval.md).
   */
  weight: number;
  /** Keys of the names found in the question. */
  names: string[];
  /** Why some names could not be looked for, so that some relations are missing. */
  incomplete?: string;
}

/** Seeds beyond these few bring more noise than links. */
const SEEDS = 20;
/** Beside words of weight 1. */
const WEIGHT = 0.75;
/** Nearly the full weight up to half of the question's words in one passage, nothing at all of them. */
const STEEPNESS = 4;
const NOTHING: RelationHits = { hits: [], weight: 0, names: [] };

export async function relationScores(store: Store, search: RelationSearch): Promise<RelationHits> {
  const refusal = await completeNames(store, search.scope.collections, {
    patienceMs: PATIENCE_MS,
    ...search.call,
  });
  const found = await walkFrom(store, search);
  return refusal ? { ...found, incomplete: refusal.message } : found;
}

async function walkFrom(store: Store, search: RelationSearch): Promise<RelationHits> {
  const scope = search.scope.collections;
  const { signal } = search.call;
  const { chunks: names, anchored } = await queryNames(store.graph, search.query, scope);
  if (names.size === 0 || !(anchored || search.alone)) return NOTHING;
  throwIfAborted(signal);
  const seeds = strongest(search.seeds);
  const place = await loadNeighbourhood(store.graph, { seeds: [...seeds.keys()], names, scope });
  throwIfAborted(signal);
  const scores = walk(place, { seeds, names });
  const allowed = search.scope.filter ? idsOf(search.seeds) : undefined;
  const ranked = [...scores]
    .filter(([id, score]) => score > 0 && (!allowed || allowed.has(id)))
    .map(([id, score]) => ({ id, score }))
    .sort((a, b) => b.score - a.score || byId(a.id, b.id))
    .slice(0, search.limit);
  return {
    hits: onLogScale(ranked),
    weight: anchored && ranked.length > 0 ? WEIGHT * (await leftOpen(store, search.query, seeds)) : 0,
    names: [...names.keys()].filter((key) => !key.startsWith(TOPIC)),
  };
}

/**
 * A walk gives a few places most of itself, and words do not: summed as they are, its first place would decide alone.
 * Its logarithm is spread like a word score, which is a sum of logarithms too.
 */
function onLogScale(hits: readonly ScoredChunk[]): ScoredChunk[] {
  const least = hits.at(-1)?.score ?? 1;
  return hits.map(({ id, score }) => ({ id, score: Math.log(score / least) }));
}

/** How much of the question the best passage of the other retrievers does not account for, 0 to 1. */
async function leftOpen(store: Store, question: string, seeds: ReadonlyMap<string, number>): Promise<number> {
  const [best] = seeds.keys();
  const [chunk] = best === undefined ? [] : await store.search.chunks([best]);
  if (!chunk) return 1;
  const passage = [chunk.title, ...chunk.headingPath, chunk.text].join('\n');
  return 1 - coveredShare(question, passage) ** STEEPNESS;
}

/** The best chunks over all lists, each list scaled to its own best score. */
function strongest(lists: RelationSearch['seeds']): Map<string, number> {
  const sums = new Map<string, number>();
  for (const { hits, weight } of lists) {
    const best = hits[0]?.score ?? 0;
    if (best <= 0) continue;
    for (const { id, score } of hits.slice(0, SEEDS * 4))
      if (score > 0) sums.set(id, (sums.get(id) ?? 0) + (weight * score) / best);
  }
  const top = [...sums].sort((a, b) => b[1] - a[1] || byId(a[0], b[0])).slice(0, SEEDS);
  return new Map(top);
}

/** A filter is obeyed by the retrievers that can read it; relations then only reorder what they let through. */
function idsOf(lists: RelationSearch['seeds']): Set<string> {
  return new Set(lists.flatMap(({ hits }) => hits.map((hit) => hit.id)));
}

function byId(a: string, b: string): number {
  return a.length - b.length || compareText(a, b);
}
