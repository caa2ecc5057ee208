// The settings in a project's files that need the user's trust, as `vai trust` shows them. Values are shown as written,
// except keys, which are only named.

import { join } from 'node:path';
import { VaiError } from '../domain/errors.ts';
import { isObject } from '../domain/object.ts';
import { keysInEnvFile } from './env-file.ts';
import { readJsonObject, type JsonObject } from './json-file.ts';
import { KEYS } from './keys.ts';
import { absolutePath, liesInside } from './paths.ts';

const MAX_SHOWN = 120;
const MAX_BYTES = 1_000_000;

/** One line each: the file, the field, the value. */
export function trustRequests(folder: string, userHome: string): string[] {
  return [
    ...requestsIn(folder, '.vai.json', (file) =>
      [
        ...KEYS.flatMap(({ project, needsTrust }) => (project && needsTrust ? [project] : [])),
        'skills',
      ].filter((name) => file[name] !== undefined),
    ),
    ...requestsIn(folder, 'flowrag.config.json', (file) =>
      ['docs', 'data', 'embedder', 'extractor'].filter(
        (name) => file[name] !== undefined && !(name === 'docs' && staysInside(file[name], folder, userHome)),
      ),
    ),
    ...keysInEnvFile(folder).map((name) => `.env: ${name}`),
  ];
}

function requestsIn(folder: string, name: string, pick: (file: JsonObject) => string[]): string[] {
  try {
    const file = readJsonObject(join(folder, name), name, MAX_BYTES) ?? {};
    return pick(file).map((field) => `${name}: ${field} = ${shown(file[field])}`);
  } catch (thrown) {
    if (thrown instanceof VaiError) return [`${name}: ${thrown.message}`];
    throw thrown;
  }
}

function staysInside(docs: unknown, folder: string, userHome: string): boolean {
  return typeof docs === 'string' && liesInside(folder, absolutePath(docs, folder, userHome));
}

function shown(value: unknown): string {
  const written = isObject(value) || Array.isArray(value) ? JSON.stringify(value) : String(value);
  return written.length > MAX_SHOWN ? `${written.slice(0, MAX_SHOWN)}…` : written;
}
