// pyproject.toml and requirements files, with the lockfiles of uv, poetry and pdm.

import { record, type JsonRecord } from '../../domain/object.ts';
import type { Dependency } from '../../ports/project.ts';
import { lockedTables, type Folder } from './files.ts';

export function pythonLock(folder: Folder): Map<string, string[]> | undefined {
  const lock = folder.toml('uv.lock') ?? folder.toml('poetry.lock') ?? folder.toml('pdm.lock');
  if (!lock) return undefined;
  return new Map([...lockedTables(lock)].map(([name, versions]) => [plainName(name), versions]));
}

export function pythonDependencies(folder: Folder, locked: Map<string, string[]>): Dependency[] {
  const project = folder.toml('pyproject.toml');
  const asked = [...(project ? listed(project) : []), ...requirements(folder)];
  return asked.flatMap((entry): Dependency[] => {
    const plain = entry.split(/[;#]/, 1)[0]!.trim();
    const match = /^([A-Za-z0-9][A-Za-z0-9._-]{0,100})(?:\[[^\]]{0,200}\])?\s*([<>=!~].{0,100})?$/.exec(
      plain,
    );
    if (!match) return [];
    const [, name = '', range] = match;
    const pinned = /^==\s*([^\s,*]+)$/.exec(range ?? '')?.[1];
    const versions = locked.get(plainName(name)) ?? (pinned ? [pinned] : []);
    return [{ ecosystem: 'pypi', name, versions }];
  });
}

export function pythonName(folder: Folder): unknown {
  const project = folder.toml('pyproject.toml') ?? {};
  return record(project['project'])['name'] ?? record(record(project['tool'])['poetry'])['name'];
}

function listed(project: JsonRecord): string[] {
  const main = record(project['project']);
  const poetry = record(record(project['tool'])['poetry']);
  const lists = [
    main['dependencies'],
    ...Object.values(record(main['optional-dependencies'])),
    ...Object.values(record(project['dependency-groups'])),
  ];
  const tables = [
    poetry['dependencies'],
    ...Object.values(record(poetry['group'])).map((group) => record(group)['dependencies']),
  ];
  return [
    ...lists.flatMap((list) => (Array.isArray(list) ? list.filter((one) => typeof one === 'string') : [])),
    ...tables.flatMap((table) => Object.keys(record(table)).filter((name) => name !== 'python')),
  ];
}

function requirements(folder: Folder): string[] {
  return ['requirements.txt', 'requirements-dev.txt', 'requirements.in'].flatMap((name) =>
    (folder.text(name) ?? '').split('\n').filter((line) => !/^\s*(?:[#-]|$)/.test(line)),
  );
}

/** Names that differ in case, `_` and `.` only are one package. */
export function plainName(name: string): string {
  return name.toLowerCase().replaceAll(/[-_.]+/g, '-');
}
