// Keys for a person at a terminal.

import type { KeyEntry } from '../../server/keys/entry.ts';
import type { KeyUse } from '../../server/keys/manage.ts';
import { columns } from '../columns.ts';
import { printable, type Terminal } from '../terminal.ts';

const HEADING = ['key', 'scopes', 'collections', 'limits', 'last used', 'for'];

/** A table of them with a heading. */
export function describeKeys(
  keys: readonly { key: KeyEntry; use: KeyUse }[],
  terminal: Pick<Terminal, 'bold'>,
  now: number,
): string {
  const rows = keys.map(({ key, use }) => cellsOf(key, use, now).map(printable));
  const [heading, ...lines] = columns(HEADING, rows, HEADING.length).split('\n');
  return [terminal.bold(heading!), ...lines].join('\n');
}

function cellsOf(key: KeyEntry, { lastUsed, spentToday }: KeyUse, now: number): string[] {
  const limits = [
    ...(key.rate === undefined ? [] : [`${key.rate}/min`]),
    ...(key.spending === undefined ? [] : [`$${key.spending}/day`]),
    ...(key.channels === undefined ? [] : [`answers as ${key.channels}`]),
    ...(key.expires === undefined ? [] : [expiry(key.expires, now)]),
  ];
  const used = lastUsed === undefined ? 'never' : lastUsed.slice(0, 10);
  return [
    key.id,
    key.scopes.join(','),
    key.collections === '*' ? 'all' : key.collections.join(','),
    limits.join(', ') || 'none',
    spentToday === undefined ? used : `${used}, $${spentToday.toFixed(2)} today`,
    [key.name, key.owner && `(${key.owner})`].filter(Boolean).join(' '),
  ];
}

function expiry(at: number, now: number): string {
  const day = new Date(at).toISOString().slice(0, 10);
  return at <= now ? `expired ${day}` : `until ${day}`;
}
