// The relations retriever: chunks that mention what the question mentions, rarer names counting more.

import type { Scope, ScoredChunk, Store } from '../../ports/store.ts';
import { mentionKeys } from '../ingest/mentions.ts';

export interface RelationRequest {
  query: string;
  /** What the other retrievers found, with how far they are trusted. */
  seeds: { hits: readonly ScoredChunk[]; weight: number }[];
  scope: Scope;
  limit: number;
  signal?: AbortSignal;
}

export interface RelationHits {
  /** Best first. */
  hits: ScoredChunk[];
  /** Weight beside words of weight 1. */
  weight: number;
}

export async function relationScores(store: Store, request: RelationRequest): Promise<RelationHits> {
  const keys = mentionKeys(request.query, []);
  const { collections: scope } = request.scope;
  const counts = await store.graph.mentionCounts(keys, scope);
  const chunks = await store.graph.chunksWithMentions(keys, { scope, limit: request.limit });
  const scores = new Map<string, number>();
  for (const [key, ids] of chunks) {
    const weight = 1 / Math.log2(2 + (counts.get(key) ?? 1));
    for (const id of ids) scores.set(id, (scores.get(id) ?? 0) + weight);
  }
  const hits = [...scores].map(([id, score]) => ({ id, score })).sort((a, b) => b.score - a.score);
  return { hits: hits.slice(0, request.limit), weight: 0.2 };
}
