// What a project's knowledge base should hold: the documentation of what it is built with, at the version that is
// installed, and its own texts. Packages without known documentation are listed, not dropped.

import { readdirSync, readFileSync, statSync } from 'node:fs';
import { basename, join } from 'node:path';
import { withoutTrailing } from '../../domain/text.ts';
import { majorOf } from '../../domain/version.ts';
import type { Dependency } from '../../ports/project.ts';
import type { RegistryEntry } from '../../ports/registry.ts';
import type { EngineDeps } from '../deps.ts';
import { checkAlias } from '../docs/alias.ts';
import { chooseDocs, entryFor, type Chosen } from './choose.ts';
import { packageId } from './docs-version.ts';

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
  folders: string[];
  sources: ProposedSource[];
  /** Dependencies without documentation that we know of. */
  unknown: { package: string; version?: string }[];
}

const FOLDER = /^(?:docs?|documentation|guides?|handbook|manual|content|topics|wiki|adr|rfcs|notes)$/i;
const FILE = /^(?:readme|contributing|architecture|changelog|changes)\.(?:md|rst|adoc|txt)$/i;

export async function propose(deps: EngineDeps, folder: string): Promise<Proposal> {
  const { entries } = await deps.registry.load();
  const { dependencies, read } = (await deps.project?.dependencies(folder)) ?? { dependencies: [], read: [] };
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
      const alias = aliasOf(dependency, entry, at > 0 ? version : undefined);
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
  return { name: collectionName(folder), read, folders: ownTexts(folder), sources, unknown };
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

/** Folders before files. */
function ownTexts(folder: string): string[] {
  const names = readdirSync(folder);
  const info = (name: string) => statSync(join(folder, name), { throwIfNoEntry: false });
  return [
    ...names.filter((name) => FOLDER.test(name) && info(name)?.isDirectory()),
    ...names.filter((name) => FILE.test(name) && info(name)?.isFile()),
  ];
}

/** The project's own name, as a collection may be called. */
function collectionName(folder: string): string {
  let name = basename(folder);
  try {
    const file = join(folder, 'package.json');
    // Under that name there may be a link to a device, which has no end.
    const manifest = statSync(file, { throwIfNoEntry: false })?.isFile()
      ? (JSON.parse(readFileSync(file, 'utf8')) as { name?: unknown })
      : {};
    if (typeof manifest.name === 'string') name = manifest.name.replace(/^@[^/]+\//, '');
  } catch {
    // A manifest we cannot read: the folder's name will do.
  }
  const plain = name.replaceAll(/[^\p{L}\p{N}_.-]+/gu, '-').replace(/^[^\p{L}\p{N}_]+/u, '');
  return withoutTrailing(plain, '.').slice(0, 64) || 'project';
}
