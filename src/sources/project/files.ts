// Files of a project as data. A file that cannot be read or parsed is ignored: knowing less is not an error.

import { closeSync, constants, existsSync, fstatSync, openSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parse as parseJsonc } from 'jsonc-parser';
import { parse as parseToml } from 'smol-toml';
import { VaiError } from '../../domain/errors.ts';
import { record, records, type JsonRecord } from '../../domain/object.ts';

const MAX_BYTES = 20_000_000;

/** Notes which files were looked at. */
export interface Folder {
  readonly path: string;
  text(name: string): string | undefined;
  json(name: string): JsonRecord | undefined;
  /** With comments and trailing commas. */
  jsonc(name: string): JsonRecord | undefined;
  toml(name: string): JsonRecord | undefined;
}

export function openFolder(path: string, seen: (file: string) => void): Folder {
  const text = (name: string): string | undefined => {
    const file = join(path, name);
    try {
      if (!existsSync(file)) return undefined;
      const content = readPlain(file);
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
    jsonc: (name) =>
      parsed(name, (content) => parseJsonc(content, [], { allowTrailingComma: true }) as unknown),
    toml: (name) => parsed(name, parseToml),
  };
}

/** A device or a pipe under the name of a manifest is refused: it has no end, or would be waited on for ever. */
export function readPlain(file: string): string {
  const handle = openSync(file, constants.O_RDONLY | constants.O_NONBLOCK);
  try {
    const stat = fstatSync(handle);
    if (!stat.isFile() || stat.size > MAX_BYTES)
      throw new VaiError('FILE_UNREADABLE', 'Not a file of usual size.');
    return readFileSync(handle, 'utf8');
  } finally {
    closeSync(handle);
  }
}

/** Versions by name, from the `[[package]]` tables of uv.lock, poetry.lock, pdm.lock and Cargo.lock. */
export function lockedTables(lock: JsonRecord | undefined): Map<string, string[]> {
  const versions = new Map<string, string[]>();
  for (const { name, version } of records(lock?.['package'])) {
    if (typeof name !== 'string' || typeof version !== 'string') continue;
    const known = versions.get(name.toLowerCase());
    if (known) known.push(version);
    else versions.set(name.toLowerCase(), [version]);
  }
  return versions;
}
