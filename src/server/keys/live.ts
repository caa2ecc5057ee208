// The keys in force right now. The file is looked at again at most four times a second and only when somebody calls, so
// a new or revoked key works at once without a watcher, a timer or a restart.

import { readFileSync, statSync } from 'node:fs';
import type { Log } from '../../engine/deps.ts';
import { fromText, readEntries, type KeyEntry } from './entry.ts';

export const KEYS_FIELD = 'mcp-server-keys';
const LOOK_AGAIN_MS = 250;
const MAX_FILE_BYTES = 1_000_000;

export interface LiveKeys {
  current(): readonly KeyEntry[];
}

export interface LiveKeysOptions {
  file: string;
  environmentKeys: readonly string[];
  log: Log;
  now: () => number;
}

export function liveKeys({ file, environmentKeys, log, now }: LiveKeysOptions): LiveKeys {
  const fixed = environmentKeys
    .map((key) => fromText(key, 'from the environment'))
    .filter((key) => key !== undefined);
  let keys: readonly KeyEntry[] = fixed;
  let lookedAt = -Infinity;
  let seen = '';

  const look = (): void => {
    const print = fingerprint(file);
    if (print === seen) return;
    seen = print;
    const stored = print === 'absent' ? [] : readKeys(file);
    if (stored === undefined) {
      // Half-edited by hand. Neither open nor shut for everyone: what held before holds until it can be read.
      log.warn('the config file cannot be read; the keys known before stay in force');
      return;
    }
    keys = [...fixed, ...stored];
    log.debug('keys read', { count: keys.length });
  };

  return {
    current() {
      const at = now();
      if (at - lookedAt >= LOOK_AGAIN_MS) {
        lookedAt = at;
        look();
      }
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
  try {
    const text = readFileSync(file, 'utf8');
    if (text.length > MAX_FILE_BYTES) return undefined;
    const config = JSON.parse(text) as unknown;
    if (typeof config !== 'object' || config === null) return undefined;
    return readEntries((config as Record<string, unknown>)[KEYS_FIELD]);
  } catch {
    return undefined;
  }
}
