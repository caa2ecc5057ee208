// Documentation that came with an installed package: README, docs, llms.txt, skills, in node_modules, site-packages or
// vendor. Links out of the project are not followed: a clone could point anywhere.

import { existsSync, readdirSync, realpathSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { isVersion } from '../../domain/version.ts';
import type { Ecosystem, PackageDocs } from '../../ports/project.ts';
import { readPlain } from './files.ts';
import { isInside as liesIn } from '../files/bytes.ts';
import { plainName } from './python.ts';

const FOLDERS = ['docs', 'doc', 'documentation', 'skills', '.skills'];
const TEXTS = /^llms(?:-full)?\.(?:txt|md)$/i;
const README = /^readme(?:\.(?:md|markdown|rst|txt))?$/i;
/** Shorter ones point to a website and say nothing else. */
const MIN_README = 500;
const PYTHON_HOMES = ['.venv', 'venv', 'env'];

export interface Wanted {
  ecosystem: Ecosystem;
  name: string;
  version?: string;
}

export function packageDocs(root: string, wanted: Wanted): PackageDocs | undefined {
  for (const { folder, version, extra } of installedAt(root, wanted)) {
    if (wanted.version !== undefined && !isVersion(version, wanted.version)) continue;
    const docs = docsIn(folder).filter((path) => isInside(root, path));
    const readmes = [...readmesIn(folder), ...extra].filter((path) => isInside(root, path));
    const rich = docs.length > 0;
    if (rich || readmes.length > 0) return { version, paths: [...docs, ...readmes.slice(0, 1)], rich };
  }
  return undefined;
}

interface Place {
  folder: string;
  version: string;
  /** A README elsewhere. */
  extra: string[];
}

/** Where a package is installed, in the project and its parts. */
export function installedAt(root: string, { ecosystem, name }: Wanted): Place[] {
  // A name becomes a path: only what a package may be called is looked for.
  if (!/^(?:@[\w.-]+\/)?[\w.-]+(?:\/[\w.-]+)*$/.test(name) || name.includes('..')) return [];
  if (ecosystem === 'pypi') return sitePackages(root).flatMap((folder) => pythonPackage(folder, name));
  const home = ecosystem === 'npm' ? 'node_modules' : 'vendor';
  return partsOf(root).flatMap((part) => {
    const folder = join(part, home, name);
    const version = existsSync(folder) ? versionIn(folder) : undefined;
    return version === undefined ? [] : [{ folder, version, extra: [] }];
  });
}

/** The project and the parts of a workspace, each of which may have packages of its own. */
function partsOf(root: string): string[] {
  const parts = namesIn(root).flatMap((first) =>
    first.startsWith('.') || first === 'node_modules'
      ? []
      : [join(root, first), ...namesIn(join(root, first)).map((second) => join(root, first, second))],
  );
  return [root, ...parts.slice(0, 500)];
}

function versionIn(folder: string): string | undefined {
  for (const name of ['package.json', 'composer.json'])
    try {
      const { version } = JSON.parse(readPlain(join(folder, name))) as { version?: unknown };
      if (typeof version === 'string' && version.length < 60) return version;
    } catch {
      // No manifest of that kind.
    }
  try {
    return /^version\s*=\s*"([^"]{1,60})"/m.exec(readPlain(join(folder, 'Cargo.toml')))?.[1];
  } catch {
    return undefined;
  }
}

function sitePackages(root: string): string[] {
  const homes = partsOf(root).flatMap((part) => PYTHON_HOMES.map((home) => join(part, home)));
  return homes
    .filter(existsSync)
    .flatMap((home) => [
      ...namesIn(join(home, 'lib')).map((python) => join(home, 'lib', python, 'site-packages')),
      join(home, 'Lib', 'site-packages'),
    ])
    .filter(existsSync);
}

/** `name-1.2.3.dist-info` says what is installed; its METADATA ends with the README. */
function pythonPackage(folder: string, name: string): Place[] {
  const wanted = plainName(name);
  return namesIn(folder).flatMap((entry): Place[] => {
    const match = /^(.+?)-(\d[^-]*)\.dist-info$/.exec(entry);
    if (!match || plainName(match[1]!) !== wanted) return [];
    const metadata = join(folder, entry, 'METADATA');
    return [
      {
        folder: join(folder, wanted.replaceAll('-', '_')),
        version: match[2]!,
        extra: isLong(metadata) ? [metadata] : [],
      },
    ];
  });
}

function docsIn(folder: string): string[] {
  return namesIn(folder)
    .filter((name) => TEXTS.test(name) || (FOLDERS.includes(name) && isFolder(join(folder, name))))
    .map((name) => join(folder, name));
}

function readmesIn(folder: string): string[] {
  return namesIn(folder)
    .filter((name) => README.test(name))
    .map((name) => join(folder, name))
    .filter(isLong);
}

function isLong(file: string): boolean {
  return (statSync(file, { throwIfNoEntry: false })?.size ?? 0) >= MIN_README;
}

function isFolder(path: string): boolean {
  return statSync(path, { throwIfNoEntry: false })?.isDirectory() ?? false;
}

export function namesIn(folder: string): string[] {
  try {
    return readdirSync(folder).sort();
  } catch {
    return [];
  }
}

/** With links followed. */
export function isInside(root: string, path: string): boolean {
  return liesIn(realpathSync(root), realpathSync(path));
}
