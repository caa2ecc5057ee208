// The best of many scores without sorting them all.

export interface Ranked {
  index: number;
  score: number;
}

/** Best first; of equal scores the lower index. `keep` is asked only about rows that would get in. */
export function topScores(
  scores: Float32Array,
  count: number,
  limit: number,
  keep?: (index: number) => boolean,
): Ranked[] {
  // A heap with the worst of the best at its root.
  const heap: Ranked[] = [];
  for (let index = 0; index < count; index += 1) {
    const score = scores[index]!;
    if (heap.length >= limit && score <= heap[0]!.score) continue;
    if (keep && !keep(index)) continue;
    if (heap.length < limit) {
      heap.push({ index, score });
      rise(heap, heap.length - 1);
    } else {
      heap[0] = { index, score };
      sink(heap);
    }
  }
  return heap.sort((a, b) => b.score - a.score || a.index - b.index);
}

function worse(a: Ranked, b: Ranked): boolean {
  return a.score < b.score || (a.score === b.score && a.index > b.index);
}

function rise(heap: Ranked[], at: number): void {
  while (at > 0) {
    const parent = (at - 1) >> 1;
    if (!worse(heap[at]!, heap[parent]!)) return;
    [heap[at], heap[parent]] = [heap[parent]!, heap[at]!];
    at = parent;
  }
}

function sink(heap: Ranked[]): void {
  let at = 0;
  for (;;) {
    const left = 2 * at + 1;
    if (left >= heap.length) return;
    const right = left + 1;
    const child = right < heap.length && worse(heap[right]!, heap[left]!) ? right : left;
    if (!worse(heap[child]!, heap[at]!)) return;
    [heap[at], heap[child]] = [heap[child]!, heap[at]!];
    at = child;
  }
}
