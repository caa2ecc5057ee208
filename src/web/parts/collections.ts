// What there is to search, and what could be added.

import type { App } from '../app.ts';

export interface CollectionInfo {
  name: string;
  title: string;
  documents: number;
  chunks: number;
  vectors: number;
  lines: number;
  bytes: number;
  model?: string;
  dimensions?: number;
  indexStatus?: string;
  url: string | null;
  location?: string;
  /** Of the library it documents. */
  version?: string;
  /** Left out of a search of all collections. */
  onlyNamed?: true;
  /** It came from an address or a folder that can be asked again. */
  refreshable: boolean;
  checkedAt: string;
  changedAt: string;
  stale: boolean;
  /** Of the last check: pages that could not be read, and pages beyond the limits. */
  pages?: { total: number; failed: number; pending: number };
  problems: string[];
}

export interface Overview {
  collections: CollectionInfo[];
  /** What the server has to say about its configuration. */
  warnings: string[];
  /** How much keys may store: passages and bytes in a collection, and collections. */
  limits?: { chunks: number; bytes: number; collections: number };
}

export interface Candidate {
  alias: string;
  url: string;
  title: string;
  description: string;
  category: string;
}

export async function overview(app: App): Promise<Overview> {
  const answer = await app.server.admin<Overview>('collections');
  answer.collections.sort((a, b) => a.name.localeCompare(b.name));
  return answer;
}

export async function candidates(app: App): Promise<Candidate[]> {
  return (await app.server.admin<{ sources: Candidate[] }>('registry')).sources;
}
