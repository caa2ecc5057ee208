// The best chunks of those that come by: higher score first, then the lower id.

export interface Hit {
  id: number;
  score: number;
}

export class Top {
  /** A heap: the worst of the best on top. */
  private readonly heap: Hit[] = [];
  private readonly size: number;

  constructor(size: number) {
    this.size = size;
  }

  /** Whether a chunk of this score would be among the best. */
  takes(id: number, score: number): boolean {
    if (this.heap.length < this.size) return true;
    const worst = this.heap[0]!;
    return score > worst.score || (score === worst.score && id < worst.id);
  }

  add(id: number, score: number): void {
    if (this.heap.length < this.size) {
      this.heap.push({ id, score });
      this.rise(this.heap.length - 1);
    } else {
      this.heap[0] = { id, score };
      this.sink();
    }
  }

  best(): Hit[] {
    return this.heap.toSorted((a, b) => b.score - a.score || a.id - b.id);
  }

  private rise(at: number): void {
    const { heap } = this;
    while (at > 0) {
      const above = (at - 1) >> 1;
      if (!isWorse(heap[at]!, heap[above]!)) return;
      [heap[at], heap[above]] = [heap[above]!, heap[at]!];
      at = above;
    }
  }

  private sink(): void {
    const { heap } = this;
    for (let at = 0; ;) {
      let worst = at;
      for (const below of [2 * at + 1, 2 * at + 2])
        if (below < heap.length && isWorse(heap[below]!, heap[worst]!)) worst = below;
      if (worst === at) return;
      [heap[at], heap[worst]] = [heap[worst]!, heap[at]!];
      at = worst;
    }
  }
}

function isWorse(a: Hit, b: Hit): boolean {
  return a.score < b.score || (a.score === b.score && a.id > b.id);
}
