// Keys of the HTTP server as a person handles them, on the command line or on the page: make, list, limit, replace,
// revoke. Written under the lock of the config file, so that two of them never lose each other's keys; a running server
// notices with its next request. Every change is in the audit log before it is made.

import { randomBytes } from 'node:crypto';
import { updateConfig, SERVER_KEYS_FIELD } from '../../config/index.ts';
import { VaiError } from '../../domain/errors.ts';
import { isScope, SCOPES, type AccessScope } from '../../domain/scopes.ts';
import { CHANNELS, isChannels, type Channels } from '../protocol/channels.ts';
import { digestOf, idOf, newKey, readEntry, type KeyEntry, type StoredKey } from './entry.ts';
import { readKeys } from './live.ts';

export interface KeyLimits {
  scopes?: string[];
  collections?: string[];
  /** Requests a minute. */
  rate?: number;
  /** Dollars a day for hosted models. */
  spending?: number;
  expires?: string;
}

export interface NewKeyOptions extends KeyLimits {
  name?: string;
  owner?: string;
  channels?: string;
}

/** Where keys are stored, and the audit log that records a change before it is made. */
export interface KeyPlace {
  configPath: string;
  audit: (change: Record<string, unknown>) => void;
}

const UNITS = { h: 3_600_000, d: 86_400_000, w: 604_800_000 } as const;

export async function generateKey(
  place: KeyPlace,
  options: NewKeyOptions,
  now: Date,
): Promise<{ key: string; stored: StoredKey }> {
  const settings: Omit<StoredKey, 'id' | 'sha256'> = {
    name: readName('name', options.name) ?? '',
    ...(options.owner === undefined ? {} : { owner: readName('owner', options.owner) }),
    scopes: readScopes(options.scopes),
    collections: readCollections(options.collections),
    ...(options.rate === undefined ? {} : { rate: options.rate }),
    ...(options.spending === undefined ? {} : { spending: options.spending }),
    ...(options.channels === undefined ? {} : { channels: readChannels(options.channels) }),
    ...(options.expires === undefined ? {} : { expires: readTime('expires', options.expires, now) }),
    created: now.toISOString(),
  };
  let made: { key: string; stored: StoredKey } | undefined;
  await changeKeys(place.configPath, (list) => {
    made = newStored(settings, list);
    place.audit({ action: 'made', ...described(made.stored) });
    return [...list, made.stored];
  });
  return made!;
}

export function listKeys(configPath: string): KeyEntry[] {
  return readKeys(configPath) ?? [];
}

/** What has been done with a key, as far as known. */
export interface KeyUse {
  lastUsed?: string;
  /** Dollars. */
  spentToday?: number;
}

type KeyRecord = Omit<StoredKey, 'sha256' | 'created'> & { created?: string } & KeyUse;

/** For a script or the page; never the digest, which would let a guess be checked offline. */
export function keyRecord(key: KeyEntry, { lastUsed, spentToday }: KeyUse = {}): KeyRecord {
  const { id, name, owner, scopes, collections, rate, spending, channels, expires, created } = key;
  return {
    ...{ id, name },
    ...(owner === undefined ? {} : { owner }),
    ...{ scopes: [...scopes], collections: collections === '*' ? '*' : [...collections] },
    ...(rate === undefined ? {} : { rate }),
    ...(spending === undefined ? {} : { spending }),
    ...(channels === undefined ? {} : { channels }),
    ...(expires === undefined ? {} : { expires: new Date(expires).toISOString() }),
    ...(created === undefined ? {} : { created }),
    ...(lastUsed === undefined ? {} : { lastUsed }),
    ...(spentToday === undefined ? {} : { spentToday }),
  };
}

export async function revokeKey({ configPath, audit }: KeyPlace, id: string): Promise<KeyEntry> {
  let revoked: KeyEntry | undefined;
  await changeKeys(configPath, (list) => {
    revoked = entryIn(list, id);
    audit({ action: 'revoked', id: revoked.id, name: revoked.name });
    return list.filter((stored) => readEntry(stored)?.id !== revoked!.id);
  });
  return revoked!;
}

/** A new key with the rights of an old one, which stays valid for a while so that its users can change over. */
export async function rotateKey(
  { configPath, audit }: KeyPlace,
  { id, grace }: { id: string; grace: string },
  now: Date,
): Promise<{ key: string; stored: StoredKey; until: string }> {
  const until = readTime('grace', grace, now);
  let made: { key: string; stored: StoredKey } | undefined;
  await changeKeys(configPath, (list) => {
    const old = entryIn(list, id);
    const { id: _id, ...rights } = keyRecord(old);
    made = newStored({ ...rights, created: now.toISOString() }, list);
    audit({ action: 'rotated', from: old.id, until, ...described(made.stored) });
    const ending = list.map((stored) =>
      readEntry(stored)?.id === old.id ? endingAt(stored, old, until) : stored,
    );
    return [...ending, made.stored];
  });
  return { ...made!, until };
}

