// What a project's knowledge base should hold: the documentation of what it is built with, at the version that is
// installed, and its own texts. Packages without known documentation are listed, not dropped.

import { basename } from 'node:path';
import { withoutTrailing } from '../../domain/text.ts';
import { majorOf } from '../../domain/version.ts';
import type { Dependency } from '../../ports/project.ts';
import type { RegistryEntry } from '../../ports/registry.ts';
import type { Call } from '../call.ts';
import type { EngineDeps } from '../deps.ts';
import { checkAlias } from '../docs/alias.ts';
import { chooseDocs, entryFor, type Chosen } from './choose.ts';
import { packageId } from './docs-version.ts';
import { ownTexts, type ProposedFolder } from './prose.ts';

export interface ProposedSource {
  alias: string;
  /** `npm:zod` */
  package: string;
  /** Which of several installed versions. */
  version?: string;
  /** What is installed now, and what the documentation is of. */
  installedVersion?: string;
  docsVersion?: string;
  via: Chosen['via'];
  url?: string;
}

export interface Proposal {
  name: string;
  /** Manifests and lockfiles that were read. */
  read: string[];
  /** Its own texts. */
  folders: ProposedFolder[];
  /** Folders of source code that are left out. */
  code: ProposedFolder[];
  sources: ProposedSource[];
  /** Dependencies without documentation that we know of. */
  unknown: { package: string; version?: string }[];
}

export async function propose(deps: EngineDeps, call: Call, folder: string): Promise<Proposal> {
  const { entries } = await deps.registry.load();
  const found = await deps.project?.dependencies(folder);
  const { dependencies, read, names } = found ?? { dependencies: [], read: [], names: [] };
  const name = collectionName(folder, names);
  const taken = new Set<string>();
  const sources: ProposedSource[] = [];
  const unknown: Proposal['unknown'] = [];
  for (const dependency of dependencies) {
    const entry = entryFor(entries, dependency);
    for (const [at, version] of (dependency.versions.length ? byMajor(dependency) : [undefined]).entries()) {
      const chosen = await chooseDocs(deps, { folder, dependency, version, entry });
      // An older version is not served by documentation of the newest.
      if (!chosen || (at > 0 && chosen.version === undefined)) {
        unknown.push({ package: packageId(dependency), ...(version ? { version } : {}) });
        continue;
      }
      const plain = aliasOf(dependency, entry, at > 0 ? version : undefined);
      // Its own texts have a collection already.
      const alias = plain.toLowerCase() === name.toLowerCase() ? `${plain}-docs` : plain;
      // Several packages may share their documentation.
      if (taken.has(alias)) continue;
      taken.add(alias);
      sources.push({
        alias,
        package: packageId(dependency),
        ...(at > 0 && version ? { version: majorOf(version).replace('-', '.') } : {}),
        ...(version ? { installedVersion: version } : {}),
        ...(chosen.version ? { docsVersion: chosen.version } : {}),
        via: chosen.via,
        ...(chosen.url ? { url: chosen.url } : {}),
      });
    }
  }
  const { files } = await deps.files.scan(folder, { signal: call.signal });
  return { name, read, ...ownTexts(files, read.length > 0), sources, unknown };
}

/** The newest of each major version. */
function byMajor({ versions }: Dependency): string[] {
  const newest = new Map<string, string>();
  for (const version of versions) if (!newest.has(majorOf(version))) newest.set(majorOf(version), version);
  return [...newest.values()];
}

function aliasOf(
  { name }: Dependency,
  entry: RegistryEntry | undefined,
  version: string | undefined,
): string {
  const plain = (entry?.id ?? name).replace(/^[^A-Za-z]+/, '').replaceAll(/[^A-Za-z0-9_-]+/g, '-');
  const alias = `${plain.slice(0, 50) || 'package'}${version ? `-${majorOf(version)}` : ''}`;
  try {
    return checkAlias(alias);
  } catch {
    return `${alias}-docs`;
  }
}

/** As the manifests of its root call it, if they agree or one calls it as its folder is called; else as its folder. */
function collectionName(folder: string, names: readonly string[]): string {
  const own = basename(folder);
  const isOwn = (name: string): boolean => name.toLowerCase() === own.toLowerCase();
  const agreed = new Set(names.map((name) => name.toLowerCase())).size === 1 ? names[0] : undefined;
  const name = names.find(isOwn) ?? agreed ?? own;
  const plain = name.replaceAll(/[^\p{L}\p{N}_.-]+/gu, '-').replace(/^[^\p{L}\p{N}_]+/u, '');
  return withoutTrailing(plain, '.').slice(0, 64) || 'project';
}
