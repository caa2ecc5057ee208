// The currently valid keys. Each request looks whether the file is another, which takes microseconds: so a new key works at
// once and a revoked one no longer, without a watcher, a timer or a restart.

import { readFileSync, statSync } from 'node:fs';
import { SERVER_KEYS_FIELD } from '../../config/index.ts';
import type { Log } from '../log.ts';
import { fromText, readEntries, type KeyEntry } from './entry.ts';

/** Keys by their digest: finding one takes as long among thousands as among a few. */
export interface KeyRing {
  size: number;
  find(digest: Buffer): KeyEntry | undefined;
  byId(id: string): KeyEntry | undefined;
}

export interface LiveKeys {
  current(): KeyRing;
}

export function keyRing(keys: readonly KeyEntry[]): KeyRing {
  const byDigest = new Map(keys.map((key) => [key.digest.toString('hex'), key]));
  return {
    size: byDigest.size,
    find: (digest) => byDigest.get(digest.toString('hex')),
    byId: (id) => keys.find((key) => key.id === id),
  };
}

export interface LiveKeysOptions {
  file: string;
  environmentKeys: readonly string[];
  log: Log;
}

export function liveKeys({ file, environmentKeys, log }: LiveKeysOptions): LiveKeys {
  const fixed = environmentKeys
    .map((key) => fromText(key, 'from the environment'))
    .filter((key) => key !== undefined);
  let keys = keyRing(fixed);
  let seen = '';

  const look = (): void => {
    const print = fingerprint(file);
    if (print === seen) return;
    seen = print;
    const stored = print === 'absent' ? { keys: [], unreadable: 0 } : readStored(file);
    if (stored === undefined) {
      // Someone is editing the file. Neither allow nor refuse everyone: the keys read before stay valid until the file
      // parses again.
      log.warn('the config file cannot be read; the keys known before stay in force');
      return;
    }
    keys = keyRing([...fixed, ...stored.keys]);
    log.debug('keys read', { count: keys.size });
    if (stored.unreadable > 0)
      log.warn('malformed and too short keys in the config file are ignored', {
        count: stored.unreadable,
      });
  };

  return {
    current() {
      look();
      return keys;
    },
  };
}

function fingerprint(file: string): string {
  const found = statSync(file, { bigint: true, throwIfNoEntry: false });
  return found ? `${found.ino}.${found.size}.${found.mtimeNs}` : 'absent';
}

/** Undefined when the file is not readable JSON. */
export function readKeys(file: string): KeyEntry[] | undefined {
  return readStored(file)?.keys;
}

function readStored(file: string): { keys: KeyEntry[]; unreadable: number } | undefined {
  try {
    const config = JSON.parse(readFileSync(file, 'utf8')) as unknown;
    if (typeof config !== 'object' || config === null) return undefined;
    const list = (config as Record<string, unknown>)[SERVER_KEYS_FIELD];
    const keys = readEntries(list);
    return { keys, unreadable: Array.isArray(list) ? list.length - keys.length : 0 };
  } catch {
    return undefined;
  }
}
