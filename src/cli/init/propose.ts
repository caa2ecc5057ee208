// What a project's knowledge base should hold: the documentation of what it is built with, and its own texts.

import { existsSync, readFileSync, statSync } from 'node:fs';
import { basename, join } from 'node:path';
import { withoutTrailing } from '../../domain/text.ts';
import type { RegistryEntry } from '../../ports/registry.ts';
import { readDependencies, type Dependency } from './dependencies.ts';

export interface Proposal {
  name: string;
  /** Manifests that were read. */
  read: string[];
  sources: { alias: string; title: string; url: string; packages: string[]; version?: string }[];
  folders: string[];
}

const FOLDERS = ['docs', 'doc', 'documentation', 'content', 'wiki', 'adr', 'rfcs', 'notes'];
const FILES = ['README.md', 'CONTRIBUTING.md', 'ARCHITECTURE.md', 'CHANGELOG.md'];

export function propose(folder: string, registry: readonly RegistryEntry[]): Proposal {
  const { dependencies, read } = readDependencies(folder);
  const sources = registry.flatMap((entry) => {
    const used = dependencies.filter((dependency) =>
      names(entry, dependency.ecosystem).includes(dependency.name.toLowerCase()),
    );
    if (used.length === 0) return [];
    const version = used[0]!.version;
    return [
      {
        alias: entry.id,
        title: entry.name,
        url: entry.url,
        packages: used.map((one) => one.name),
        ...(version ? { version } : {}),
      },
    ];
  });
  const folders = [...FOLDERS, ...FILES].filter((name) => existsSync(join(folder, name)));
  return {
    name: collectionName(folder),
    read,
    sources,
    folders: folders.filter((name) => FILES.includes(name) || statSync(join(folder, name)).isDirectory()),
  };
}

function names(entry: RegistryEntry, ecosystem: Dependency['ecosystem']): string[] {
  return (entry.aliases[ecosystem] ?? []).map((name) => name.toLowerCase());
}

/** The project's own name, as a collection may be called. */
function collectionName(folder: string): string {
  let name = basename(folder);
  try {
    const manifest = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8')) as { name?: unknown };
    if (typeof manifest.name === 'string') name = manifest.name.replace(/^@[^/]+\//, '');
  } catch {
    // No manifest, or none we can read: the folder's name will do.
  }
  const plain = name.replaceAll(/[^\p{L}\p{N}_.-]+/gu, '-').replace(/^[^\p{L}\p{N}_]+/u, '');
  return withoutTrailing(plain, '.').slice(0, 64) || 'project';
}
