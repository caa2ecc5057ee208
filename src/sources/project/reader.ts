// Every manifest of a project and of its parts, each with the nearest lockfile above it; and the documentation that lies
// beside installed packages.

import { readdirSync, statSync } from 'node:fs';
import { dirname, join, relative, sep } from 'node:path';
import { isStrayFolder } from '../../domain/stray-folder.ts';
import { compareVersions } from '../../domain/version.ts';
import type { Dependencies, Dependency, ProjectReader } from '../../ports/project.ts';
import { openFolder, type Folder } from './files.ts';
import { npmDependencies, npmLock, npmName } from './npm.ts';
import {
  cargoDependencies,
  cargoLock,
  cargoName,
  composerDependencies,
  composerLock,
  composerName,
  gemDependencies,
  gemLock,
  goDependencies,
  goName,
} from './others.ts';
import { packageDocs } from './package-docs.ts';
import { plainName, pythonDependencies, pythonLock, pythonName } from './python.ts';

const MAX_DEPTH = 4;
const MAX_FOLDERS = 2_000;
const MAX_DEPENDENCIES = 1_000;
const BUILT = new Set(['node_modules', 'target', 'dist', 'build', 'venv', 'site-packages']);
const MANIFESTS =
  /^(?:package\.json|pyproject\.toml|requirements[\w-]*\.(?:txt|in)|Cargo\.toml|go\.mod|composer\.json|Gemfile)$/;

export function createProjectReader(): ProjectReader {
  const known = new Map<string, { stamp: string; files: string[]; value: Dependencies }>();
  return {
    async dependencies(folder) {
      const last = known.get(folder);
      if (last && stampOf(last.files) === last.stamp) return last.value;
      const { files, ...value } = readDependencies(folder);
      known.set(folder, { stamp: stampOf(files), files, value });
      return value;
    },
    packageDocs: async (folder, wanted) => packageDocs(folder, wanted),
    skills: async (folder, { ecosystem, name }) =>
      (await import('./skills.ts')).packageSkills(folder, { ecosystem, name }),
  };
}

function stampOf(files: readonly string[]): string {
  return files
    .map((file) => {
      const info = statSync(file, { throwIfNoEntry: false });
      return `${info?.mtimeMs ?? 0}:${info?.size ?? 0}`;
    })
    .join();
}

/** `files`: what the answer is remembered by: the folder itself, where a lockfile may come, and every file read. */
function readDependencies(root: string): Dependencies & { files: string[] } {
  const files: string[] = [];
  const open = (path: string): Folder => openFolder(path, (file) => files.push(file));
  const top = open(root);
  const folders = manifestFolders(root).map((path) => (path === root ? top : open(path)));
  const nearest = <T>(read: (folder: Folder) => T | undefined): ((folder: Folder) => T | undefined) => {
    const seen = new Map<string, T | undefined>();
    const at = (path: string): T | undefined => {
      if (!seen.has(path)) seen.set(path, read(path === root ? top : open(path)));
      return seen.get(path) ?? (path === root ? undefined : at(dirname(path)));
    };
    return (folder) => at(folder.path);
  };
  const none = new Map<string, string[]>();
  const [python, cargo, composer, gem] = [pythonLock, cargoLock, composerLock, gemLock].map((read) =>
    nearest(read),
  );
  const npm = nearest(npmLock);
  const found = folders.flatMap((folder) => [
    ...npmDependencies(folder, npm(folder)),
    ...pythonDependencies(folder, python!(folder) ?? none),
    ...cargoDependencies(folder, cargo!(folder) ?? none),
    ...goDependencies(folder),
    ...composerDependencies(folder, composer!(folder) ?? none),
    ...gemDependencies(folder, gem!(folder) ?? none),
  ]);
  const own = new Set(folders.flatMap((folder) => namesOf(folder).map(keyOf)));
  const others = found.filter((one) => !own.has(keyOf(one)));
  return {
    dependencies: merged(others).slice(0, MAX_DEPENDENCIES),
    names: namesOf(top).map(shortName),
    read: [...new Set(files)].map((file) => relative(root, file).split(sep).join('/')),
    files: [root, ...new Set(files)],
  };
}

const NAMES = {
  npm: npmName,
  pypi: pythonName,
  cargo: cargoName,
  go: goName,
  composer: composerName,
} as const;

/** What the manifests of a folder call the package that it is. */
function namesOf(folder: Folder): Pick<Dependency, 'ecosystem' | 'name'>[] {
  return (Object.keys(NAMES) as (keyof typeof NAMES)[]).flatMap((ecosystem) => {
    const name = NAMES[ecosystem](folder);
    return typeof name === 'string' && name !== '' ? [{ ecosystem, name }] : [];
  });
}

/** Without the owner or address before it, and the major version of a Go module after it. */
function shortName({ ecosystem, name }: Pick<Dependency, 'ecosystem' | 'name'>): string {
  const plain = ecosystem === 'go' ? name.replace(/\/v\d{1,4}$/, '') : name;
  return plain.slice(plain.lastIndexOf('/') + 1);
}

function keyOf({ ecosystem, name }: Pick<Dependency, 'ecosystem' | 'name'>): string {
  return `${ecosystem}:${ecosystem === 'pypi' ? plainName(name) : name.toLowerCase()}`;
}

function manifestFolders(root: string): string[] {
  const found: string[] = [];
  let level = [root];
  let seen = 0;
  for (let depth = 0; depth <= MAX_DEPTH && level.length > 0; depth += 1) {
    const next: string[] = [];
    for (const folder of level) {
      if ((seen += 1) > MAX_FOLDERS) return found;
      const entries = entriesOf(folder);
      if (entries.some((entry) => entry.isFile() && MANIFESTS.test(entry.name))) found.push(folder);
      for (const entry of entries)
        if (entry.isDirectory() && !isSkipped(entry.name)) next.push(join(folder, entry.name));
    }
    level = next;
  }
  return found;
}

function isSkipped(name: string): boolean {
  return name.startsWith('.') || BUILT.has(name) || isStrayFolder(name);
}

function entriesOf(folder: string) {
  try {
    return readdirSync(folder, { withFileTypes: true }).sort((a, b) => (a.name < b.name ? -1 : 1));
  } catch {
    return [];
  }
}

/** One entry for each package, with every version that is in use. */
function merged(all: readonly Dependency[]): Dependency[] {
  const byName = new Map<string, Dependency>();
  for (const one of all) {
    const key = keyOf(one);
    const before = byName.get(key);
    const versions = [...new Set([...(before?.versions ?? []), ...one.versions])];
    byName.set(key, { ...one, ...before, versions: versions.sort((a, b) => compareVersions(b, a)) });
  }
  return [...byName.values()];
}
