// A project's .vai.json: the nearest one from the working directory up. It comes with a repository somebody else may
// have written, so only what cannot leak or redirect anything is honoured; the rest is named in a warning.

import { dirname, join } from 'node:path';
import { readJsonObject, type JsonObject } from './json-file.ts';
import { KEYS } from './keys.ts';
import { shownPath } from './paths.ts';

export const PROJECT_FILE = '.vai.json';

/** Written by tools that are not ours, or by `vai init` as a list to install by hand; no setting, and no warning. */
const SILENT = new Set(['version', '$schema', 'name', 'description', 'folders', 'sources']);

export interface ProjectFile {
  path: string;
  values: JsonObject;
  warnings: string[];
}

export function findProjectFile(cwd: string, userHome: string): ProjectFile | undefined {
  for (let folder = cwd; ; folder = dirname(folder)) {
    const path = join(folder, PROJECT_FILE);
    const found = readJsonObject(path, shownProject(path, userHome));
    if (found) return { path, ...honoured(found) };
    if (dirname(folder) === folder) return undefined;
  }
}

/** `~/…` at home; elsewhere the project's own name for it, so that no absolute path is shown. */
export function shownProject(path: string, userHome: string): string {
  const shown = shownPath(path, userHome);
  return shown.startsWith('~') ? shown : `<project>/${PROJECT_FILE}`;
}

function honoured(file: JsonObject): { values: JsonObject; warnings: string[] } {
  const allowed = new Set(KEYS.flatMap((key) => (key.project ? [key.project] : [])));
  const values: JsonObject = Object.create(null) as JsonObject;
  const ignored: string[] = [];
  for (const [name, value] of Object.entries(file)) {
    if (allowed.has(name)) values[name] = value;
    else if (!SILENT.has(name)) ignored.push(name);
  }
  const warnings = ignored.length
    ? [
        `${PROJECT_FILE}: ignored ${ignored.slice(0, 5).map(quoted).join(', ')}${ignored.length > 5 ? ' and more' : ''}; a project file may set ${[...allowed].join(', ')} only.`,
      ]
    : [];
  return { values, warnings };
}

const quoted = (name: string): string => `\`${name.replaceAll(/[^\w.$-]/g, '?').slice(0, 40)}\``;
