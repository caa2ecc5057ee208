// Token buckets by name: a burst of one minute's worth, then a steady rate. Bounded, so that a flood of names cannot
// fill the memory; the names longest unused go first, and those are full again anyway.

export interface Buckets {
  /** Seconds to wait, or 0 when the calls may go on; nothing is taken where they may not. */
  take(name: string, perMinute: number, at: number, calls?: number): number;
}

interface Bucket {
  tokens: number;
  at: number;
}

export function createBuckets(maxNames = 10_000): Buckets {
  const buckets = new Map<string, Bucket>();
  return {
    take(name, perMinute, at, calls = 1) {
      if (perMinute <= 0) return 0;
      const perMs = perMinute / 60_000;
      const known = buckets.get(name);
      const tokens = known
        ? Math.min(perMinute, known.tokens + Math.max(0, at - known.at) * perMs)
        : perMinute;
      buckets.delete(name);
      if (buckets.size >= maxNames) buckets.delete(buckets.keys().next().value!);
      const allowed = tokens >= calls;
      buckets.set(name, { tokens: allowed ? tokens - calls : tokens, at });
      return allowed ? 0 : Math.max(1, Math.ceil((calls - tokens) / perMs / 1000));
    },
  };
}
