// Keys of the HTTP server as a person handles them: make, list, take away. Written under the lock of the config file, so
// that two terminals never lose each other's keys; a running server notices within a second.

import { randomBytes } from 'node:crypto';
import { updateConfig, SERVER_KEYS_FIELD } from '../../config/index.ts';
import { VaiError } from '../../domain/errors.ts';
import type { AccessScope } from '../../engine/call.ts';
import {
  CHANNELS,
  digestOf,
  idOf,
  isChannels,
  newKey,
  readEntry,
  readKeys,
  type Channels,
  type KeyEntry,
  type StoredKey,
} from '../../server/keys.ts';
import { usage } from '../frame.ts';

export interface NewKeyOptions {
  name?: string;
  scopes?: string[];
  collections?: string[];
  rate?: number;
  channels?: string;
  expires?: string;
}

const SCOPES: readonly AccessScope[] = ['read', 'write', 'admin'];
const UNITS = { h: 3_600_000, d: 86_400_000, w: 604_800_000 } as const;

export async function generateKey(
  configPath: string,
  options: NewKeyOptions,
  now: Date,
): Promise<{ key: string; stored: StoredKey }> {
  const key = newKey(randomBytes);
  const digest = digestOf(key);
  const stored: StoredKey = {
    id: idOf(digest),
    name: (options.name ?? '').slice(0, 100),
    sha256: digest.toString('hex'),
    scopes: readScopes(options.scopes),
    collections:
      options.collections?.length && !options.collections.includes('*') ? options.collections : '*',
    ...(options.rate === undefined ? {} : { rate: options.rate }),
    ...(options.channels === undefined ? {} : { channels: readChannels(options.channels) }),
    ...(options.expires === undefined ? {} : { expires: readExpiry(options.expires, now) }),
    created: now.toISOString(),
  };
  await updateConfig(configPath, (config) => ({
    ...config,
    [SERVER_KEYS_FIELD]: [...listIn(config), stored],
  }));
  return { key, stored };
}

/** The first key of a server that has none; undefined when there is one already. */
export async function ensureFirstKey(configPath: string, now: Date): Promise<string | undefined> {
  if ((readKeys(configPath) ?? []).length > 0) return undefined;
  return (await generateKey(configPath, { name: 'first key', scopes: [...SCOPES] }, now)).key;
}

export function listKeys(configPath: string): KeyEntry[] {
  return readKeys(configPath) ?? [];
}

export async function revokeKey(configPath: string, id: string): Promise<KeyEntry> {
  let revoked: KeyEntry | undefined;
  await updateConfig(configPath, (config) => {
    const kept = listIn(config).filter((stored) => {
      const entry = readEntry(stored);
      if (entry?.id !== id.toLowerCase()) return true;
      revoked = entry;
      return false;
    });
    return { ...config, [SERVER_KEYS_FIELD]: kept };
  });
  if (revoked) return revoked;
  throw new VaiError('UNKNOWN_KEY', `There is no key \`${id.slice(0, 40)}\`.`, {
    hint: 'See the ids with `vai mcp-server list-keys`.',
  });
}

function listIn(config: Record<string, unknown>): unknown[] {
  const list = config[SERVER_KEYS_FIELD];
  return Array.isArray(list) ? (list as unknown[]) : [];
}

function readScopes(names: string[] | undefined): AccessScope[] {
  if (!names?.length) return ['read', 'write'];
  for (const name of names) {
    if (!(SCOPES as readonly string[]).includes(name)) {
      throw usage(`\`${name.slice(0, 40)}\` is not a scope.`, `Choose from ${SCOPES.join(', ')}.`);
    }
  }
  return SCOPES.filter((scope) => names.includes(scope));
}

function readChannels(name: string): Channels {
  if (isChannels(name)) return name;
  throw usage(`--channels takes no \`${name.slice(0, 40)}\`.`, `Choose from ${CHANNELS.join(', ')}.`);
}

/** `30d`, `12h`, `2w`, or a date. */
function readExpiry(text: string, now: Date): string {
  const span = /^(\d{1,4})([hdw])$/.exec(text);
  const at = span ? now.getTime() + Number(span[1]) * UNITS[span[2] as keyof typeof UNITS] : Date.parse(text);
  if (!Number.isFinite(at) || at <= now.getTime()) {
    throw usage('--expires takes a time to come.', 'Write 30d, 12h, 2w or a date such as 2027-01-31.');
  }
  return new Date(at).toISOString();
}
