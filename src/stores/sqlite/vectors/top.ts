// The best of many scores without sorting them all.

/** Indexes, best first; of equal scores the lower one. `keep` is asked only about rows that would get in. */
export function topScores(
  scores: Float32Array,
  count: number,
  limit: number,
  keep?: (index: number) => boolean,
): number[] {
  if (limit < 1) return [];
  // A heap with the worst of the best at its root.
  const heap: number[] = [];
  let index = 0;
  for (; index < count && heap.length < limit; index += 1) if (!keep || keep(index)) heap.push(index);
  for (let at = (heap.length >> 1) - 1; at >= 0; at -= 1) sink(heap, scores, at, heap.length);
  for (; index < count; index += 1) {
    if (scores[index]! <= scores[heap[0]!]! || (keep && !keep(index))) continue;
    heap[0] = index;
    sink(heap, scores, 0, heap.length);
  }
  // The worst that is left goes to the end.
  for (let end = heap.length - 1; end > 0; end -= 1) {
    const worst = heap[0]!;
    heap[0] = heap[end]!;
    heap[end] = worst;
    sink(heap, scores, 0, end);
  }
  return heap;
}

/** Moves what stands at a place down to where it belongs, within the first `length`. */
function sink(heap: number[], scores: Float32Array, from: number, length: number): void {
  const index = heap[from]!;
  let at = from;
  for (let left = 2 * at + 1; left < length; left = 2 * at + 1) {
    const right = left + 1;
    const child = right < length && worse(scores, heap[right]!, heap[left]!) ? right : left;
    if (!worse(scores, heap[child]!, index)) break;
    heap[at] = heap[child]!;
    at = child;
  }
  heap[at] = index;
}

function worse(scores: Float32Array, a: number, b: number): boolean {
  return scores[a]! < scores[b]! || (scores[a] === scores[b] && a > b);
}
