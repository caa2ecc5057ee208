// How the server did over the last hour: a sample of its own metrics every few seconds, over all workers, kept as the
// differences a person reads. Counters only grow, so what happened between two samples is their difference.

export interface MetricSample {
  /** Milliseconds since 1970, the end of the span. */
  at: number;
  /** Of the span, by route: how many, and how many ended with a status of 500 or more. */
  requests: number;
  failed: number;
  /** Turned away by a guard: a wrong key, a rate, a size. */
  refused: number;
  calls: number;
  callErrors: number;
  /** Of MCP requests in the span, in milliseconds; undefined where there were none. */
  p50?: number;
  p95?: number;
  /** Bytes in use, over all processes. */
  memory: number;
  running: number;
}

export interface ToolCount {
  tool: string;
  calls: number;
  errors: number;
}

export interface MetricReport {
  /** Seconds between samples. */
  every: number;
  samples: MetricSample[];
  /** Since the server started. */
  tools: ToolCount[];
  refusals: { reason: string; count: number }[];
  routes: { route: string; count: number; failed: number; p50?: number; p95?: number }[];
}

export interface MetricHistory {
  report(): Promise<MetricReport>;
  close(): void;
}

const EVERY_MS = 10_000;
const KEPT = 360;

/** As the Prometheus library gives it. */
interface Metric {
  name: string;
  values: { value: number; labels: Record<string, string | number>; metricName?: string }[];
}

export function createMetricHistory(gather: () => Promise<object[][]>, now: () => number): MetricHistory {
  const samples: MetricSample[] = [];
  let before: Totals | undefined;
  let taking: Promise<Totals> | undefined;

  const take = (): Promise<Totals> =>
    (taking ??= gather()
      .then((snapshots) => {
        const after = totalsOf(snapshots.flat() as Metric[]);
        if (before) samples.push(sampleOf(before, after, now()));
        if (samples.length > KEPT) samples.shift();
        before = after;
        return after;
      })
      .finally(() => (taking = undefined)));
  // What cannot be gathered leaves a gap.
  const timer = setInterval(() => void take().catch(() => undefined), EVERY_MS).unref();

  return {
    async report() {
      const current = before ? totalsOf((await gather()).flat() as Metric[]) : await take();
      return { every: EVERY_MS / 1000, samples: [...samples], ...summary(current) };
    },
    close: () => clearInterval(timer),
  };
}

interface Totals {
  byRoute: Map<string, { count: number; failed: number; buckets: Map<number, number> }>;
  tools: Map<string, ToolCount>;
  refusals: Map<string, number>;
  memory: number;
  running: number;
}

/** Adds the samples of all processes up. */
export function totalsOf(metrics: readonly Metric[]): Totals {
  const totals: Totals = { byRoute: new Map(), tools: new Map(), refusals: new Map(), memory: 0, running: 0 };
  const route = (name: string) => {
    const known = totals.byRoute.get(name) ?? { count: 0, failed: 0, buckets: new Map<number, number>() };
    totals.byRoute.set(name, known);
    return known;
  };
  for (const { name, values } of metrics)
    for (const { value, labels, metricName } of values) {
      if (name === 'vai_http_requests_total') {
        const one = route(String(labels['route']));
        one.count += value;
        if (Number(labels['status']) >= 500) one.failed += value;
      } else if (name === 'vai_http_request_seconds' && metricName === `${name}_bucket`) {
        const { buckets } = route(String(labels['route']));
        const edge = labels['le'] === '+Inf' ? Infinity : Number(labels['le']);
        buckets.set(edge, (buckets.get(edge) ?? 0) + value);
      } else if (name === 'vai_tool_calls_total') {
        const tool = String(labels['tool']);
        const one = totals.tools.get(tool) ?? { tool, calls: 0, errors: 0 };
        one.calls += value;
        if (labels['outcome'] === 'error') one.errors += value;
        totals.tools.set(tool, one);
      } else if (name === 'vai_http_refusals_total') {
        const reason = String(labels['reason']);
        totals.refusals.set(reason, (totals.refusals.get(reason) ?? 0) + value);
      } else if (name === 'process_resident_memory_bytes') totals.memory += value;
      else if (name === 'vai_http_running') totals.running += value;
    }
  return totals;
}

function sampleOf(before: Totals, after: Totals, at: number): MetricSample {
  const sum = (totals: Totals, of: 'count' | 'failed'): number =>
    [...totals.byRoute.values()].reduce((all, one) => all + one[of], 0);
  const calls = (totals: Totals, of: 'calls' | 'errors'): number =>
    [...totals.tools.values()].reduce((all, one) => all + one[of], 0);
  const refused = (totals: Totals): number => [...totals.refusals.values()].reduce((a, b) => a + b, 0);
  const grown = (read: (totals: Totals) => number): number => Math.max(0, read(after) - read(before));
  return {
    at,
    requests: grown((one) => sum(one, 'count')),
    failed: grown((one) => sum(one, 'failed')),
    refused: grown(refused),
    calls: grown((one) => calls(one, 'calls')),
    callErrors: grown((one) => calls(one, 'errors')),
    ...percentiles(after.byRoute.get('mcp')?.buckets, before.byRoute.get('mcp')?.buckets),
    memory: after.memory,
    running: after.running,
  };
}

function summary({ byRoute, tools, refusals }: Totals): Pick<MetricReport, 'tools' | 'refusals' | 'routes'> {
  return {
    tools: [...tools.values()].sort((a, b) => b.calls - a.calls),
    refusals: [...refusals].map(([reason, count]) => ({ reason, count })).sort((a, b) => b.count - a.count),
    routes: [...byRoute]
      .map(([route, { count, failed, buckets }]) => ({ route, count, failed, ...percentiles(buckets) }))
      .sort((a, b) => b.count - a.count),
  };
}

/** Of a histogram that counts up, less what it had before; in milliseconds, between the edges of a bucket. */
export function percentiles(
  buckets: ReadonlyMap<number, number> | undefined,
  before: ReadonlyMap<number, number> = new Map(),
): { p50?: number; p95?: number } {
  const edges = [...(buckets ?? new Map<number, number>())]
    .map(([edge, value]): [number, number] => [edge, value - (before.get(edge) ?? 0)])
    .sort((a, b) => a[0] - b[0]);
  const all = edges.at(-1)?.[1] ?? 0;
  if (all <= 0) return {};
  const at = (part: number): number => {
    let [lowEdge, lowCount] = [0, 0];
    for (const [edge, count] of edges) {
      if (count >= part * all) {
        // Beyond the last edge nothing is known but that it took longer.
        if (edge === Infinity) return lowEdge * 1000;
        const share = count > lowCount ? (part * all - lowCount) / (count - lowCount) : 1;
        return (lowEdge + (edge - lowEdge) * share) * 1000;
      }
      [lowEdge, lowCount] = [edge, count];
    }
    return lowEdge * 1000;
  };
  return { p50: at(0.5), p95: at(0.95) };
}
