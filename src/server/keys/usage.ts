// When each key was last used, so that unused ones can be revoked. Written at most once a minute and at the end, so
// that a call pays nothing for it; a crash loses a minute.

import { join } from 'node:path';
import { updateConfig } from '../../config/index.ts';
import { readJsonObject } from '../../config/json-file.ts';
import type { Log } from '../log.ts';

const USAGE_FILE = 'key-usage.json';
const WRITE_MS = 60_000;

export interface KeyUsage {
  note(id: string): void;
  close(): Promise<void>;
}

export const usageFile = (home: string): string => join(home, USAGE_FILE);

export function keyUsage(file: string, log: Log, now: () => Date): KeyUsage {
  let used = new Map<string, string>();
  const write = async (): Promise<void> => {
    if (used.size === 0) return;
    const latest = used;
    used = new Map();
    await updateConfig(file, (known) => ({ ...known, ...Object.fromEntries(latest) })).catch(() =>
      log.warn('the last use of keys cannot be recorded'),
    );
  };
  const timer = setInterval(() => void write(), WRITE_MS).unref();
  return {
    note: (id) => void used.set(id, now().toISOString()),
    close() {
      clearInterval(timer);
      return write();
    },
  };
}

/** By the id of the key; empty where nothing is known. */
export function readUsage(file: string): Record<string, string> {
  try {
    const known = readJsonObject(file, USAGE_FILE) ?? {};
    return Object.fromEntries(Object.entries(known).filter(([, at]) => typeof at === 'string')) as Record<
      string,
      string
    >;
  } catch {
    return {};
  }
}
