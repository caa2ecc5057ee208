// How the server is doing: what it depends on, what it counted itself over the last hour, and the state of what it holds.

import type { App, View } from '../app.ts';
import { h, hint, link, replace, viewFrame, type Child } from '../core/dom.ts';
import { ago, bytes, count, duration, milliseconds, plural } from '../core/format.ts';
import { formatHash } from '../core/hash.ts';
import { health, type HealthReport } from '../core/server.ts';
import { overview, type CollectionInfo } from '../parts/collections.ts';
import { fact, row, table } from '../parts/figures.ts';
import { busy, errorBox, showError } from '../parts/notice.ts';
import type { MetricSample, Plots } from '../parts/plots.ts';

const EVERY_MS = 5_000;

interface MetricReport {
  every: number;
  samples: MetricSample[];
  tools: { tool: string; calls: number; errors: number }[];
  refusals: { reason: string; count: number }[];
  routes: { route: string; count: number; failed: number; p50?: number; p95?: number }[];
}

export function healthView(app: App): View {
  const tiles = h('div', { class: 'stat-tiles' });
  const about = hint();
  const holds = h('div', {}, busy());
  const places = { requests: plotPlace(), latency: plotPlace(), memory: plotPlace() };
  const span = hint();
  const tables = h('div', { class: 'two' });
  const own = app.may('metrics')
    ? [
        h(
          'div',
          { class: 'three' },
          panel('Requests', 'Per minute. Refused and failed requests in red.', places.requests),
          panel('Latency', 'Median in green, 95th percentile in grey.', places.latency),
          panel('Memory', 'In use by all processes of the server.', places.memory),
        ),
        span,
        tables,
      ]
    : [hint('Requests, latencies, errors and memory of the server are shown to keys with the admin scope.')];
  const element = viewFrame('health', { title: 'Health' }, tiles, about, ...own, holds);
  let plots: Plots | undefined;
  /** Whichever of the two comes last draws: the figures or what draws them. */
  let latest: { samples: MetricSample[]; every: number } | undefined;
  const drawPlots = (): void => {
    if (latest) plots?.update(latest.samples, latest.every);
  };
  let timer = 0;

  async function poll(): Promise<void> {
    try {
      drawTiles(await health());
      if (app.may('metrics')) drawMetrics(await app.server.admin<MetricReport>('metrics'));
    } catch (error) {
      showError(tiles, error);
    }
  }

  function drawTiles(report: HealthReport): void {
    const { sources } = report;
    const tile = (name: string, value: string, state = ''): HTMLElement =>
      h('div', { class: `stat ${state}` }, h('span', { class: 'stat-name' }, name), h('strong', {}, value));
    replace(
      tiles,
      tile('Status', report.status, report.status === 'ok' ? 'good' : 'bad'),
      tile('Uptime', duration(report.uptime)),
      tile('Version', report.version),
      ...[
        ['Voyage AI', report.voyageAi] as const,
        ['MongoDB', report.mongodb] as const,
        // What is not configured is no news.
      ].flatMap(([name, state]) => (state === 'not configured' ? [] : [tile(name, state, stateOf(state))])),
      ...(sources
        ? [
            tile('Oldest source check', ago(sources.oldestCheck, Date.now())),
            tile('Failed pages', count(sources.failedPages), sources.failedPages > 0 ? 'bad' : ''),
            tile('Pending pages', count(sources.pendingPages)),
            tile(
              'Oldest unindexed change',
              sources.unindexedSince ? ago(sources.unindexedSince, Date.now()) : 'none',
            ),
          ]
        : []),
    );
    about.textContent = report.about ?? '';
    about.hidden = !report.about;
  }

  function drawMetrics({ every, samples, tools, refusals, routes }: MetricReport): void {
    latest = { samples, every };
    drawPlots();
    const minutes = (samples.length * every) / 60;
    span.textContent = samples.length
      ? `The last ${minutes < 1.5 ? `${samples.length * every} seconds` : plural(Math.round(minutes), 'minute')}, sampled by the server every ${every} seconds.`
      : `The server takes a sample every ${every} seconds. The first will appear in a moment.`;
    replace(
      tables,
      panel(
        'Tools',
        'Calls since the server started.',
        countTable(
          ['Tool', 'Calls', 'Errors'],
          tools.map((one) => [one.tool, count(one.calls), count(one.errors)]),
        ),
      ),
      panel(
        'Routes',
        'Requests since the server started, including this page.',
        countTable(
          ['Route', 'Requests', 'Failed', 'Median', '95th percentile'],
          routes.map((one) => [one.route, count(one.count), count(one.failed), ms(one.p50), ms(one.p95)]),
        ),
        refusals.length
          ? hint(`Refused: ${refusals.map((one) => `${one.reason} ${count(one.count)}`).join(', ')}`)
          : null,
      ),
    );
  }

  async function loadHolds(): Promise<void> {
    const { collections, warnings } = await overview(app);
    replace(holds, storePanel(collections, warnings));
  }

  return {
    element,
    title: 'Health',
    show() {
      void poll();
      timer = window.setInterval(() => void poll(), EVERY_MS);
      loadHolds().catch((error: unknown) => replace(holds, errorBox(error)));
      if (!app.may('metrics')) return;
      void import('../parts/plots.ts').then(({ createPlots }) => {
        plots ??= createPlots(places);
        drawPlots();
      });
    },
    hide: () => clearInterval(timer),
  };
}

