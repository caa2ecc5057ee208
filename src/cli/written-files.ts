// What vai wrote outside of its own home, so that `vai uninstall` finds it again: files of projects. The files of clients
// are where every client looks and need no record.

import { hash } from 'node:crypto';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { readConfig, updateConfig } from '../config/store.ts';

const RECORD = 'written.json';

export interface Written {
  file: string;
  /** `client:<id>`, `agents` (a marked block) or `project` (`.vai.json`). */
  what: string;
  /** Digest of the file as vai wrote it; a different one means it has been edited since. */
  digest: string;
}

export async function recordWritten(home: string, file: string, what: string): Promise<void> {
  await updateConfig(join(home, RECORD), (known) => ({ ...known, [file]: { what, digest: digestOf(file) } }));
}

export async function forgetWritten(home: string, files: readonly string[]): Promise<void> {
  if (!existsSync(join(home, RECORD))) return;
  await updateConfig(join(home, RECORD), (known) =>
    Object.fromEntries(Object.entries(known).filter(([file]) => !files.includes(file))),
  );
}

export function listWritten(home: string): Written[] {
  return Object.entries(readConfig(join(home, RECORD))).flatMap(([file, value]) => {
    const { what, digest } = value as Partial<Written>;
    return typeof what === 'string' && typeof digest === 'string' ? [{ file, what, digest }] : [];
  });
}

export function digestOf(file: string): string {
  return hash('sha256', readFileSync(file), 'hex');
}
