// Keys for a person at a terminal.

import type { KeyEntry } from '../../server/keys/entry.ts';
import type { KeyUse } from '../../server/keys/manage.ts';

export function describeKey(key: KeyEntry, { lastUsed, spentToday }: KeyUse, now: number): string {
  const parts = [
    key.id,
    key.scopes.join(','),
    key.collections === '*' ? 'all collections' : key.collections.join(','),
    ...(key.rate === undefined ? [] : [`${key.rate}/min`]),
    ...(key.spending === undefined ? [] : [`$${key.spending}/day`]),
    ...(key.channels === undefined ? [] : [`answers as ${key.channels}`]),
    ...(key.expires === undefined ? [] : [expiry(key.expires, now)]),
    lastUsed === undefined ? 'never used' : `last used ${lastUsed.slice(0, 10)}`,
    ...(spentToday === undefined ? [] : [`$${spentToday.toFixed(2)} spent today`]),
    ...(key.owner ? [`of ${key.owner}`] : []),
    ...(key.name ? [key.name] : []),
  ];
  return parts.join('  ');
}

function expiry(at: number, now: number): string {
  const day = new Date(at).toISOString().slice(0, 10);
  return at <= now ? `expired ${day}` : `until ${day}`;
}
