// Manifests and lockfiles of Cargo, Go, Composer and Bundler.

import { record, records } from '../../domain/object.ts';
import type { Dependency } from '../../ports/project.ts';
import { lockedTables, type Folder } from './files.ts';

type Locked = Map<string, string[]>;

export function cargoLock(folder: Folder): Locked | undefined {
  const lock = folder.toml('Cargo.lock');
  return lock && lockedTables(lock);
}

export function cargoDependencies(folder: Folder, locked: Locked): Dependency[] {
  const manifest = folder.toml('Cargo.toml');
  if (!manifest) return [];
  const needed = record(manifest['dependencies']);
  const asked = {
    ...needed,
    ...record(record(manifest['workspace'])['dependencies']),
    ...record(manifest['dev-dependencies']),
    ...needed,
  };
  return Object.entries(asked).flatMap(([name, value]): Dependency[] => {
    if (record(value)['path'] !== undefined) return [];
    return [{ ecosystem: 'cargo', name, versions: locked.get(name.toLowerCase()) ?? [] }];
  });
}

export function cargoName(folder: Folder): unknown {
  return record(folder.toml('Cargo.toml')?.['package'])['name'];
}

export function goName(folder: Folder): unknown {
  return /^module[ \t]+"?([^\s"]{1,200})/m.exec(folder.text('go.mod') ?? '')?.[1];
}

export function composerName(folder: Folder): unknown {
  return folder.json('composer.json')?.['name'];
}

/** What a go.mod asks for is what is used. */
export function goDependencies(folder: Folder): Dependency[] {
  const text = folder.text('go.mod') ?? '';
  return text.split('\n').flatMap((line): Dependency[] => {
    if (line.includes('// indirect')) return [];
    const match = /^(?:require )?(\w[\w.-]*\/\S{1,200}) v(\d[\w.+-]{0,60})$/.exec(line.trim());
    // `+incompatible` is how Go marks an old module, not part of its tag.
    return match
      ? [{ ecosystem: 'go', name: match[1]!, versions: [match[2]!.replace('+incompatible', '')] }]
      : [];
  });
}

export function composerLock(folder: Folder): Locked | undefined {
  const lock = folder.json('composer.lock');
  if (!lock) return undefined;
  const packages = [...records(lock['packages']), ...records(lock['packages-dev'])];
  return new Map(packages.map((one) => [String(one['name']), [String(one['version']).replace(/^v/, '')]]));
}

export function composerDependencies(folder: Folder, locked: Locked): Dependency[] {
  const manifest = folder.json('composer.json');
  if (!manifest) return [];
  const asked = { ...record(manifest['require-dev']), ...record(manifest['require']) };
  return Object.keys(asked)
    .filter((name) => name.includes('/'))
    .map((name) => ({ ecosystem: 'composer', name, versions: locked.get(name) ?? [] }));
}

export function gemLock(folder: Folder): Locked | undefined {
  const text = folder.text('Gemfile.lock');
  if (text === undefined) return undefined;
  const rows = [...text.matchAll(/^ {4}([\w.-]{1,100}) \((\d[\w.]{0,60})/gm)];
  return new Map(rows.map(([, name = '', version = '']) => [name, [version]]));
}

export function gemDependencies(folder: Folder, locked: Locked): Dependency[] {
  const text = folder.text('Gemfile') ?? '';
  return [...text.matchAll(/^[ \t]*gem[ \t]+["']([\w.-]{1,100})["']/gm)].map(([, name = '']) => ({
    ecosystem: 'gem',
    name,
    versions: locked.get(name) ?? [],
  }));
}
