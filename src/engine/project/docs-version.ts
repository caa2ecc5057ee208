// Which version of a library a collection documents, and how it compares with the installed version.

import type { Collection } from '../../domain/collection.ts';
import { isObject } from '../../domain/object.ts';
import { isVersion, versionMatch, type VersionMatch } from '../../domain/version.ts';
import type { EngineDeps } from '../deps.ts';
import type { CollectionView } from '../scope.ts';

/** Kept in a collection's record by `vai sync`. */
export interface DocsState {
  /** `npm:zod` */
  package?: string;
  /** Of the documentation; unknown where an address serves whatever is newest. */
  version?: string;
  /** No documentation of this version was found, so this is the latest. */
  missing?: string;
  via: 'package' | 'registry' | 'address';
  /** The address or the files, relative to the project. */
  from: string[];
  /** The projects that want it, each a fingerprint of its path. */
  projects: string[];
}

export function docsOf(collection: Pick<Collection, 'extra'> | undefined): DocsState | undefined {
  const found = collection?.extra?.['docs'];
  return isObject(found) && Array.isArray(found['projects']) ? (found as unknown as DocsState) : undefined;
}

/** The version a collection documents: what `vai sync` or the address says, else what the text says of itself. */
export function docsVersionOf(collection: Pick<Collection, 'extra'>): string | undefined {
  const stated = collection.extra?.['statedVersion'];
  return docsOf(collection)?.version ?? (typeof stated === 'string' ? stated : undefined);
}

/** On every hit of a source whose version is known or followed. */
export interface VersionFields {
  docsVersion?: string;
  installedVersion?: string;
  versionMatch?: VersionMatch;
}

/** These fields alone, those that are there. */
export function versionOf(hit: VersionFields): VersionFields {
  if (hit.versionMatch === undefined) return {};
  const { docsVersion, installedVersion, versionMatch: match } = hit;
  return {
    ...(docsVersion === undefined ? {} : { docsVersion }),
    ...(installedVersion === undefined ? {} : { installedVersion }),
    versionMatch: match,
  };
}

/** What is said of the version with hits of each collection. */
export async function versionFields(
  deps: EngineDeps,
  collections: readonly CollectionView[],
): Promise<(collection: string) => VersionFields> {
  const fields = new Map<string, VersionFields>();
  for (const collection of collections) {
    const docs = docsOf(collection);
    const version = docsVersionOf(collection);
    if (!docs && !version) continue;
    const installed = docs?.package
      ? nearestTo(version, await installedVersions(deps, docs.package))
      : undefined;
    fields.set(collection.name, {
      ...(version ? { docsVersion: version } : {}),
      ...(installed ? { installedVersion: installed } : {}),
      versionMatch: versionMatch(version, installed),
    });
  }
  return (collection) => fields.get(collection) ?? {};
}

/** Newest first; none outside a project. */
async function installedVersions({ project, settings }: EngineDeps, id: string): Promise<string[]> {
  const folder = settings.project?.folder;
  if (!project || folder === undefined) return [];
  const { dependencies } = await project.dependencies(folder);
  const wanted = id.toLowerCase();
  return dependencies.find((one) => packageId(one).toLowerCase() === wanted)?.versions ?? [];
}

export function packageId({ ecosystem, name }: { ecosystem: string; name: string }): string {
  return `${ecosystem}:${name}`;
}

/** Of several installed versions the one the documentation is about; else the newest. */
function nearestTo(docs: string | undefined, installed: readonly string[]): string | undefined {
  const ranks: VersionMatch[] = ['same', 'compatible'];
  for (const rank of ranks) {
    const found = installed.find((version) => versionMatch(docs, version) === rank);
    if (found) return found;
  }
  return installed[0];
}

export interface OfVersion {
  collections: CollectionView[];
  /** Why there are none. */
  notice?: { code: string; message: string };
}

/** Of the collections looked at, and of others about the same packages, those of the version asked for. */
export function ofVersion(
  collections: readonly CollectionView[],
  visible: readonly CollectionView[],
  version: string,
): OfVersion {
  const packages = new Set(collections.flatMap((one) => docsOf(one)?.package ?? []));
  const family = visible.filter(
    (one) => collections.includes(one) || packages.has(docsOf(one)?.package ?? '\n'),
  );
  const versioned = family.flatMap((one) => {
    const found = docsVersionOf(one);
    return found ? [{ one, version: found }] : [];
  });
  const fitting = versioned.filter((entry) => isVersion(entry.version, version)).map(({ one }) => one);
  if (fitting.length > 0) return { collections: fitting };
  const there = versioned.slice(0, 10).map((entry) => `${entry.one.name} ${entry.version}`);
  const message = `There is no documentation of version ${version.slice(0, 40)} here, so nothing was searched. ${
    there.length > 0 ? `There is: ${there.join(', ')}.` : 'No source here states its version.'
  }`;
  return { collections: [], notice: { code: 'version_not_there', message } };
}
