// The counters behind /metrics, with the Prometheus library they are made of.

import { AggregatorRegistry, collectDefaultMetrics, Counter, Gauge, Histogram, Registry } from 'prom-client';

export interface Instruments {
  registry: Registry;
  requests: Counter;
  duration: Histogram;
  calls: Counter;
  refusals: Counter;
  running: Gauge;
  /** The text of `/metrics` from the samples of several processes. */
  text(snapshots: object[][]): Promise<{ type: string; body: string }>;
}

export function createInstruments(spent: () => Promise<ReadonlyMap<string, number>>): Instruments {
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
  return {
    registry,
    requests: new Counter({
      name: 'vai_http_requests_total',
      help: 'HTTP requests answered',
      labelNames: ['route', 'status'],
      registers,
    }),
    duration: new Histogram({
      name: 'vai_http_request_seconds',
      help: 'Time to answer an HTTP request',
      labelNames: ['route'],
      buckets: [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 10, 60],
      registers,
    }),
    calls: new Counter({
      name: 'vai_tool_calls_total',
      help: 'Tool calls by outcome',
      labelNames: ['tool', 'outcome'],
      registers,
    }),
    refusals: new Counter({
      name: 'vai_http_refusals_total',
      help: 'Requests refused by a guard',
      labelNames: ['reason'],
      registers,
    }),
    running: new Gauge({
      name: 'vai_http_running',
      help: 'MCP requests being answered now',
      registers,
    }),
    async text(snapshots) {
      const all = AggregatorRegistry.aggregate(snapshots);
      return { type: all.contentType, body: await all.metrics() };
    },
  };
}
