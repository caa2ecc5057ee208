// Decides what to do with a file, from its bytes and the stored document: nothing, rename or read.

import { existsSync } from 'node:fs';
import { dirname, resolve } from 'node:path';
import type { IngestedFolder } from '../../domain/collection.ts';
import type { DocumentInfo } from '../../domain/document.ts';
import type { Store } from '../../ports/store.ts';
import { documentsOf } from '../documents.ts';
import { isInside } from '../inside.ts';
import { sha256 } from '../text/analyse.ts';
import type { FoundFiles } from './find-files.ts';
import { INDEX_VERSION } from './prepare.ts';
import { modelStamp, sameProfile, type Target } from './target.ts';
import type { Annotator } from './types.ts';

/** What is kept in memory of each stored document. */
export type Stored = Pick<DocumentInfo, 'path' | 'origin' | 'rawSha256' | 'partial' | 'indexedWith'>;

export interface Plan {
  readonly known: ReadonlyMap<string, Stored>;
  /** Documents of the folders given whose file was not found there, by path. */
  readonly missing: Map<string, Stored>;
  /** Those of them that are no longer on disk; the others are only left out of this run. */
  gone(): string[];
  /** What a sync removes: all of them but files that were given by themselves, or in a folder of their own, and are there. */
  surplus(): string[];
  /** The document of this file under another name: of the same place, or of the same bytes and with its own file gone. */
  movedFrom(file: string, rawSha256: string): Stored | undefined;
}

export interface PlanOptions {
  /** The collection is one folder: every document that came from a file belongs to it, but those ingested by themselves. */
  owned?: boolean;
  /** Documents to leave alone although the folder does not contain them. */
  keep?: ReadonlySet<string>;
  /** Stamps of folders that used to be given with these; what came from them no longer belongs here. */
  former?: readonly string[];
  /** Where the documents of the collection were ingested from. */
  ingested?: readonly IngestedFolder[];
}

export async function makePlan(
  store: Store,
  collection: string,
  { found, folders }: FoundFiles,
  { owned = false, keep = new Set(), former, ingested = [] }: PlanOptions,
): Promise<Plan> {
  const known = await storedDocuments(store, collection);
  const there = new Set([...keep, ...found.map((file) => file.path)]);
  const missing = new Map<string, Stored>();
  const placesOf = new Map<string, string[]>();
  const byBytes = new Map<string, string>();
  const byPlace = new Map<string, string>();
  const inside = ingested.filter(({ root }) => folders.some((folder) => isInside(folder.root, root)));
  // A folder given alone names its files without itself, beside others with it, inside another one with the way to it:
  // names it had before are out of date.
  const stamps = new Set([
    ...(former ?? []),
    ...[...folders, ...inside].map(({ root }) => folderStamp(root)),
  ]);
  const given = new Set(folders.flatMap(({ root, home }) => [root, home]).map(folderStamp));
  const named = ingested.filter(({ some }) => some).map((one) => ({ ...one, stamp: folderStamp(one.root) }));
  const isNamed = (path: string, from: string): boolean =>
    named.some(
      ({ prefix, stamp }) =>
        from === stamp && path.startsWith(prefix) && !path.slice(prefix.length).includes('/'),
    );
  const beside = new Set(ingested.map(({ root }) => folderStamp(root)));
  // A repository is fetched into another folder each time: what is beside the folder of a source has a record of its own.
  const isApart = (path: string, from: string): boolean =>
    isNamed(path, from) || (!given.has(from) && (!owned || beside.has(from)));
  const apart = new Set<string>();
  const roots = [
    ...ingested.map((folder) => ({ ...folder, stamp: folderStamp(folder.root), isGiven: false })),
    ...folders.map((folder) => ({ ...folder, stamp: folderStamp(folder.home), isGiven: true })),
  ];
  for (const stored of known.values()) {
    const { path, rawSha256, indexedWith } = stored;
    const from = indexedWith?.folder;
    if (rawSha256 === undefined || there.has(path)) continue;
    const fitting = roots.filter(
      ({ root, prefix, stamp, isGiven }) =>
        path.startsWith(prefix) &&
        (owned || from === stamp || (former && isGiven && isOnTheWay(from, root, path.slice(prefix.length)))),
    );
    const places = fitting.map(({ root, prefix }) => resolve(root, path.slice(prefix.length)));
    for (const place of places) byPlace.set(place, path);
    // A file named by itself has the stamp of the folder it lies in; among former ones it is known by its own.
    const isFormer = former !== undefined && places.some((place) => stamps.has(folderStamp(place)));
    const isOld = isFormer || (from !== undefined && stamps.has(from));
    if (!isOld && !fitting.some(({ isGiven }) => isGiven)) continue;
    missing.set(path, stored);
    if (!former && from !== undefined && isApart(path, from)) apart.add(path);
    placesOf.set(path, places);
    byBytes.set(rawSha256, path);
  }
  const isGone = (path: string): boolean => !placesOf.get(path)!.some((place) => existsSync(place));
  const files = new Set(found.map(({ file }) => file));
  // Rules of the folder around it pass over such a file, a `.gitignore` say; one that was found has its new name.
  const isLeftOut = (path: string): boolean =>
    placesOf.get(path)!.some((place) => !files.has(place) && existsSync(place));
  return {
    known,
    missing,
    gone: () => [...missing.keys()].filter(isGone),
    surplus: () => [...missing.keys()].filter((path) => !apart.has(path) || !isLeftOut(path)),
    movedFrom(file, rawSha256) {
      const here = byPlace.get(file);
      if (here !== undefined) return known.get(here);
      const same = byBytes.get(rawSha256);
      const from = same === undefined ? undefined : missing.get(same);
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

/**
 * Whether a folder around a file has the stamp. Documents that have one name whatever folders are given keep the stamp of
 * the folder that was given when they were read.
 */
function isOnTheWay(stamp: string | undefined, root: string, path: string): boolean {
  for (let [at, up] = ['', dirname(resolve(root, path))]; at !== up; [at, up] = [up, dirname(up)])
    if (folderStamp(up) === stamp) return true;
  return false;
}

/** Tells folders apart without naming a path of this machine. */
export function folderStamp(root: string): string {
  return sha256(root).slice(0, 16);
}

async function storedDocuments(store: Store, collection: string): Promise<Map<string, Stored>> {
  const known = new Map<string, Stored>();
  for await (const { path, origin, rawSha256, partial, indexedWith } of documentsOf(store, collection))
    known.set(path, { path, origin, rawSha256, partial, indexedWith });
  return known;
}
