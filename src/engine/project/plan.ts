// What `vai sync` would do: each source of the project beside what is installed. Nothing is fetched or written here.

import { existsSync, realpathSync } from 'node:fs';
import { join, relative, resolve } from 'node:path';
import type { Dependency, Ecosystem } from '../../ports/project.ts';
import type { RegistryEntry } from '../../ports/registry.ts';
import type { Store } from '../../ports/store.ts';
import type { EngineDeps } from '../deps.ts';
import { exactEntry } from '../docs/lookup.ts';
import { folderStamp } from '../index/origin.ts';
import { isInside } from '../inside.ts';
import type { CollectionView } from '../scope.ts';
import { chooseDocs, entryFor, followed, type Chosen } from './choose.ts';
import { docsOf, packageId, type DocsState } from './docs-version.ts';

/** What `.vai.json` says, as far as `vai sync` follows it. */
export interface ProjectFile {
  folder: string;
  collection?: string;
  folders: readonly string[];
  ignore: readonly string[];
  sources: readonly { alias: string; package?: string; version?: string; url?: string }[];
}

export interface SourceStep {
  alias: string;
  action: 'install' | 'update' | 'keep' | 'remove' | 'leave';
  /** Where it comes from, and of which version it will be. */
  docs?: DocsState;
  url?: string;
  fallback?: string;
  paths?: string[];
  newest?: string;
  installedVersion?: string;
  /** An address that is not in the registry: fetched only when the user agrees. */
  ask?: boolean;
  /** Why it is left or removed, or what to know. */
  message?: string;
}

export interface OwnStep {
  collection: string;
  /** The project's folder: what its documents are named from. */
  root: string;
  paths: string[];
  /** Stamps of all its folders, also of those that are not there now. */
  folders: string[];
  ignore: readonly string[];
  /** Folders that are not there, or not inside the project. */
  left: string[];
  /** A collection of that name exists that this project did not create. */
  ask: boolean;
}

export interface SyncPlan {
  project: string;
  own?: OwnStep;
  sources: SourceStep[];
}

export async function planSync(deps: EngineDeps, store: Store, file: ProjectFile): Promise<SyncPlan> {
  const project = fingerprint(file.folder);
  const collections = await store.collections.list();
  const byName = new Map(collections.map((one) => [one.name, one]));
  const { entries } = await deps.registry.load();
  const { dependencies } = (await deps.project?.dependencies(file.folder)) ?? { dependencies: [] };
  const sources: SourceStep[] = [];
  for (const source of file.sources) {
    if (source.alias === file.collection) {
      sources.push({ alias: source.alias, action: 'leave', message: OWN_NAME });
      continue;
    }
    const place = await placeOf(deps, { file, source, entries, dependencies });
    sources.push(step(source.alias, place, byName.get(source.alias), project));
  }
  const wanted = new Set(file.sources.map(({ alias }) => alias));
  for (const collection of collections) {
    const docs = docsOf(collection);
    if (!docs?.projects.includes(project) || wanted.has(collection.name)) continue;
    const others = docs.projects.filter((one) => one !== project);
    sources.push({
      alias: collection.name,
      action: others.length > 0 ? 'leave' : 'remove',
      docs: { ...docs, projects: others },
      message: others.length > 0 ? 'another project still wants it' : 'the project no longer names it',
    });
  }
  return { project, ...ownStep(file, byName, project), sources };
}

const OWN_NAME =
  'the texts of the project itself have a collection of this name; give the source another alias';

interface Place extends Omit<Chosen, 'via'> {
  via: DocsState['via'];
  package?: string;
  installedVersion?: string;
  ask?: boolean;
  from: string[];
}

interface Looking {
  file: ProjectFile;
  source: ProjectFile['sources'][number];
  entries: readonly RegistryEntry[];
  dependencies: readonly Dependency[];
}

