// Decides what to do with a file, from its bytes and the stored document: nothing, rename or read.

import { existsSync } from 'node:fs';
import { extname, resolve } from 'node:path';
import type { DocumentInfo } from '../../domain/document.ts';
import type { Store } from '../../ports/store.ts';
import { documentsOf } from '../documents.ts';
import { sha256 } from '../text/analyse.ts';
import type { FoundFiles } from './find-files.ts';
import { INDEX_VERSION } from './prepare.ts';
import { modelStamp, sameProfile, type Target } from './target.ts';
import type { Annotator } from './types.ts';

/** What is kept in memory of each stored document. */
export type Stored = Pick<DocumentInfo, 'path' | 'rawSha256' | 'partial' | 'indexedWith'>;

export interface Plan {
  readonly known: ReadonlyMap<string, Stored>;
  /** Documents of the folders given whose file was not found there, by path. */
  readonly missing: Map<string, Stored>;
  /** Those of them that are no longer on disk; the others are only left out of this run. */
  gone(): string[];
  /** The missing document that has the same bytes: this file under its old name. */
  movedFrom(path: string, rawSha256: string): Stored | undefined;
}

export interface PlanOptions {
  /** The collection is one folder: every document that came from a file belongs to it. */
  owned?: boolean;
  /** Documents to leave alone although the folder does not contain them. */
  keep?: ReadonlySet<string>;
  /** Stamps of folders that used to be given with these; what came from them no longer belongs here. */
  former?: readonly string[];
}

export async function makePlan(
  store: Store,
  collection: string,
  { found, folders }: FoundFiles,
  { owned = false, keep = new Set(), former = [] }: PlanOptions,
): Promise<Plan> {
  const known = await storedDocuments(store, collection);
  const there = new Set([...keep, ...found.map((file) => file.path)]);
  const missing = new Map<string, Stored>();
  const byBytes = new Map<string, string>();
  const places = new Map<string, string>();
  // A folder given alone names its files without itself, beside others with it: those names are out of date too.
  const stamps = new Set([...former, ...folders.map(({ root }) => folderStamp(root))]);
  for (const stored of known.values()) {
    const { path, rawSha256, indexedWith } = stored;
    const from = indexedWith?.folder;
    const home = folders.find(
      ({ root, prefix }) => path.startsWith(prefix) && (owned || from === folderStamp(root)),
    );
    if (!home && !(from !== undefined && stamps.has(from))) continue;
    if (rawSha256 === undefined || there.has(path)) continue;
    missing.set(path, stored);
    if (home) places.set(path, resolve(home.root, path.slice(home.prefix.length)));
    byBytes.set(rawSha256 + extname(path), path);
  }
  const isGone = (path: string): boolean => {
    const place = places.get(path);
    return place === undefined || !existsSync(place);
  };
  return {
    known,
    missing,
    gone: () => [...missing.keys()].filter(isGone),
    movedFrom(path, rawSha256) {
      const from = missing.get(byBytes.get(rawSha256 + extname(path)) ?? '');
      // A file that is only left out of this run has not moved.
      return from && isGone(from.path) ? from : undefined;
    },
  };
}

/** What a document is to be indexed with; a model or schema that is not asked for may be anything. */
export interface Wanted {
  chunking: Target['chunking'];
  model?: string;
  schema?: string;
}

export function wantedOf({ chunking, embedder, collection }: Target, annotator?: Annotator): Wanted {
  return {
    chunking,
    model: embedder && modelStamp(collection.embedding!),
    schema: annotator?.stamp.schema,
  };
}

/** Whether indexing the same bytes now would give the stored document. */
export function isCurrent(
  { partial, indexedWith: made }: Pick<Stored, 'partial' | 'indexedWith'>,
  wanted: Wanted,
): boolean {
  if (partial || made?.version !== INDEX_VERSION) return false;
  const { model, schema } = wanted;
  return (
    sameProfile(made.chunking, wanted.chunking(made)) &&
    (model === undefined || made.model === model) &&
    (schema === undefined || made.graph?.schema === schema)
  );
}

/** Tells folders apart without naming a path of this machine. */
export function folderStamp(root: string): string {
  return sha256(root).slice(0, 16);
}

async function storedDocuments(store: Store, collection: string): Promise<Map<string, Stored>> {
  const known = new Map<string, Stored>();
  for await (const { path, rawSha256, partial, indexedWith } of documentsOf(store, collection))
    known.set(path, { path, rawSha256, partial, indexedWith });
  return known;
}
