// Retrieval by relations: from the names in the question to the chunks about them, and from the best passages over the
// names in their sentences to chunks that neither words nor vectors would bring up. It reads a bounded piece of the mention
// index, so that its cost does not grow with the collection. No model is called. Names that were not looked for yet are
// looked for first.

import { throwIfAborted } from '../../domain/errors.ts';
import { compareText } from '../../domain/text.ts';
import type { Scope, ScoredChunk, Store, StoredChunk } from '../../ports/store.ts';
import { fuse, type RankedList } from '../search/fuse.ts';
import { coveredShare } from './coverage.ts';
import { ledTo, type Lead } from './leads.ts';
import { TOPIC } from './mentions/mentions.ts';
import { completeNames, PATIENCE_MS, type NamingCall } from './naming.ts';
import { chunksNamed, queryNames, type QueryNames } from './query-names.ts';

export interface RelationSearch {
  query: string;
  /** What the other retrievers found, best first, with their weights in the fusion. */
  seeds: readonly RankedList[];
  scope: Scope;
  limit: number;
  call: NamingCall;
  /** Nothing else ranks the answer, so relations do even where they would have no weight beside others. */
  alone: boolean;
}

export interface Relations {
  /** At most two: chunks of the question's names, and chunks that the best passages lead to. */
  lists: RankedList[];
  /** Keys of the names found in the question. */
  names: string[];
  /** Why some names could not be looked for, so that some relations are missing. */
  incomplete?: string;
}

/** Of each list, beside words of weight 1. */
const WEIGHT = 0.75;
/** Passages whose sentences lead on; further ones bring more noise than links. */
const LEADS = 3;
/** Nearly the full weight up to half of the question's words in the best passage, nothing at all of them. */
const STEEPNESS = 4;
/** Several passages together hold more of the question by chance. */
const TOGETHER = 8;

export async function relationScores(store: Store, search: RelationSearch): Promise<Relations> {
  const refusal = await completeNames(store, search.scope.collections, {
    patienceMs: PATIENCE_MS,
    ...search.call,
  });
  const found = await related(store, search);
  return refusal ? { ...found, incomplete: refusal.message } : found;
}

/**
 * Names take part where some heading is one of them: without a place that is about it, shared names mislead more often
 * than they lead. Passages lead on there too, and where the best one stands under a heading and holds a name of the
 * question. Both the less, the more of the question is already said (docs/decisions/graph-retrieval.md).
 */
async function related(store: Store, search: RelationSearch): Promise<Relations> {
  const { query, alone, call, scope } = search;
  const names = await queryNames(store.graph, query, scope.collections);
  if (names.size === 0) return { lists: [], names: [] };
  const anchored = [...names.values()].some(({ about }) => about.length > 0);
  const lists: RankedList[] = [];
  if (anchored || alone) {
    const weight = weightBeside(await leadsFrom(store, search.seeds, 1), search, STEEPNESS);
    if (weight > 0) add(lists, search, chunksNamed(names), weight);
  }
  throwIfAborted(call.signal);
  const leads = await leadsFrom(store, [...search.seeds, ...lists], LEADS);
  const weight = weightBeside(leads, search, TOGETHER);
  if (weight > 0 && leads[0] && (anchored || alone || (await joins(store, leads[0].chunk, names))))
    add(lists, search, await ledTo(store.graph, query, leads, scope.collections), weight);
  return { lists, names: [...names.keys()] };
}

/** The best chunks over all lists. */
async function leadsFrom(store: Store, lists: readonly RankedList[], count: number): Promise<Lead[]> {
  const best = fuse(lists.filter(({ hits }) => hits.length > 0)).slice(0, count);
  const scores = new Map(best.map(({ id, score }) => [id, score]));
  const chunks = await store.search.chunks([...scores.keys()]);
  return chunks.map((chunk) => ({ chunk, score: scores.get(chunk.id)! }));
}

async function joins(store: Store, { id }: StoredChunk, names: QueryNames): Promise<boolean> {
  const keys = (await store.graph.mentionsOfChunks([id])).get(id) ?? [];
  return keys.some((key) => key.startsWith(TOPIC)) && keys.some((key) => names.has(key));
}

/** A filter is obeyed by the retrievers that can read it; relations then only reorder what they let through. */
function add(lists: RankedList[], search: RelationSearch, scored: ScoredChunk[], weight: number): void {
  const { seeds, limit } = search;
  const allowed = search.scope.filter && new Set(seeds.flatMap(({ hits }) => hits.map((hit) => hit.id)));
  const hits = scored
    .filter(({ id }) => !allowed || allowed.has(id))
    .sort((a, b) => b.score - a.score || byId(a.id, b.id))
    .slice(0, limit);
  if (hits.length > 0) lists.push({ retriever: 'relations', weight, hits, fromZero: true });
}

/** The full weight where relations rank alone; otherwise the less, the more of the question these passages account for. */
function weightBeside(leads: readonly Lead[], { query, alone }: RelationSearch, steepness: number): number {
  if (alone) return WEIGHT;
  const passages = leads.flatMap(({ chunk }) => [chunk.title, ...chunk.headingPath, chunk.text]);
  return WEIGHT * (1 - coveredShare(query, passages.join('\n')) ** steepness);
}

export function byId(a: string, b: string): number {
  return a.length - b.length || compareText(a, b);
}
