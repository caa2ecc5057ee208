// Before a newer vai changes the tables of a database: it makes sure that no other process has the file open, because an
// older one would fail at its next write, and keeps a copy of the file as it was.

import { copyFileSync, existsSync, readdirSync, rmSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import type { DatabaseSync } from 'node:sqlite';
import { VaiError } from '../../domain/errors.ts';
import { isBusy } from './errors.ts';
import { SCHEMA_VERSION, versionOf } from './schema.ts';

const PAUSE_MS = 50;

const pause = new Int32Array(new SharedArrayBuffer(4));

/**
 * Leaves a copy beside the file, `vai.db.v5` for a database of version 5, and nobody else with the file open. Waits a
 * while: another process of this version may be doing the same.
 */
export function setAside(raw: DatabaseSync, file: string, waitMs: number): void {
  const deadline = performance.now() + waitMs;
  for (;;) {
    const version = versionOf(raw);
    if (version === SCHEMA_VERSION) return;
    if (isAlone(raw)) return keep(file, version);
    if (performance.now() > deadline) {
      throw new VaiError('STORE_BUSY', 'The database must be upgraded first, but another vai is using it.', {
        hint: 'Stop servers and commands of the older version (`vai mcp-server stop`), then try again.',
      });
    }
    Atomics.wait(pause, 0, 0, PAUSE_MS);
  }
}

/** Leaving the log is allowed to the only connection; what the log held is then in the file. */
function isAlone(raw: DatabaseSync): boolean {
  try {
    raw.exec('PRAGMA journal_mode = DELETE');
    return true;
  } catch (error) {
    if (isBusy(error)) return false;
    throw error;
  }
}

function keep(file: string, version: number): void {
  const copy = `${file}.v${version}`;
  if (existsSync(copy)) return;
  try {
    copyFileSync(file, copy);
  } catch (error) {
    rmSync(copy, { force: true });
    throw new VaiError('STORE_FULL', 'There is no room for a copy of the database before it is changed.', {
      hint: 'Make room for it on the disk, then try again.',
      cause: error,
    });
  }
}

/** Copies hold what was removed since. */
export function dropCopies(file: string): void {
  const name = basename(file);
  for (const other of readdirSync(dirname(file)))
    if (other.startsWith(`${name}.v`) && /^\d+$/.test(other.slice(name.length + 2)))
      rmSync(join(dirname(file), other));
}
