// Which projects the user trusts. A folder's `.vai.json`, `flowrag.config.json` and `.env` were written by whoever
// wrote that repository: until the user runs `vai trust`, they may only narrow what is searched. Trust is stored by
// path and content, so a file that changes later (a pull, another branch) has to be reviewed again.

import { createHash, randomUUID } from 'node:crypto';
import { readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { readJsonObject, type JsonObject } from './json-file.ts';
import { realPath } from './paths.ts';
import { updateConfig } from './store.ts';

const TRUST_FILE = 'trusted.json';
const MAX_BYTES = 1_000_000;

/** What a project may bring along, in the order it is hashed. */
export const PROJECT_FILES = ['.env', '.vai.json', 'flowrag.config.json'] as const;

export type Trust = 'trusted' | 'changed' | 'unknown';

/** Asked with the folder that holds the files. */
export type TrustOf = (folder: string) => Trust;

/** Reads the list once, at the first question. */
export function trustIn(home: string): TrustOf {
  let known: JsonObject | undefined;
  return (folder) => {
    known ??= readTrusted(home);
    const remembered = known[realPath(folder)];
    if (typeof remembered !== 'string') return 'unknown';
    return remembered === fingerprint(folder) ? 'trusted' : 'changed';
  };
}

/** Remembers the files as they are now. */
export async function trustProject(home: string, folder: string): Promise<void> {
  const print = fingerprint(folder);
  await updateConfig(join(home, TRUST_FILE), (known) => ({ ...known, [realPath(folder)]: print }));
}

/** False when it was not trusted. */
export async function distrustProject(home: string, folder: string): Promise<boolean> {
  const path = realPath(folder);
  if (!Object.hasOwn(readTrusted(home), path)) return false;
  await updateConfig(join(home, TRUST_FILE), ({ [path]: _gone, ...others }) => others);
  return true;
}

export function trustedProjects(home: string): string[] {
  return Object.keys(readTrusted(home)).sort();
}

/** Why a project's setting was not honoured, as all warnings phrase it. */
export function notHonoured(file: string, wishes: readonly string[], trust: Trust): string {
  const since = trust === 'changed' ? 'It has changed since you trusted it: run' : 'To allow it, run';
  return `${file}: not honoured: ${wishes.join(', ')}. ${since} \`vai trust\` in the folder of the file.`;
}

/** A list that cannot be read trusts nobody. */
function readTrusted(home: string): JsonObject {
  try {
    return readJsonObject(join(home, TRUST_FILE), TRUST_FILE) ?? {};
  } catch {
    return {};
  }
}

function fingerprint(folder: string): string {
  const hash = createHash('sha256');
  for (const name of PROJECT_FILES) {
    const bytes = bytesOf(join(folder, name));
    hash.update(`${name}\0${bytes === undefined ? 'absent' : bytes.length}\0`).update(bytes ?? '');
  }
  return hash.digest('hex');
}

/** Undefined when there is no such file. Anything but a small regular file gets a value that never matches again. */
function bytesOf(path: string): Buffer | string | undefined {
  const found = statSync(path, { throwIfNoEntry: false });
  if (!found) return undefined;
  return found.isFile() && found.size <= MAX_BYTES ? readFileSync(path) : randomUUID();
}
