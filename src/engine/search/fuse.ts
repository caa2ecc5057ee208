// One calibrated fusion for every toolset. Each retriever's scores are scaled over its own candidates and summed with
// weights that follow how far the retriever can be trusted; plain rank fusion was measured to hurt (docs/decisions).

import type { ScoredChunk } from '../../ports/store.ts';

export interface RankedList {
  retriever: 'words' | 'meaning' | 'relations';
  weight: number;
  hits: readonly ScoredChunk[];
  /** Scores are shares of one sum, so the least of them is not worth nothing. */
  fromZero?: true;
}

export interface Fused {
  id: string;
  score: number;
  scores: { words?: number; meaning?: number; relations?: number };
  /** Its score without relations, to be compared with that of others. */
  unrelated?: number;
  /** The score of the word search as it came. */
  share?: number;
}

/** Scores are scaled over this many candidates, however many were asked for, so that a page's size changes no order. */
const CALIBRATED = 100;

/** Scales to 0..1 between the hundredth candidate and the best one; what lies below is 0, a single candidate 1. */
export function scale(hits: readonly ScoredChunk[], fromZero = false): number[] {
  const sorted = hits.map(({ score }) => score).sort((a, b) => b - a);
  const low = fromZero ? 0 : sorted[Math.min(sorted.length, CALIBRATED) - 1]!;
  const span = sorted[0]! - low;
  // Where all are equal, those beyond the calibrated ones count as below them, as they do otherwise.
  if (span > 0) return hits.map(({ score }) => Math.max(0, (score - low) / span));
  return hits.map((_, place) => (place < CALIBRATED ? 1 : 0));
}

interface Placed extends Fused {
  unrelated: number;
  /** The best any list gave. */
  place: number;
}

/**
 * Best first. Equal scores, above all those below the calibrated candidates, are settled by the best place any list
 * gave: so the order stays the same when more candidates are asked for, and pages of it fit together.
 */
export function fuse(lists: readonly RankedList[]): Fused[] {
  const total = lists.reduce((sum, list) => sum + (list.hits.length ? list.weight : 0), 0) || 1;
  const fused = new Map<string, Placed>();
  for (const { retriever, weight, hits, fromZero } of lists) {
    const values = scale(hits, fromZero);
    const share = weight / total;
    for (let place = 0; place < hits.length; place += 1) {
      const { id } = hits[place]!;
      const value = values[place]!;
      let entry = fused.get(id);
      if (!entry) fused.set(id, (entry = { id, score: 0, scores: {}, unrelated: 0, place }));
      entry.score += share * value;
      if (retriever !== 'relations') entry.unrelated += share * value;
      entry.place = Math.min(entry.place, place);
      give(entry.scores, retriever, value);
      if (retriever === 'words') entry.share = hits[place]!.score;
    }
  }
  return [...fused.values()].sort((a, b) => b.score - a.score || a.place - b.place);
}

/** Of several lists of one retriever the best; each name written out, because a computed one is several times slower. */
function give(scores: Fused['scores'], retriever: RankedList['retriever'], value: number): void {
  if (retriever === 'words') scores.words = Math.max(scores.words ?? 0, value);
  else if (retriever === 'meaning') scores.meaning = Math.max(scores.meaning ?? 0, value);
  else scores.relations = Math.max(scores.relations ?? 0, value);
}
