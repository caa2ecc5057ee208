// Prometheus metrics. Labels come from closed sets (routes, statuses, names of our own tools), never from what a client
// sent.

import { AggregatorRegistry, collectDefaultMetrics, Counter, Gauge, Histogram, Registry } from 'prom-client';

export interface RequestSample {
  route: string;
  status: number;
  seconds: number;
}

export interface Metrics {
  request(sample: RequestSample): void;
  /** One call of a known tool; a batch has several. */
  call(tool: string, ok: boolean): void;
  refusal(reason: string): void;
  running(change: 1 | -1): void;
  /** Samples of this process, for gathering over workers. */
  snapshot(): Promise<object[]>;
  /** The text of `/metrics` from the snapshots of all processes. */
  text(snapshots: object[][]): Promise<{ type: string; body: string }>;
}

/** `spent`: dollars of today by caller, over all processes. */
export function createMetrics(spent: () => Promise<ReadonlyMap<string, number>>): Metrics {
  const registry = new Registry();
  collectDefaultMetrics({ register: registry });
  const registers = [registry];
  new Gauge({
    name: 'vai_model_dollars_today',
    help: 'Estimated cost of hosted models that callers used today (UTC)',
    registers,
    // Every worker reads the same sum.
    aggregator: 'max',
    async collect() {
      this.set([...(await spent()).values()].reduce((sum, dollars) => sum + dollars, 0));
    },
  });
  const requests = new Counter({
    name: 'vai_http_requests_total',
    help: 'HTTP requests answered',
    labelNames: ['route', 'status'],
    registers,
  });
  const duration = new Histogram({
    name: 'vai_http_request_seconds',
    help: 'Time to answer an HTTP request',
    labelNames: ['route'],
    buckets: [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 10, 60],
    registers,
  });
  const calls = new Counter({
    name: 'vai_tool_calls_total',
    help: 'Tool calls by outcome',
    labelNames: ['tool', 'outcome'],
    registers,
  });
  const refusals = new Counter({
    name: 'vai_http_refusals_total',
    help: 'Requests refused by a guard',
    labelNames: ['reason'],
    registers,
  });
  const running = new Gauge({
    name: 'vai_http_running',
    help: 'MCP requests being answered now',
    registers,
  });
  return {
    request({ route, status, seconds }) {
      requests.inc({ route, status: String(status) });
      duration.observe({ route }, seconds);
    },
    call: (tool, ok) => calls.inc({ tool, outcome: ok ? 'ok' : 'error' }),
    refusal: (reason) => refusals.inc({ reason }),
    running: (change) => running.inc(change),
    snapshot: () => registry.getMetricsAsJSON(),
    async text(snapshots) {
      const all = AggregatorRegistry.aggregate(snapshots);
      return { type: all.contentType, body: await all.metrics() };
    },
  };
}
