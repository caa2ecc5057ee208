// The best chunks of those that come by: higher score first, then the lower id. Thousands come by in a search, so
// nothing is allocated for one.

export interface Hit {
  id: number;
  score: number;
}

export class Top {
  /** A heap in two arrays: the worst of the best on top. */
  private readonly ids: Float64Array;
  private readonly scores: Float64Array;
  private count = 0;

  constructor(size: number) {
    this.ids = new Float64Array(size);
    this.scores = new Float64Array(size);
  }

  /** Whether a chunk of this score would be among the best. */
  takes(id: number, score: number): boolean {
    if (this.count < this.ids.length) return true;
    const worst = this.scores[0]!;
    return score > worst || (score === worst && id < this.ids[0]!);
  }

  add(id: number, score: number): void {
    if (this.count < this.ids.length) this.rise(this.count++, id, score);
    else this.sink(id, score);
  }

  best(): Hit[] {
    return Array.from(this.ids.subarray(0, this.count), (id, at) => ({ id, score: this.scores[at]! })).sort(
      (a, b) => b.score - a.score || a.id - b.id,
    );
  }

  /** Finds its place between the end of the heap and the top. */
  private rise(at: number, id: number, score: number): void {
    while (at > 0) {
      const above = (at - 1) >> 1;
      if (!this.isBetter(above, id, score)) break;
      this.move(above, at);
      at = above;
    }
    this.set(at, id, score);
  }

  /** Takes the place of the worst, and finds its own further down. */
  private sink(id: number, score: number): void {
    let at = 0;
    for (;;) {
      let below = 2 * at + 1;
      if (below >= this.count) break;
      if (below + 1 < this.count && this.isBetter(below, this.ids[below + 1]!, this.scores[below + 1]!))
        below += 1;
      if (this.isBetter(below, id, score)) break;
      this.move(below, at);
      at = below;
    }
    this.set(at, id, score);
  }

  /** Whether what stands at a place is better than this. */
  private isBetter(at: number, id: number, score: number): boolean {
    const there = this.scores[at]!;
    return there > score || (there === score && this.ids[at]! < id);
  }

  private move(from: number, to: number): void {
    this.set(to, this.ids[from]!, this.scores[from]!);
  }

  private set(at: number, id: number, score: number): void {
    this.ids[at] = id;
    this.scores[at] = score;
  }
}
