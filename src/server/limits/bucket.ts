// Token buckets by name: a burst of one minute's worth, then a steady rate. Bounded, so that a flood of names cannot
// fill the memory; the names longest unused go first, and those are full again anyway.

export interface Buckets {
  /** Seconds to wait, or 0 when the call may go on. */
  take(name: string, perMinute: number, at: number): number;
}

interface Bucket {
  tokens: number;
  at: number;
}

export function createBuckets(maxNames = 10_000): Buckets {
  const buckets = new Map<string, Bucket>();
  return {
    take(name, perMinute, at) {
      if (perMinute <= 0) return 0;
      const perMs = perMinute / 60_000;
      const known = buckets.get(name);
      const tokens = known
        ? Math.min(perMinute, known.tokens + Math.max(0, at - known.at) * perMs)
        : perMinute;
      buckets.delete(name);
      if (buckets.size >= maxNames) buckets.delete(buckets.keys().next().value!);
      const allowed = tokens >= 1;
      buckets.set(name, { tokens: allowed ? tokens - 1 : tokens, at });
      return allowed ? 0 : Math.max(1, Math.ceil((1 - tokens) / perMs / 1000));
    },
  };
}
