// What there is to search, put together from what three tools know: counts and model, address and age, size.

import type { App } from '../app.ts';

export interface CollectionInfo {
  name: string;
  title: string;
  chunks?: number;
  documents?: number;
  lines?: number;
  headings?: number;
  /** As the server prints it. */
  size?: string;
  model?: string;
  dimensions?: number;
  indexStatus?: string;
  url?: string;
  updatedAt: string;
  checkedAt?: string;
  stale: boolean;
  error?: string;
}

export interface Candidate {
  alias: string;
  url: string;
  title: string;
  description: string;
  category: string;
}

interface CollectionRow {
  name: string;
  documentCount: number;
  sources: number;
  model?: string;
  dimensions?: number;
  indexStatus?: string;
  title?: string;
  updatedAt: string;
  error?: string;
}

type SourceRow =
  | {
      kind: 'installed';
      alias: string;
      title: string;
      url: string | null;
      fetchedAt: string;
      stale: boolean;
      metadata: { totalLines: number; headings: number };
    }
  | ({ kind: 'registry' } & Candidate);

export async function collectionNames(app: App): Promise<string[]> {
  return (await collections(app)).map((one) => one.name);
}

async function collections(app: App): Promise<CollectionInfo[]> {
  return (await overview(app)).infos;
}

/** The collections, and what the server has to say about its configuration. */
export async function overview(app: App): Promise<{ infos: CollectionInfo[]; warnings: string[] }> {
  const [{ collections: rows, warnings = [] }, sources] = await Promise.all([
    vaiCollections(app),
    installed(app),
  ]);
  const infos = new Map<string, CollectionInfo>();
  for (const row of rows) {
    const { documentCount, sources: documents, title, ...rest } = row;
    infos.set(row.name, {
      ...rest,
      title: title ?? row.name,
      chunks: documentCount,
      documents,
      stale: false,
    });
  }
  for (const source of sources) {
    const info = infos.get(source.alias);
    infos.set(source.alias, {
      updatedAt: source.fetchedAt,
      ...info,
      name: source.alias,
      title: source.title || info?.title || source.alias,
      lines: source.metadata.totalLines,
      headings: source.metadata.headings,
      checkedAt: source.fetchedAt,
      stale: source.stale,
      ...(source.url ? { url: source.url } : {}),
    });
  }
  return { infos: [...infos.values()].sort((a, b) => a.name.localeCompare(b.name)), warnings };
}

/** Sizes by name, read from the lines `stats` prints. */
export async function sizes(app: App): Promise<Map<string, string>> {
  if (!app.tools.has('run-command')) return new Map();
  const { stdout } = await app.server.call<{ stdout: string }>('run-command', { command: 'stats' });
  return parseSizes(stdout);
}

export function parseSizes(report: string): Map<string, string> {
  const found = new Map<string, string>();
  for (const line of report.split('\n')) {
    const match = /^(.+): [\d,]+ lines, ([\d.]+ [KMGT]?B), /.exec(line);
    if (match) found.set(match[1]!, match[2]!);
  }
  return found;
}

export async function candidates(app: App): Promise<Candidate[]> {
  if (!app.tools.has('list-sources')) return [];
  const { sources } = await app.server.call<{ sources: SourceRow[] }>('list-sources', {});
  return sources.filter((source) => source.kind === 'registry');
}

async function vaiCollections(app: App): Promise<{ collections: CollectionRow[]; warnings?: string[] }> {
  return app.tools.has('vai_collections') ? app.server.call('vai_collections', {}) : { collections: [] };
}

async function installed(app: App) {
  if (!app.tools.has('list-sources')) return [];
  const { sources } = await app.server.call<{ sources: SourceRow[] }>('list-sources', {});
  return sources.filter((source) => source.kind === 'installed');
}