/** Other limits for a key that stays the same for whoever has it. What is not named is left as it is. */
export async function limitKey(
  { configPath, audit }: KeyPlace,
  { id, ...limits }: KeyLimits & { id: string },
  now: Date,
): Promise<KeyEntry> {
  const wanted = {
    ...(limits.scopes ? { scopes: readScopes(limits.scopes) } : {}),
    ...(limits.collections ? { collections: readCollections(limits.collections) } : {}),
    ...(limits.expires ? { expires: readTime('expires', limits.expires, now) } : {}),
    ...(limits.rate ? { rate: limits.rate } : {}),
    ...(limits.spending === undefined ? {} : { spending: limits.spending }),
  };
  let limited: KeyEntry | undefined;
  await changeKeys(configPath, (list) => {
    const old = entryIn(list, id);
    audit({ action: 'limited', id: old.id, name: old.name, ...wanted });
    return list.map((stored) => {
      if (readEntry(stored)?.id !== old.id) return stored;
      const changed = { ...recordOf(stored, old), ...wanted };
      limited = readEntry(changed);
      return changed;
    });
  });
  return limited!;
}

/** An older entry may be the plain key: only its digest is kept from now on. */
function recordOf(stored: unknown, { digest, scopes }: KeyEntry): object {
  return typeof stored === 'object' && stored !== null ? stored : { sha256: digest.toString('hex'), scopes };
}

function endingAt(stored: unknown, key: KeyEntry, until: string): unknown {
  const end = Math.min(Date.parse(until), key.expires ?? Infinity);
  return { ...recordOf(stored, key), expires: new Date(end).toISOString() };
}

async function changeKeys(configPath: string, change: (list: unknown[]) => unknown[]): Promise<void> {
  await updateConfig(configPath, (config) => {
    const list = config[SERVER_KEYS_FIELD];
    return { ...config, [SERVER_KEYS_FIELD]: change(Array.isArray(list) ? (list as unknown[]) : []) };
  });
}

/** An id stands for its key everywhere, so no two have the same. */
function newStored(
  settings: Omit<StoredKey, 'id' | 'sha256'>,
  list: readonly unknown[],
): { key: string; stored: StoredKey } {
  const taken = new Set(list.map((stored) => readEntry(stored)?.id));
  for (;;) {
    const key = newKey(randomBytes);
    const digest = digestOf(key);
    const id = idOf(digest);
    if (!taken.has(id)) return { key, stored: { id, ...settings, sha256: digest.toString('hex') } };
  }
}

function entryIn(list: readonly unknown[], id: string): KeyEntry {
  for (const stored of list) {
    const entry = readEntry(stored);
    if (entry?.id === id.toLowerCase()) return entry;
  }
  throw new VaiError('UNKNOWN_KEY', `There is no key \`${id.slice(0, 40)}\`.`, {
    hint: '`vai mcp-server list-keys` shows the ids.',
  });
}

function described({ id, name, owner, scopes, collections, expires }: StoredKey): Record<string, unknown> {
  return { id, name, ...(owner ? { owner } : {}), scopes, collections, ...(expires ? { expires } : {}) };
}

function readName(what: string, text: string | undefined): string | undefined {
  if (text === undefined) return undefined;
  if (/[\p{Cc}\u2028\u2029]/u.test(text) || text.length > 100)
    throw wrong(`\`${what}\` is one line of at most 100 characters.`);
  return text;
}

function readScopes(names: string[] | undefined): AccessScope[] {
  if (!names?.length) return ['read', 'write'];
  for (const name of names) {
    if (!isScope(name))
      throw wrong(`\`${name.slice(0, 40)}\` is not a scope.`, `Choose from ${SCOPES.join(', ')}.`);
  }
  return SCOPES.filter((scope) => names.includes(scope));
}

function readCollections(names: string[] | undefined): '*' | string[] {
  if (!names?.length || (names.length === 1 && names[0] === '*')) return '*';
  if (names.includes('*'))
    throw wrong(
      '`*` stands for all collections and cannot be one of a list.',
      'Leave them out for all, or name the ones the key may use.',
    );
  return names;
}

function readChannels(name: string): Channels {
  if (isChannels(name)) return name;
  throw wrong(`\`channels\` cannot be \`${name.slice(0, 40)}\`.`, `Choose from ${CHANNELS.join(', ')}.`);
}

/** `30d`, `12h`, `2w`, or a date. */
function readTime(what: string, text: string, now: Date): string {
  const span = /^(\d{1,4})([hdw])$/.exec(text);
  const at = span ? now.getTime() + Number(span[1]) * UNITS[span[2] as keyof typeof UNITS] : Date.parse(text);
  if (!Number.isFinite(at) || (at <= now.getTime() && !span)) {
    throw wrong(
      `\`${what}\` must be a time in the future.`,
      'Write 30d, 12h, 2w or a date such as 2027-01-31.',
    );
  }
  return new Date(at).toISOString();
}

function wrong(message: string, hint?: string): VaiError {
  return new VaiError('INVALID_INPUT', message, { hint });
}
