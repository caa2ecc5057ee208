// What this page itself measured of the server: one sample per request, the last of them kept in memory.

export interface Sample {
  /** Milliseconds since the epoch, when the request began. */
  at: number;
  /** Tool name, or the path of a request that is no tool call. */
  what: string;
  ms: number;
  ok: boolean;
}

export interface Summary {
  what: string;
  count: number;
  failed: number;
  p50: number;
  p95: number;
}

export interface Measures {
  add(sample: Sample): void;
  all(): readonly Sample[];
  watch(listener: () => void): () => void;
}

const KEEP = 2_000;

export function createMeasures(): Measures {
  const samples: Sample[] = [];
  const listeners = new Set<() => void>();
  return {
    add(sample) {
      samples.push(sample);
      if (samples.length > KEEP) samples.splice(0, samples.length - KEEP);
      for (const listener of listeners) listener();
    },
    all: () => samples,
    watch(listener) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
  };
}

/** Most asked first. */
export function summarise(samples: readonly Sample[]): Summary[] {
  const groups = Map.groupBy(samples, (sample) => sample.what);
  return [...groups]
    .map(([what, group]) => {
      const times = group.map((sample) => sample.ms).sort((a, b) => a - b);
      return {
        what,
        count: group.length,
        failed: group.filter((sample) => !sample.ok).length,
        p50: quantile(times, 0.5),
        p95: quantile(times, 0.95),
      };
    })
    .sort((a, b) => b.count - a.count || a.what.localeCompare(b.what));
}

/** Of sorted numbers; the nearest rank, so it is always a time that was measured. */
export function quantile(sorted: readonly number[], part: number): number {
  if (sorted.length === 0) return 0;
  return sorted[Math.min(sorted.length - 1, Math.max(0, Math.ceil(part * sorted.length) - 1))]!;
}

export interface Buckets {
  /** Seconds since the epoch, the end of each bucket. */
  times: number[];
  requests: number[];
  failed: number[];
}

/** Requests per bucket over the window that ends now, empty buckets included. */
export function perBucket(
  samples: readonly Sample[],
  { now, bucketMs, buckets }: { now: number; bucketMs: number; buckets: number },
): Buckets {
  const end = Math.ceil(now / bucketMs) * bucketMs;
  const start = end - bucketMs * buckets;
  const requests = new Array<number>(buckets).fill(0);
  const failed = new Array<number>(buckets).fill(0);
  for (const sample of samples) {
    const at = Math.floor((sample.at - start) / bucketMs);
    if (at < 0 || at >= buckets) continue;
    requests[at]! += 1;
    if (!sample.ok) failed[at]! += 1;
  }
  const times = requests.map((_, at) => (start + (at + 1) * bucketMs) / 1000);
  return { times, requests, failed };
}
