// The best of many scores without sorting them all.

/** Indexes, best first; of equal scores the lower one. `keep` is asked only about rows that would get in. */
export function topScores(
  scores: Float32Array,
  count: number,
  limit: number,
  keep?: (index: number) => boolean,
): number[] {
  // A heap with the worst of the best at its root.
  const heap: number[] = [];
  for (let index = 0; index < count; index += 1) {
    if (heap.length >= limit && scores[index]! <= scores[heap[0]!]!) continue;
    if (keep && !keep(index)) continue;
    if (heap.length < limit) {
      heap.push(index);
      rise(heap, scores);
    } else {
      heap[0] = index;
      sink(heap, scores);
    }
  }
  return heap.sort((a, b) => scores[b]! - scores[a]! || a - b);
}

function worse(scores: Float32Array, a: number, b: number): boolean {
  return scores[a]! < scores[b]! || (scores[a] === scores[b] && a > b);
}

function rise(heap: number[], scores: Float32Array): void {
  let at = heap.length - 1;
  const index = heap[at]!;
  while (at > 0) {
    const parent = (at - 1) >> 1;
    if (!worse(scores, index, heap[parent]!)) break;
    heap[at] = heap[parent]!;
    at = parent;
  }
  heap[at] = index;
}

function sink(heap: number[], scores: Float32Array): void {
  const index = heap[0]!;
  let at = 0;
  for (;;) {
    const left = 2 * at + 1;
    if (left >= heap.length) break;
    const right = left + 1;
    const child = right < heap.length && worse(scores, heap[right]!, heap[left]!) ? right : left;
    if (!worse(scores, heap[child]!, index)) break;
    heap[at] = heap[child]!;
    at = child;
  }
  heap[at] = index;
}
