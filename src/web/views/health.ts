// How the server is doing: what /health says, what the server counted, and what this page measured of its own requests.

import type { App, View } from '../app.ts';
import { h, replace } from '../core/dom.ts';
import { count, duration, milliseconds } from '../core/format.ts';
import { summarise } from '../core/measure.ts';
import { health, type HealthReport } from '../core/server.ts';
import { showError } from '../parts/notice.ts';
import type { Plots } from '../parts/plots.ts';

const EVERY_MS = 5_000;

export function healthView(app: App): View {
  const tiles = h('div', { class: 'stat-tiles' });
  const about = h('p', { class: 'hint' });
  const latency = h('div', {
    class: 'plot',
    attrs: {
      role: 'img',
      'aria-label': 'Latency of each request over time; the table below has the figures.',
    },
  });
  const rate = h('div', {
    class: 'plot',
    attrs: { role: 'img', 'aria-label': 'Requests over time; the table below has the figures.' },
  });
  const rateHint = h('p', { class: 'hint' }, 'Sent by this page.');
  const table = h('div', {
    class: 'scroll',
    attrs: { tabindex: '0', role: 'region', 'aria-label': 'Requests by kind' },
  });
  const totals = h('div', {});
  const element = h(
    'section',
    { class: 'view health', attrs: { 'aria-labelledby': 'health-title' } },
    h('header', { class: 'view-head' }, h('h1', { id: 'health-title' }, 'Health')),
    tiles,
    about,
    h(
      'div',
      { class: 'two' },
      h(
        'section',
        { class: 'panel' },
        h('h2', {}, 'Latency'),
        h('p', { class: 'hint' }, 'Each request of this page, in milliseconds.'),
        latency,
      ),
      h('section', { class: 'panel' }, h('h2', {}, 'Requests'), rateHint, rate),
    ),
    h('section', { class: 'panel' }, h('h2', {}, 'By request type'), table),
    totals,
  );
  let plots: Plots | undefined;
  let timer = 0;
  let unwatch = (): void => undefined;

  async function poll(): Promise<void> {
    try {
      drawTiles(await health(app.measures));
    } catch (error) {
      showError(tiles, error);
    }
  }

  function drawTiles(report: HealthReport): void {
    const tile = (name: string, value: string, state = ''): HTMLElement =>
      h('div', { class: `stat ${state}` }, h('span', { class: 'stat-name' }, name), h('strong', {}, value));
    replace(
      tiles,
      tile('Status', report.status, report.status === 'ok' ? 'good' : 'bad'),
      tile('Uptime', duration(report.uptime)),
      tile('Version', report.version),
      tile('Voyage AI', report.voyageAi, stateOf(report.voyageAi)),
      tile('MongoDB', report.mongodb, stateOf(report.mongodb)),
    );
    about.textContent = report.about ?? '';
  }

  function draw(): void {
    const samples = app.measures.all();
    const seconds = plots?.update(samples, Date.now());
    if (seconds)
      rateHint.textContent = `Sent by this page, per ${seconds === 1 ? 'second' : `${seconds} seconds`}.`;
    const cell = (text: string): HTMLElement => h('td', {}, text);
    replace(
      table,
      h(
        'table',
        {},
        h(
          'thead',
          {},
          h(
            'tr',
            {},
            ...['Request', 'Count', 'Failed', 'Median', '95th percentile'].map((name) =>
              h('th', { attrs: { scope: 'col' } }, name),
            ),
          ),
        ),
        h(
          'tbody',
          {},
          ...summarise(samples).map((row) =>
            h(
              'tr',
              {},
              h('th', { attrs: { scope: 'row' } }, row.what),
              cell(count(row.count)),
              cell(count(row.failed)),
              cell(milliseconds(row.p50)),
              cell(milliseconds(row.p95)),
            ),
          ),
        ),
      ),
    );
  }

  async function serverTotals(): Promise<void> {
    if (!app.tools.has('run-command')) return;
    const { stdout } = await app.server.call<{ stdout: string }>('run-command', { command: 'stats' });
    const facts = stdout.split('\n').flatMap((line) => {
      const match = /^((?:Total|Index|Cache|Average)[a-z ]+): (.+)$/.exec(line);
      return match ? [h('div', {}, h('dt', {}, match[1]), h('dd', {}, match[2]))] : [];
    });
    replace(
      totals,
      h(
        'section',
        { class: 'panel' },
        h('h2', {}, 'Server totals'),
        h('dl', { class: 'facts wide' }, ...facts),
      ),
    );
  }

  return {
    element,
    title: 'Health',
    show() {
      void poll();
      timer = window.setInterval(() => void poll(), EVERY_MS);
      unwatch = app.measures.watch(draw);
      draw();
      serverTotals().catch(() => undefined);
      void import('../parts/plots.ts').then(({ createPlots }) => {
        plots ??= createPlots(latency, rate);
        draw();
      });
    },
    hide() {
      clearInterval(timer);
      unwatch();
    },
  };
}

function stateOf(probe: string): string {
  if (probe === 'connected') return 'good';
  return probe === 'not configured' ? 'off' : 'bad';
}
