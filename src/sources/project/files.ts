// Files of a project as data. A file that cannot be read or parsed is ignored: knowing less is not an error.

import { existsSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { parse as parseToml } from 'smol-toml';
import { record, records, type JsonRecord } from '../../domain/object.ts';

const MAX_BYTES = 20_000_000;

/** Notes which files were looked at. */
export interface Folder {
  readonly path: string;
  text(name: string): string | undefined;
  json(name: string): JsonRecord | undefined;
  toml(name: string): JsonRecord | undefined;
}

export function openFolder(path: string, seen: (file: string) => void): Folder {
  const text = (name: string): string | undefined => {
    const file = join(path, name);
    try {
      if (!existsSync(file) || statSync(file).size > MAX_BYTES) return undefined;
      const content = readFileSync(file, 'utf8');
      seen(file);
      return content;
    } catch {
      return undefined;
    }
  };
  const parsed = (name: string, parse: (content: string) => unknown): JsonRecord | undefined => {
    const content = text(name);
    if (content === undefined) return undefined;
    try {
      return record(parse(content));
    } catch {
      return undefined;
    }
  };
  return {
    path,
    text,
    json: (name) => parsed(name, (content) => JSON.parse(content) as unknown),
    toml: (name) => parsed(name, parseToml),
  };
}

/** Versions by name, from the `[[package]]` tables of uv.lock, poetry.lock, pdm.lock and Cargo.lock. */
export function lockedTables(lock: JsonRecord | undefined): Map<string, string[]> {
  const versions = new Map<string, string[]>();
  for (const { name, version } of records(lock?.['package']))
    if (typeof name === 'string' && typeof version === 'string')
      versions.set(name.toLowerCase(), [...(versions.get(name.toLowerCase()) ?? []), version]);
  return versions;
}
