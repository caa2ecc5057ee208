// Prometheus metrics. The library is loaded after the server listens, and what happens before is counted when it is
// there; labels come from closed sets (routes, statuses, names of our own tools), never from what a client sent.

import type { Instruments } from './instruments.ts';

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

const MAX_WAITING = 10_000;

/** `spent`: dollars of today by caller, over all processes. */
export function createMetrics(spent: () => Promise<ReadonlyMap<string, number>>): Metrics {
  let instruments: Instruments | undefined;
  let waiting: ((loaded: Instruments) => void)[] = [];
  let loading: Promise<Instruments> | undefined;

  const load = (): Promise<Instruments> =>
    (loading ??= import('./instruments.ts').then(({ createInstruments }) => {
      instruments = createInstruments(spent);
      for (const apply of waiting) apply(instruments);
      waiting = [];
      return instruments;
    }));

  const record = (apply: (loaded: Instruments) => void): void => {
    if (instruments) apply(instruments);
    else if (waiting.length < MAX_WAITING) waiting.push(apply);
    // What fails here fails again, and is reported, when the metrics are asked for.
    else load().catch(() => {});
  };

  return {
    request({ route, status, seconds }) {
      record((loaded) => {
        loaded.requests.inc({ route, status: String(status) });
        loaded.duration.observe({ route }, seconds);
      });
    },
    call: (tool, ok) => record((loaded) => loaded.calls.inc({ tool, outcome: ok ? 'ok' : 'error' })),
    refusal: (reason) => record((loaded) => loaded.refusals.inc({ reason })),
    running: (change) => record((loaded) => loaded.running.inc(change)),
    async snapshot() {
      return (await load()).registry.getMetricsAsJSON();
    },
    async text(snapshots) {
      return (await load()).text(snapshots);
    },
  };
}
