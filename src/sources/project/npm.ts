// package.json with the lockfiles of npm, pnpm, yarn and bun. A package of a workspace may have a version of its own.

import { relative, sep } from 'node:path';
import { record, type JsonRecord } from '../../domain/object.ts';
import type { Dependency } from '../../ports/project.ts';
import { parseYaml } from '../files/yaml.ts';
import { type Folder } from './files.ts';

/** The version of a package in a folder (`''` or `packages/a`), given what its manifest asks for. */
type Locked = (folder: string, name: string, range: string) => string | undefined;

export interface NpmLock {
  /** Where the lockfile is. */
  base: string;
  locked: Locked;
}

export function npmDependencies(folder: Folder, lock: NpmLock | undefined): Dependency[] {
  const manifest = folder.json('package.json');
  if (!manifest) return [];
  const needed = record(manifest['dependencies']);
  // What it needs to run comes first, and goes before what it is developed with.
  const asked = { ...needed, ...record(manifest['devDependencies']), ...needed };
  const place = lock ? relative(lock.base, folder.path).split(sep).join('/') : '';
  return Object.entries(asked).flatMap(([name, value]): Dependency[] => {
    const range = typeof value === 'string' ? value : '';
    // A part of the same workspace is no package from outside.
    if (/^(?:workspace|file|link|portal):/.test(range)) return [];
    const version = lock?.locked(place, name, range);
    return [{ ecosystem: 'npm', name, versions: version ? [version] : [] }];
  });
}

export function npmName(folder: Folder): unknown {
  return folder.json('package.json')?.['name'];
}

export function npmLock(folder: Folder): NpmLock | undefined {
  const locked = lockIn(folder);
  return locked && { base: folder.path, locked };
}

function lockIn(folder: Folder): Locked | undefined {
  const npm = folder.json('package-lock.json');
  if (npm) return fromNpm(npm);
  const pnpm = folder.text('pnpm-lock.yaml');
  if (pnpm !== undefined) return fromPnpm(pnpm);
  const yarn = folder.text('yarn.lock');
  if (yarn !== undefined) return fromYarn(yarn);
  const bun = folder.jsonc('bun.lock');
  return bun && fromBun(bun);
}

function fromNpm(lock: JsonRecord): Locked {
  const packages = record(lock['packages']);
  const old = record(lock['dependencies']);
  return (folder, name) => {
    const parts = folder === '' ? [] : folder.split('/');
    for (let depth = parts.length; depth >= 0; depth -= 1) {
      const key = [...parts.slice(0, depth), 'node_modules', name].join('/');
      const version = record(packages[key])['version'];
      if (typeof version === 'string') return version;
    }
    const version = record(old[name])['version'];
    return typeof version === 'string' ? version : undefined;
  };
}

/** Only the part about the folders of the workspace is parsed: the rest is long. */
function fromPnpm(text: string): Locked {
  const end = text.indexOf('\npackages:');
  let lock: JsonRecord = {};
  try {
    lock = record(parseYaml(end === -1 ? text : text.slice(0, end)));
  } catch {
    // A damaged lockfile says nothing.
  }
  const importers = lock['importers'] === undefined ? { '.': lock } : record(lock['importers']);
  return (folder, name) => {
    const importer = record(importers[folder || '.']);
    for (const field of ['dependencies', 'devDependencies']) {
      const entry = record(importer[field])[name];
      const version = typeof entry === 'string' ? entry : record(entry)['version'];
      // `4.1.5(react@19.0.0)` names what it was installed beside.
      if (typeof version === 'string') return version.split('(')[0]!.split('_')[0];
    }
    return undefined;
  };
}

/** Blocks of `name@range, name@other:` and an indented `version`, with or without quotes and colons. */
function fromYarn(text: string): Locked {
  const versions = new Map<string, string>();
  let specs: string[] = [];
  for (const line of text.split('\n')) {
    if (line !== '' && !/^[\s#]/.test(line)) specs = line.replaceAll('"', '').replace(/:$/, '').split(', ');
    const version = /^ {2}version:? "?([^"\s]{1,60})"?$/.exec(line.trimEnd())?.[1];
    if (version) for (const spec of specs) versions.set(spec.replace('@npm:', '@'), version);
  }
  return (_folder, name, range) => versions.get(`${name}@${range}`);
}

function fromBun(lock: JsonRecord): Locked {
  const packages = record(lock['packages']);
  const workspaces = record(lock['workspaces']);
  return (folder, name) => {
    const owner = record(workspaces[folder])['name'];
    const entry = (typeof owner === 'string' ? packages[`${owner}/${name}`] : undefined) ?? packages[name];
    const spec: unknown = Array.isArray(entry) ? entry[0] : undefined;
    return typeof spec === 'string' ? spec.slice(spec.lastIndexOf('@') + 1) : undefined;
  };
}
