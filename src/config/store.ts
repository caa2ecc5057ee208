// The global config.json: get, set, list and delete. Every write is atomic, 0600 from its creation and under a lock, so
// that two writers never lose each other's keys; fields we do not know are kept as they are.

import { randomInt, randomUUID } from 'node:crypto';
import { readFile, rename, rm, stat, writeFile } from 'node:fs/promises';
import { homedir } from 'node:os';
import { dirname } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { VaiError } from '../domain/errors.ts';
import { makeFolder } from '../make-folder.ts';
import { readJsonObject, type JsonObject } from './json-file.ts';
import { findKey, KEYS, type Key } from './keys.ts';
import { shownPath } from './paths.ts';
import { BadValue, readValue } from './read-value.ts';
import { maskValue } from './secrets.ts';

/** Kept by the server: listed and masked here, never set by hand. */
export const SERVER_KEYS_FIELD = 'mcp-server-keys';

const LOCK_PATIENCE_MS = 5_000;
const LOCK_STALE_MS = 10_000;

export interface ConfigEntry {
  name: string;
  /** Masked where it is a secret. */
  value: unknown;
}

export function readConfig(path: string): JsonObject {
  return readJsonObject(path, shownPath(path, homedir())) ?? {};
}

/** Reads, changes and writes the file as one step. The change gets a copy and returns what is to be written. */
export async function updateConfig(path: string, change: (config: JsonObject) => JsonObject): Promise<void> {
  try {
    makeFolder(dirname(path), 0o700);
  } catch (error) {
    throw new VaiError('WRITE_FAILED', 'The folder of the config file cannot be created.', {
      hint: 'Check its permissions, or set VAI_HOME to another folder.',
      cause: error,
    });
  }
  const release = await lockFile(`${path}.lock`);
  try {
    const next = change(readConfig(path));
    await writeAtomically(path, `${JSON.stringify(next, null, 2)}\n`);
  } finally {
    await release();
  }
}

export async function setConfig(path: string, name: string, raw: string): Promise<ConfigEntry> {
  const key = settableKey(name);
  const given = key.kind.type === 'chunk' || key.kind.type === 'files' ? parseJson(key, raw) : raw;
  let value: unknown;
  try {
    value = readValue(key, given, { base: dirname(path), userHome: homedir() });
  } catch (error) {
    if (error instanceof BadValue)
      throw new VaiError('INVALID_INPUT', `\`${name}\` ${error.message}.`, { cause: error });
    throw error;
  }
  await updateConfig(path, (config) => ({ ...config, [key.stored!]: value }));
  return { name: key.cli ?? key.stored!, value: maskValue(key.stored!, value, key.secret) };
}

export async function deleteConfig(path: string, name: string): Promise<boolean> {
  const key = settableKey(name);
  if (!Object.hasOwn(readConfig(path), key.stored!)) return false;
  await updateConfig(path, (config) =>
    Object.fromEntries(Object.entries(config).filter(([field]) => field !== key.stored)),
  );
  return true;
}

/** One value, masked; undefined when it is not set in the file. */
export function getConfig(path: string, name: string): ConfigEntry | undefined {
  const config = readConfig(path);
  const key = findKey(name);
  const field = key?.stored ?? name;
  if (!key && name !== SERVER_KEYS_FIELD && !Object.hasOwn(config, name)) throw unknownKey(name);
  if (!Object.hasOwn(config, field)) return undefined;
  return { name: key?.cli ?? field, value: maskField(field, config[field], key) };
}

export function listConfig(path: string): ConfigEntry[] {
  return Object.entries(readConfig(path)).map(([field, value]) => {
    const key = KEYS.find((known) => known.stored === field);
    return { name: key?.cli ?? field, value: maskField(field, value, key) };
  });
}

/** Makes a database kept elsewhere reachable by name: `vai_* {db}`, the CLI and the page open it too. */
export async function registerDatabase(path: string, name: string, file: string): Promise<void> {
  await updateConfig(path, (config) => ({
    ...config,
    databases: { ...(config.databases as JsonObject | undefined), [name]: file },
  }));
}

function maskField(field: string, value: unknown, key: Key | undefined): unknown {
  return maskValue(field, value, key ? key.secret === true : undefined);
}

function settableKey(name: string): Key {
  const key = findKey(name);
  if (!key?.stored) throw unknownKey(name);
  return key;
}

function unknownKey(name: string): VaiError {
  const known = KEYS.flatMap((key) => (key.stored ? [key.cli ?? key.stored] : []));
  return new VaiError('UNKNOWN_KEY', `There is no setting \`${name.slice(0, 60)}\` in the config file.`, {
    hint: `Settings are ${known.join(', ')}.`,
  });
}

function parseJson(key: Key, raw: string): unknown {
  try {
    return JSON.parse(raw);
  } catch {
    throw new VaiError('INVALID_INPUT', `\`${key.stored}\` must be written as JSON.`);
  }
}

async function writeAtomically(path: string, text: string): Promise<void> {
  const temporary = `${path}.${randomUUID()}.tmp`;
  try {
    await writeFile(temporary, text, { flag: 'wx', mode: 0o600, flush: true });
    await rename(temporary, path);
  } catch (error) {
    await rm(temporary, { force: true });
    throw new VaiError('WRITE_FAILED', 'The config file could not be written.', { cause: error });
  }
}

/** A file that exists while somebody writes. A holder that died leaves it behind; after ten seconds it is taken over. */
async function lockFile(path: string): Promise<() => Promise<void>> {
  const mark = randomUUID();
  const deadline = performance.now() + LOCK_PATIENCE_MS;
  for (;;) {
    try {
      await writeFile(path, mark, { flag: 'wx', mode: 0o600 });
      return async () => {
        // Only our own: a lock that was taken over belongs to somebody else now.
        if ((await readFile(path, 'utf8').catch(() => '')) === mark) await rm(path, { force: true });
      };
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'EEXIST')
        throw new VaiError('WRITE_FAILED', 'The config file could not be locked for writing.', {
          hint: 'Make the folder of the config file writable, or set VAI_HOME to one that is.',
          cause: error,
        });
    }
    const held = await stat(path).catch(() => undefined);
    if (held && Date.now() - held.mtimeMs > LOCK_STALE_MS) await rm(path, { force: true });
    else if (performance.now() > deadline)
      throw new VaiError('WRITE_FAILED', 'Another process is writing the config file.', {
        hint: 'Try again; if no other vai runs, delete the file ending in .lock beside it.',
      });
    else await wait(randomInt(15, 35));
  }
}