const ms = (value: number | undefined): string => (value === undefined ? '–' : milliseconds(value));

function panel(title: string, about: string, ...children: Child[]): HTMLElement {
  return h('section', { class: 'panel' }, h('h2', {}, title), hint(about), ...children);
}

function plotPlace(): HTMLElement {
  return h('div', {
    class: 'plot',
    attrs: { role: 'img', 'aria-label': 'Plot over time; the tables below have figures.' },
  });
}

function countTable(
  heads: readonly [string, ...string[]],
  rows: readonly [string, ...string[]][],
): HTMLElement {
  return table(
    { label: heads[0], heads },
    rows.map(([name, ...cells]) => row(name, cells)),
  );
}

/** What is stored, how old the oldest of it is, and what is wrong with it. */
function storePanel(all: readonly CollectionInfo[], notes: readonly string[]): HTMLElement {
  const sum = (of: (one: CollectionInfo) => number): number => all.reduce((total, one) => total + of(one), 0);
  const oldest = all.filter((one) => one.refreshable).sort((a, b) => (a.checkedAt < b.checkedAt ? -1 : 1))[0];
  const waiting = all.filter((one) => one.indexStatus !== undefined && one.indexStatus !== 'ready');
  const bad = all.filter((one) => one.problems.length > 0);
  return h(
    'section',
    { class: 'panel' },
    h('h2', {}, 'Store and index'),
    h(
      'dl',
      { class: 'facts wide' },
      fact('Collections', count(all.length)),
      fact('Documents', count(sum((one) => one.documents))),
      fact('Passages', count(sum((one) => one.chunks))),
      fact('Vectors', count(sum((one) => one.vectors))),
      fact('Text', bytes(sum((one) => one.bytes))),
      fact('Vector indexes', waiting.length ? `${count(waiting.length)} not ready` : 'all ready'),
      fact('Stale', all.some((one) => one.stale) ? count(all.filter((one) => one.stale).length) : 'none'),
      ...(oldest ? [fact('Longest unchecked', `${oldest.name}, ${ago(oldest.checkedAt, Date.now())}`)] : []),
    ),
    bad.length
      ? h(
          'ul',
          { class: 'warnings' },
          ...bad
            .slice(0, 20)
            .map((one) =>
              h(
                'li',
                {},
                link(one.name, formatHash('collections')),
                `: ${one.problems[0]!}${one.problems.length > 1 ? ` and ${one.problems.length - 1} more` : ''}`,
              ),
            ),
        )
      : hint('No collection has a failed page, a failed refresh or an unfinished ingest.'),
    ...notes.map((text) => hint(text)),
  );
}

function stateOf(probe: string): string {
  return probe === 'connected' ? 'good' : 'bad';
}
