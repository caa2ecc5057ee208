// Where the documentation of a package comes from: with the installed package, from a versioned address in the
// registry, or from the latest documentation, marked as such. The registry is preferred to a bare README.

import { compareVersions, isVersion } from '../../domain/version.ts';
import type { Dependency, Ecosystem, PackageDocs } from '../../ports/project.ts';
import type { RegistryEntry } from '../../ports/registry.ts';
import type { EngineDeps } from '../deps.ts';

export interface Chosen {
  via: 'package' | 'registry';
  /** Of the documentation, where it is known. */
  version?: string;
  url?: string;
  fallback?: string;
  paths?: string[];
  /** Where the newest is, should there be nothing at the address of the version. */
  newest?: string;
}

export interface Asked {
  folder: string;
  dependency: Pick<Dependency, 'ecosystem' | 'name'> | undefined;
  /** Installed, where a lockfile says so. */
  version: string | undefined;
  entry: RegistryEntry | undefined;
}

export async function chooseDocs(deps: EngineDeps, asked: Asked): Promise<Chosen | undefined> {
  const { folder, dependency, version, entry } = asked;
  const docs = dependency
    ? await deps.project?.packageDocs(folder, { ...dependency, ...(version ? { version } : {}) })
    : undefined;
  if (docs?.rich) return fromPackage(docs);
  if (entry) {
    const versioned = version ? versionedAddress(entry, version) : undefined;
    if (versioned) return { via: 'registry', ...versioned, newest: entry.url };
    return { via: 'registry', url: entry.url, ...(entry.fallback ? { fallback: entry.fallback } : {}) };
  }
  return docs ? fromPackage(docs) : undefined;
}

function fromPackage({ version, paths }: PackageDocs): Chosen {
  return { via: 'package', version, paths };
}

/** `…/v{major}/llms.txt` filled in; as precise as the address is. */
function versionedAddress(
  { versioned }: RegistryEntry,
  version: string,
): { url: string; version: string } | undefined {
  const [major, minor] = /^v?(\d+)(?:\.(\d+))?/.exec(version)?.slice(1) ?? [];
  if (!versioned || major === undefined) return undefined;
  if (versioned.includes('{minor}') && minor === undefined) return undefined;
  const precise = versioned.includes('{version}')
    ? version
    : versioned.includes('{minor}')
      ? `${major}.${minor}`
      : major;
  const url = versioned
    .replaceAll('{version}', encodeURIComponent(version))
    .replaceAll('{major}', major)
    .replaceAll('{minor}', minor ?? '');
  return { url, version: precise };
}

export function entryFor(
  entries: readonly RegistryEntry[],
  { ecosystem, name }: { ecosystem: Ecosystem; name: string },
): RegistryEntry | undefined {
  // A Go module has its major version in its name from the second on.
  const wanted = (ecosystem === 'go' ? name.replace(/\/v\d{1,4}$/, '') : name).toLowerCase();
  return entries.find((entry) => entry.aliases[ecosystem]?.some((one) => one.toLowerCase() === wanted));
}

/** The newest installed version that a rule means. */
export function followed(versions: readonly string[], rule: string | undefined): string | undefined {
  const fitting = rule === undefined ? versions : versions.filter((version) => isVersion(version, rule));
  return fitting.toSorted((a, b) => compareVersions(b, a))[0];
}
