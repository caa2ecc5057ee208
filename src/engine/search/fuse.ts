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
  hits.forEach(({ id, score }, place) => {
    // Where all are equal, those beyond the calibrated ones count as below them, as they do otherwise.
    const even = place < CALIBRATED ? 1 : 0;
    scaled.set(id, span > 0 ? Math.max(0, (score - low) / span) : even);
  });
  return scaled;
}

/**
 * Best first. Equal scores, above all those below the calibrated candidates, are settled by the best place any list
 * gave: so the order stays the same when more candidates are asked for, and pages of it fit together.
 */
export function fuse(lists: readonly RankedList[]): Fused[] {
  const total = lists.reduce((sum, list) => sum + (list.hits.length ? list.weight : 0), 0) || 1;
  const fused = new Map<string, Fused>();
  const places = new Map<string, number>();
  for (const list of lists) {
    for (const [id, value] of scale(list.hits)) {
      const entry = fused.get(id) ?? { id, score: 0, scores: {} };
      entry.scores[list.retriever] = Math.max(entry.scores[list.retriever] ?? 0, value);
      entry.score += (list.weight / total) * value;
      fused.set(id, entry);
    }
    list.hits.forEach(({ id }, place) => places.set(id, Math.min(place, places.get(id) ?? place)));
  }
  return [...fused.values()].sort((a, b) => b.score - a.score || places.get(a.id)! - places.get(b.id)!);
}
