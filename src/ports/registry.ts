// Where documentation sources are known by name before they are added: the list shipped with vai and the user's own.

import type { Ecosystem } from './project.ts';

export interface RegistryEntry {
  id: string;
  url: string;
  name: string;
  description: string;
  /** Tried when `url` does not answer with documentation. */
  fallback?: string;
  /** Address of one version: `{major}`, `{minor}` and `{version}` stand for what is installed. */
  versioned?: string;
  category: string;
  tags: string[];
  /** Names under which packages and repositories carry it; a Go module without `/v2`. */
  aliases: Partial<Record<Ecosystem | 'github', string[]>>;
}

export interface Registry {
  /** Sorted by id; the user's entries replace ours of the same id. Notices say what of the user's file was left out. */
  load(): Promise<{ entries: readonly RegistryEntry[]; notices: string[] }>;
}
