// How much a key may ask for and store, and how much of it is used. Only what the server says.

import { h, hint } from '../core/dom.ts';
import { bytes, count } from '../core/format.ts';
import type { Overview } from './collections.ts';
import { bar, fact, row, table } from './figures.ts';

export interface Limits {
  /** For a key without limits of its own; `spending` where hosted models are counted, in dollars a day. */
  server: { rate: number; running: number; runningPerKey: number; spending?: number };
}

/** The fullest collections; the others are further from their limit. */
const SHOWN = 5;

export const dollars = (value: number): string =>
  value.toLocaleString('en', { style: 'currency', currency: 'USD', maximumFractionDigits: 2 });

export function quotaPanel({ server }: Limits, { collections, limits }: Overview): HTMLElement {
  return h(
    'section',
    { class: 'panel', attrs: { 'aria-labelledby': 'quotas-title' } },
    h('h2', { id: 'quotas-title' }, 'Quotas'),
    hint('They apply to every key that has no limits of its own.'),
    h(
      'dl',
      { class: 'facts wide' },
      fact('Requests per minute', server.rate === 0 ? 'unlimited' : count(server.rate)),
      fact('Running at once, per key', count(server.runningPerKey)),
      fact('Running at once, in total', count(server.running)),
      server.spending === undefined ? null : fact('Hosted models, per day', dollars(server.spending)),
      limits ? fact('Collections', `${count(collections.length)} of ${count(limits.collections)}`) : null,
    ),
    ...(limits && collections.length > 0 ? [storageTable(collections, limits)] : []),
  );
}

function storageTable(
  collections: Overview['collections'],
  limits: NonNullable<Overview['limits']>,
): HTMLElement {
  const fullness = (one: { chunks: number; bytes: number }): number =>
    Math.max(one.chunks / limits.chunks, one.bytes / limits.bytes);
  const fullest = [...collections].sort((a, b) => fullness(b) - fullness(a)).slice(0, SHOWN);
  const used = (text: string, part: number): HTMLElement =>
    h('td', {}, text, bar(Math.min(100, Math.max(part > 0 ? 0.5 : 0, part * 100))));
  const caption = h(
    'caption',
    { class: 'hint' },
    collections.length > SHOWN
      ? `Storage: the ${SHOWN} fullest of ${count(collections.length)} collections`
      : 'Storage per collection',
  );
  const rows = fullest.map((one) =>
    row(one.name, [
      used(`${count(one.chunks)} of ${count(limits.chunks)}`, one.chunks / limits.chunks),
      used(`${bytes(one.bytes)} of ${bytes(limits.bytes)}`, one.bytes / limits.bytes),
    ]),
  );
  const heads = ['Collection', 'Passages', 'Text'];
  return table({ label: 'Storage', heads, className: 'quotas', caption }, rows);
}