async function placeOf(deps: EngineDeps, looking: Looking): Promise<Place | undefined> {
  const { file, source, entries, dependencies } = looking;
  const known = dependencies.find((one) => packageId(one) === source.package);
  const installed = known ? followed(known.versions, source.version) : undefined;
  const common = {
    ...(source.package ? { package: source.package } : {}),
    ...(installed ? { installedVersion: installed } : {}),
  };
  if (source.url !== undefined) {
    const listed = entries.some(({ url, fallback }) => url === source.url || fallback === source.url);
    const version = source.version ? { version: source.version } : {};
    return { via: 'address', url: source.url, ...version, ...common, ask: !listed, from: [source.url] };
  }
  const [ecosystem = '', ...rest] = (source.package ?? '').split(':');
  const dependency =
    rest.length > 0 ? { ecosystem: ecosystem as Ecosystem, name: rest.join(':') } : undefined;
  const entry = (dependency && entryFor(entries, dependency)) ?? exactEntry(entries, source.alias);
  const version = installed ?? source.version;
  const chosen = await chooseDocs(deps, { folder: file.folder, dependency, version, entry });
  if (!chosen) return undefined;
  const from = chosen.url ? [chosen.url] : (chosen.paths ?? []).map((path) => relative(file.folder, path));
  return { ...chosen, ...common, from };
}

function step(
  alias: string,
  place: Place | undefined,
  existing: CollectionView | undefined,
  project: string,
): SourceStep {
  if (!place) return { alias, action: 'leave', message: 'its documentation is not known' };
  const { via, version, package: name, from, installedVersion } = place;
  const before = docsOf(existing);
  const docs: DocsState = {
    ...(name ? { package: name } : {}),
    ...(version ? { version } : {}),
    via,
    from,
    projects: [...new Set([...(before?.projects ?? []), project])],
  };
  const { url, fallback, paths, newest } = place;
  const common = {
    alias,
    docs,
    ...(url ? { url } : {}),
    ...(fallback ? { fallback } : {}),
    ...(paths ? { paths } : {}),
    ...(newest ? { newest } : {}),
    ...(installedVersion ? { installedVersion } : {}),
  };
  if (!existing || existing.stats.documents === 0)
    return { ...common, action: 'install', ...(place.ask ? { ask: true } : {}) };
  if (!before || before.projects.length === 0) {
    // Added by hand from the same address: it is what the project wants.
    if (url !== undefined && existing.source?.location === url) return { ...common, action: 'keep' };
    return {
      alias,
      action: 'leave',
      message: 'there is already a collection of this name, which vai sync did not create',
    };
  }
  if (before.package !== name && (before.package !== undefined || name !== undefined))
    return { alias, action: 'leave', message: `it holds ${before.package ?? 'another source'}` };
  const same = before.version === version && before.via === via && before.from.join('\n') === from.join('\n');
  if (same) return { ...common, action: 'keep' };
  if (newest !== undefined && before.missing === version && before.from[0] === newest) {
    const kept = { ...before, projects: docs.projects };
    return {
      ...common,
      docs: kept,
      action: 'keep',
      message: `no documentation of ${version} was found; this is the latest`,
    };
  }
  return { ...common, action: 'update', ...(place.ask ? { ask: true } : {}) };
}

function ownStep(
  file: ProjectFile,
  collections: ReadonlyMap<string, CollectionView>,
  project: string,
): { own?: OwnStep } {
  if (file.collection === undefined || file.folders.length === 0) return {};
  const paths = foldersInside(file.folder, file.folders);
  const existing = collections.get(file.collection);
  const foreign =
    existing !== undefined && existing.stats.documents > 0 && existing.extra?.['project'] !== project;
  return {
    own: {
      collection: file.collection,
      root: file.folder,
      paths,
      folders: file.folders.map((name) => folderStamp(resolve(join(file.folder, name)))),
      ignore: file.ignore,
      left: file.folders.filter((name) => !paths.includes(join(file.folder, name))),
      ask: foreign,
    },
  };
}

/** Of a project's folders those that are there and inside of it. */
export function foldersInside(folder: string, names: readonly string[]): string[] {
  return names.map((name) => join(folder, name)).filter((path) => isThere(folder, path));
}

/** There, and inside as written and once links are followed. */
function isThere(folder: string, path: string): boolean {
  return isInside(folder, path) && existsSync(path) && isInside(realpathSync(folder), realpathSync(path));
}

/** A fingerprint, because callers who may list collections must not learn the path. */
export function fingerprint(folder: string): string {
  return folderStamp(realpathSync(folder));
}
