// Prometheus metrics. The library is loaded after the server listens, and what happens before is counted when it is
// there; labels come from closed sets (routes, statuses, names of our own tools), never from what a client sent.

import type * as Prometheus from 'prom-client';

export interface RequestSample {
  route: string;
  status: number;
  seconds: number;
  /** A known tool, when one was called. */
  tool?: string;
  ok?: boolean;
}

export interface Metrics {
  request(sample: RequestSample): void;
  refusal(reason: string): void;
  running(change: 1 | -1): void;
  /** Samples of this process, for gathering over workers. */
  snapshot(): Promise<object[]>;
  /** The text of `/metrics` from the snapshots of all processes. */
  text(snapshots: object[][]): Promise<{ type: string; body: string }>;
}

interface Instruments {
  library: typeof Prometheus;
  registry: Prometheus.Registry;
  requests: Prometheus.Counter;
  duration: Prometheus.Histogram;
  calls: Prometheus.Counter;
  refusals: Prometheus.Counter;
  running: Prometheus.Gauge;
}

const MAX_WAITING = 10_000;

export function createMetrics(): Metrics {
  let instruments: Instruments | undefined;
  let waiting: ((loaded: Instruments) => void)[] = [];
  let loading: Promise<Instruments> | undefined;

  const load = (): Promise<Instruments> =>
    (loading ??= import('prom-client').then((module) => {
      instruments = build(module);
      for (const apply of waiting) apply(instruments);
      waiting = [];
      return instruments;
    }));

  const record = (apply: (loaded: Instruments) => void): void => {
    if (instruments) apply(instruments);
    else if (waiting.length < MAX_WAITING) waiting.push(apply);
    else void load();
  };

  return {
    request({ route, status, seconds, tool, ok }) {
      record((loaded) => {
        loaded.requests.inc({ route, status: String(status) });
        loaded.duration.observe({ route }, seconds);
        if (tool) loaded.calls.inc({ tool, outcome: ok ? 'ok' : 'error' });
      });
    },
    refusal: (reason) => record((loaded) => loaded.refusals.inc({ reason })),
    running: (change) => record((loaded) => loaded.running.inc(change)),
    async snapshot() {
      return (await load()).registry.getMetricsAsJSON();
    },
    async text(snapshots) {
      const { library } = await load();
      const registry = library.AggregatorRegistry.aggregate(snapshots);
      return { type: registry.contentType, body: await registry.metrics() };
    },
  };
}

function build(library: typeof Prometheus): Instruments {
  const registry = new library.Registry();
  library.collectDefaultMetrics({ register: registry });
  const registers = [registry];
  return {
    library,
    registry,
    requests: new library.Counter({
      name: 'vai_http_requests_total',
      help: 'HTTP requests answered',
      labelNames: ['route', 'status'],
      registers,
    }),
    duration: new library.Histogram({
      name: 'vai_http_request_seconds',
      help: 'Time to answer an HTTP request',
      labelNames: ['route'],
      buckets: [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 10, 60],
      registers,
    }),
    calls: new library.Counter({
      name: 'vai_tool_calls_total',
      help: 'Tool calls by outcome',
      labelNames: ['tool', 'outcome'],
      registers,
    }),
    refusals: new library.Counter({
      name: 'vai_http_refusals_total',
      help: 'Requests refused by a guard',
      labelNames: ['reason'],
      registers,
    }),
    running: new library.Gauge({
      name: 'vai_http_running',
      help: 'MCP requests being answered now',
      registers,
    }),
  };
}
