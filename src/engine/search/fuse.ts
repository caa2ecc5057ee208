// One calibrated fusion for every door. Each retriever's scores are scaled over its own candidates and summed with
// weights that follow how far the retriever can be trusted; plain rank fusion was measured to hurt (docs/decisions).

import type { ScoredChunk } from '../../ports/store.ts';

export interface RankedList {
  retriever: 'words' | 'meaning' | 'relations';
  weight: number;
  hits: readonly ScoredChunk[];
}

export interface Fused {
  id: string;
  score: number;
  scores: { words?: number; meaning?: number; relations?: number };
}

/** Scores are scaled over this many candidates, however many were asked for, so that a page's size changes no order. */
const CALIBRATED = 100;

/** Scales to 0..1 between the hundredth candidate and the best one; what lies below is 0, a single candidate 1. */
export function scale(hits: readonly ScoredChunk[]): Map<string, number> {
  const scaled = new Map<string, number>();
  if (hits.length === 0) return scaled;
  const scores = hits.map((hit) => hit.score).sort((a, b) => b - a);
  const high = scores[0]!;
  const low = scores[Math.min(scores.length, CALIBRATED) - 1]!;
  const span = high - low;
  for (const { id, score } of hits) scaled.set(id, span > 0 ? Math.max(0, (score - low) / span) : 1);
  return scaled;
}

/** Best first; equal scores keep the order of the first list, which is deterministic. */
export function fuse(lists: readonly RankedList[]): Fused[] {
  const total = lists.reduce((sum, list) => sum + (list.hits.length ? list.weight : 0), 0) || 1;
  const fused = new Map<string, Fused>();
  for (const list of lists) {
    for (const [id, value] of scale(list.hits)) {
      const entry = fused.get(id) ?? { id, score: 0, scores: {} };
      entry.scores[list.retriever] = Math.max(entry.scores[list.retriever] ?? 0, value);
      entry.score += (list.weight / total) * value;
      fused.set(id, entry);
    }
  }
  return [...fused.values()].sort((a, b) => b.score - a.score);
}
