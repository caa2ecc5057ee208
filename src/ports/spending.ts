// What callers have spent on hosted models today, counted where every process of a server sees it.

export interface Spending {
  /**
   * Sets dollars aside for a request about to be made, and refuses it where the caller's limit for the day would be
   * passed. What comes back is told what was billed; not told, the estimate stays.
   */
  reserve(caller: string, dollars: number, limit: number): Promise<Settle>;
  close(): void;
}

/** Undefined where nobody knows what was billed: a failed request may have been. */
export type Settle = (billed: number | undefined) => void;
