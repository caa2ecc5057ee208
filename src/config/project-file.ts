// A project's .vai.json: the nearest one from the working directory up. It comes with a repository somebody else may
// have written, so what could leak or redirect anything is honoured in a trusted project only, and secrets never; a
// warning names the rest. A broken file is an error in its own folder, and only a warning in the folders below.

import { dirname, join } from 'node:path';
import { VaiError } from '../domain/errors.ts';
import { readJsonObject, type JsonObject } from './json-file.ts';
import { KEYS } from './keys.ts';
import { shownPath } from './paths.ts';
import { readContract, type ProjectContract } from './project-contract.ts';
import { notHonoured, type Trust, type TrustOf } from './trust.ts';

export const PROJECT_FILE = '.vai.json';

/** What the project knows, and what other tools write: no setting, and no warning. */
const SILENT = new Set([
  'version',
  '$schema',
  'name',
  'description',
  'folders',
  'ignore',
  'sources',
  'skills',
]);

const MAX_BYTES = 1_000_000;

export interface ProjectFile {
  path: string;
  /** Whether it is above the working directory. */
  above: boolean;
  values: JsonObject;
  contract: ProjectContract;
}

export interface ProjectSearch {
  cwd: string;
  userHome: string;
  trustOf: TrustOf;
  /** Takes what was not honoured. */
  warn: (message: string) => void;
}

export function findProjectFile(search: ProjectSearch): ProjectFile | undefined {
  const { cwd, userHome, trustOf, warn } = search;
  for (let folder = cwd; ; folder = dirname(folder)) {
    const path = join(folder, PROJECT_FILE);
    const above = folder !== cwd;
    const found = readOrWarn(path, shownProject(path, userHome), above ? warn : undefined);
    if (found)
      return {
        path,
        above,
        values: honoured(found, trustOf(folder), warn),
        contract: readContract(path, found, { trusted: trustOf(folder) === 'trusted', warn }),
      };
    if (dirname(folder) === folder) return undefined;
  }
}

function readOrWarn(
  path: string,
  shown: string,
  warn: ((message: string) => void) | undefined,
): JsonObject | undefined {
  try {
    return readJsonObject(path, shown, MAX_BYTES);
  } catch (thrown) {
    if (!warn || !(thrown instanceof VaiError)) throw thrown;
    warn(`${thrown.message} It was ignored.`);
    return undefined;
  }
}

/** `~/…` at home; elsewhere the project's own name for it, so that no absolute path is shown. */
export function shownProject(path: string, userHome: string): string {
  const shown = shownPath(path, userHome);
  return shown.startsWith('~') ? shown : `<project>/${PROJECT_FILE}`;
}

function honoured(file: JsonObject, trust: Trust, warn: (message: string) => void): JsonObject {
  const known = new Map(KEYS.flatMap((key) => (key.project ? [[key.project, key] as const] : [])));
  const values: JsonObject = Object.create(null) as JsonObject;
  const ignored: string[] = [];
  const untrusted: string[] = [];
  for (const [name, value] of Object.entries(file)) {
    const key = known.get(name);
    if (key?.needsTrust && trust !== 'trusted') untrusted.push(quoted(name));
    else if (key) values[name] = value;
    else if (!SILENT.has(name)) ignored.push(name);
  }
  if (ignored.length > 0)
    warn(
      `${PROJECT_FILE}: ignored ${ignored.slice(0, 5).map(quoted).join(', ')}${ignored.length > 5 ? ' and more' : ''}; a project file may hold ${[...SILENT, ...known.keys()].join(', ')} only.`,
    );
  if (file['skills'] !== undefined && trust !== 'trusted') untrusted.push(quoted('skills'));
  if (untrusted.length > 0) warn(notHonoured(PROJECT_FILE, untrusted, trust));
  return values;
}

const quoted = (name: string): string => `\`${name.replaceAll(/[^\w.$-]/g, '?').slice(0, 40)}\``;
