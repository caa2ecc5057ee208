// Keys for a person and for a script; never the digest, which would let a guess be checked offline.

import type { KeyEntry } from '../../server/keys.ts';

export function keyRecord(key: KeyEntry, lastUsed: string | undefined): Record<string, unknown> {
  return {
    id: key.id,
    name: key.name,
    ...(key.owner === undefined ? {} : { owner: key.owner }),
    scopes: key.scopes,
    collections: key.collections,
    ...(key.rate === undefined ? {} : { rate: key.rate }),
    ...(key.channels === undefined ? {} : { channels: key.channels }),
    ...(key.expires === undefined ? {} : { expires: new Date(key.expires).toISOString() }),
    ...(key.created === undefined ? {} : { created: key.created }),
    ...(lastUsed === undefined ? {} : { lastUsed }),
  };
}

export function describeKey(key: KeyEntry, lastUsed: string | undefined, now: number): string {
  const parts = [
    key.id,
    key.scopes.join(','),
    key.collections === '*' ? 'all collections' : key.collections.join(','),
    ...(key.rate === undefined ? [] : [`${key.rate}/min`]),
    ...(key.channels === undefined ? [] : [`answers as ${key.channels}`]),
    ...(key.expires === undefined ? [] : [expiry(key.expires, now)]),
    lastUsed === undefined ? 'never used' : `last used ${lastUsed.slice(0, 10)}`,
    ...(key.owner ? [`of ${key.owner}`] : []),
    ...(key.name ? [key.name] : []),
  ];
  return parts.join('  ');
}

function expiry(at: number, now: number): string {
  const day = new Date(at).toISOString().slice(0, 10);
  return at <= now ? `expired ${day}` : `until ${day}`;
}
