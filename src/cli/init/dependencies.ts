// What a project is built with, read from its manifests and lockfiles: names, versions and where each name is from.
// Files of a cloned project are hostile: bounded in size, parsed as data, never run.

import { existsSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { parse as parseToml } from 'smol-toml';

export interface Dependency {
  name: string;
  ecosystem: 'npm' | 'pypi' | 'cargo';
  /** The version in use, where a lockfile says so; else the range that was asked for. */
  version?: string;
}

const MAX_BYTES = 20_000_000;
const MAX_DEPENDENCIES = 500;

export function readDependencies(folder: string): { dependencies: Dependency[]; read: string[] } {
  const found = [npm(folder), python(folder), cargo(folder)];
  return {
    dependencies: found.flatMap((one) => one.dependencies).slice(0, MAX_DEPENDENCIES),
    read: found.flatMap((one) => one.read),
  };
}

interface Found {
  dependencies: Dependency[];
  read: string[];
}

function npm(folder: string): Found {
  const manifest = json(folder, 'package.json');
  if (!manifest) return { dependencies: [], read: [] };
  const lock = json(folder, 'package-lock.json');
  const packages = record(lock?.['packages']);
  const asked = { ...record(manifest['devDependencies']), ...record(manifest['dependencies']) };
  const dependencies = Object.entries(asked).map(([name, range]): Dependency => {
    const locked = record(packages[`node_modules/${name}`])['version'];
    return { name, ecosystem: 'npm', ...versionOf(locked ?? range) };
  });
  return { dependencies, read: ['package.json', ...(lock ? ['package-lock.json'] : [])] };
}

function python(folder: string): Found {
  const project = toml(folder, 'pyproject.toml');
  if (!project) return { dependencies: [], read: [] };
  const listed = record(project['project'])['dependencies'];
  const poetry = record(record(record(project['tool'])['poetry'])['dependencies']);
  const names = [
    ...(Array.isArray(listed) ? (listed as unknown[]) : []),
    ...Object.keys(poetry).filter((name) => name !== 'python'),
  ];
  const locked = lockedVersions(toml(folder, 'uv.lock') ?? toml(folder, 'poetry.lock'));
  const dependencies = names.flatMap((entry): Dependency[] => {
    const match = /^([A-Za-z0-9._-]+)(?:\[[^\]]*\])?\s*([<>=!~].*)?$/.exec(
      String(entry).split(';')[0]!.trim(),
    );
    if (!match) return [];
    return [
      { name: match[1]!, ecosystem: 'pypi', ...versionOf(locked.get(match[1]!.toLowerCase()) ?? match[2]) },
    ];
  });
  return { dependencies, read: ['pyproject.toml'] };
}

function cargo(folder: string): Found {
  const manifest = toml(folder, 'Cargo.toml');
  if (!manifest) return { dependencies: [], read: [] };
  const locked = lockedVersions(toml(folder, 'Cargo.lock'));
  const dependencies = Object.entries(record(manifest['dependencies'])).map(([name, value]): Dependency => {
    const range = typeof value === 'string' ? value : record(value)['version'];
    return { name, ecosystem: 'cargo', ...versionOf(locked.get(name.toLowerCase()) ?? range) };
  });
  return { dependencies, read: ['Cargo.toml'] };
}

/** `uv.lock`, `poetry.lock` and `Cargo.lock` all list `[[package]]` tables with a name and a version. */
function lockedVersions(lock: Record<string, unknown> | undefined): Map<string, unknown> {
  const packages = lock?.['package'];
  const rows = Array.isArray(packages) ? packages.map(record) : [];
  return new Map(rows.map((row) => [String(row['name']).toLowerCase(), row['version']]));
}

function versionOf(value: unknown): { version?: string } {
  return typeof value === 'string' && value.length < 60 ? { version: value } : {};
}

function record(value: unknown): Record<string, unknown> {
  return value && typeof value === 'object' && !Array.isArray(value)
    ? (value as Record<string, unknown>)
    : {};
}

function json(folder: string, name: string): Record<string, unknown> | undefined {
  return attempt(folder, name, (text) => JSON.parse(text) as unknown);
}

function toml(folder: string, name: string): Record<string, unknown> | undefined {
  return attempt(folder, name, (text) => parseToml(text));
}

/** A file that cannot be read or parsed says nothing: proposing less is no error. */
function attempt(
  folder: string,
  name: string,
  parse: (text: string) => unknown,
): Record<string, unknown> | undefined {
  const file = join(folder, name);
  try {
    if (!existsSync(file) || statSync(file).size > MAX_BYTES) return undefined;
    return record(parse(readFileSync(file, 'utf8')));
  } catch {
    return undefined;
  }
}
