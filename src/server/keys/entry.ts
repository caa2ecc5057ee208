// A key as the config file keeps it, and as the server uses it. Only the digest of a key is ever stored; the key itself
// is shown once, when it is made.

import { hash } from 'node:crypto';
import { isScope, type AccessScope } from '../../domain/scopes.ts';
import { isChannels, type Channels } from '../protocol/channels.ts';

const KEY_PREFIX = 'vai-mcp-key-';
const KEY_BYTES = 24;
const ID_DIGITS = 8;
/** A short, made-up key will be guessed sooner or later. */
export const MIN_KEY_LENGTH = 24;

export const MAX_SPENDING = 1_000_000;

/** An authenticated caller, by key or token, and what it may do. */
export interface Caller {
  /** Safe to log and to show: of a key the first digits of its digest. */
  id: string;
  name: string;
  scopes: readonly AccessScope[];
  collections: '*' | readonly string[];
  /** Requests a minute; undefined: the server's own limit. */
  rate?: number;
  /** Dollars a day for hosted models; undefined: the server's own limit. */
  spending?: number;
  /** Which copies of an answer its client gets; undefined: the server's own choice. */
  channels?: Channels;
  /** Milliseconds since 1970. */
  expires?: number;
  /** He came with a token; there is no key of that id. */
  byToken?: true;
}

export interface KeyEntry extends Caller {
  /** Who is responsible for it. */
  owner?: string;
  digest: Buffer;
  created?: string;
}

/** As written to `mcp-server-keys`. */
export interface StoredKey {
  id: string;
  name: string;
  owner?: string;
  sha256: string;
  scopes: AccessScope[];
  collections: '*' | string[];
  rate?: number;
  spending?: number;
  channels?: Channels;
  expires?: string;
  created: string;
}

export function newKey(random: (bytes: number) => Buffer): string {
  return KEY_PREFIX + random(KEY_BYTES).toString('hex');
}

export function digestOf(key: string): Buffer {
  return hash('sha256', key, 'buffer');
}

export function idOf(digest: Buffer): string {
  return digest.toString('hex').slice(0, ID_DIGITS);
}

/** Anything unreadable in the list is left out, never treated as open. */
export function readEntries(list: unknown): KeyEntry[] {
  if (!Array.isArray(list)) return [];
  return list.map(readEntry).filter((entry) => entry !== undefined);
}

export function readEntry(stored: unknown): KeyEntry | undefined {
  if (typeof stored === 'string') return fromText(stored);
  if (typeof stored !== 'object' || stored === null) return undefined;
  const { sha256, name, owner, scopes, collections, rate, spending, channels, expires, created } =
    stored as Partial<Record<string, unknown>>;
  const digest = typeof sha256 === 'string' ? digestFromHex(sha256) : undefined;
  if (!digest) return undefined;
  // A malformed limit must not be dropped: a typing error would give the key more rights.
  const readScopes = scopes === undefined ? (['read'] as const) : readList(scopes)?.filter(isScope);
  const readCollections = collections === undefined || collections === '*' ? '*' : readList(collections);
  const readExpiry =
    expires === undefined || expires === null
      ? undefined
      : typeof expires === 'string'
        ? Date.parse(expires)
        : Number.NaN;
  if (!readScopes || !readCollections || Number.isNaN(readExpiry)) return undefined;
  if (rate !== undefined && !isRate(rate)) return undefined;
  if (spending !== undefined && !isSpending(spending)) return undefined;
  return {
    id: idOf(digest),
    name: shown(name),
    ...(shown(owner) ? { owner: shown(owner) } : {}),
    digest,
    scopes: readScopes,
    collections: readCollections,
    ...(rate === undefined ? {} : { rate }),
    ...(spending === undefined ? {} : { spending }),
    ...(isChannels(channels) ? { channels } : {}),
    ...(readExpiry === undefined ? {} : { expires: readExpiry }),
    ...(typeof created === 'string' ? { created } : {}),
  };
}

/** Requests a minute. */
function isRate(value: unknown): value is number {
  return typeof value === 'number' && value > 0;
}

/** Dollars a day. */
function isSpending(value: unknown): value is number {
  return typeof value === 'number' && value >= 0 && value <= MAX_SPENDING;
}

/** What a file says of a key is printed and logged: one line, no control characters. */
function shown(text: unknown): string {
  return typeof text === 'string' ? text.replaceAll(/[\p{Cc}\p{Cf}\u2028\u2029]/gu, ' ').slice(0, 100) : '';
}

/** Plain keys and `sha256:…` from older files and from the environment: read and write on everything. */
export function fromText(text: string, name = ''): KeyEntry | undefined {
  const digest = text.startsWith('sha256:')
    ? digestFromHex(text.slice(7))
    : text.length >= MIN_KEY_LENGTH
      ? digestOf(text)
      : undefined;
  return digest && { id: idOf(digest), name, digest, scopes: ['read', 'write'], collections: '*' };
}

function digestFromHex(hex: string): Buffer | undefined {
  const bare = hex.replace(/^sha256:/, '');
  return /^[0-9a-f]{64}$/i.test(bare) ? Buffer.from(bare, 'hex') : undefined;
}

function readList(value: unknown): string[] | undefined {
  if (!Array.isArray(value) || !value.every((item) => typeof item === 'string')) return undefined;
  // `*` next to other names is a mistake, and we must not guess which was meant.
  return value.includes('*') ? undefined : value;
}
