// The best chunks of those that come by: higher score first, then the lower id. Thousands come by in a search: those
// known to come after the best are passed over, and the others are cut back whenever they are twice as many as asked.

export interface Hit {
  id: number;
  score: number;
}

export class Top {
  private readonly size: number;
  private kept: Hit[] = [];
  /** The last of the best when they were last cut back; what comes after it is not among them. */
  private last: Hit = { id: Infinity, score: -Infinity };

  constructor(size: number) {
    this.size = size;
  }

  /** Whether a chunk of this score may be among the best. */
  takes(id: number, score: number): boolean {
    return score > this.last.score || (score === this.last.score && id < this.last.id);
  }

  add(id: number, score: number): void {
    this.kept.push({ id, score });
    if (this.kept.length >= 2 * this.size) this.cut();
  }

  best(): Hit[] {
    this.cut();
    return this.kept;
  }

  private cut(): void {
    this.kept = this.kept.sort((a, b) => b.score - a.score || a.id - b.id).slice(0, this.size);
    if (this.kept.length === this.size) this.last = this.kept.at(-1)!;
  }
}
