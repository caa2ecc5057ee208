// Decides what to do with a file, from its bytes and the stored document: nothing, rename or read.

import { existsSync } from 'node:fs';
import type { DocumentInfo } from '../../domain/document.ts';
import type { Store } from '../../ports/store.ts';
import { documentsOf } from '../documents.ts';
import type { FoundFiles } from './find-files.ts';
import { originsIn, type Origin, type OriginOptions } from './origin.ts';
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

export interface PlanOptions extends OriginOptions {
  /** Documents to leave alone although the folder does not contain them. */
  keep?: ReadonlySet<string>;
}

export async function makePlan(
  store: Store,
  collection: string,
  { found, folders }: FoundFiles,
  options: PlanOptions,
): Promise<Plan> {
  const known = await storedDocuments(store, collection);
  const there = new Set([...(options.keep ?? []), ...found.map((file) => file.path)]);
  const originOf = originsIn(folders, options);
  const missing = new Map<string, Stored>();
  const origins = new Map<string, Origin>();
  const byBytes = new Map<string, string>();
  const byPlace = new Map<string, string>();
  for (const stored of known.values()) {
    const { path, rawSha256 } = stored;
    if (rawSha256 === undefined || there.has(path)) continue;
    const origin = originOf(stored);
    for (const place of origin.places) byPlace.set(place, path);
    if (!origin.isGiven) continue;
    missing.set(path, stored);
    origins.set(path, origin);
    byBytes.set(rawSha256, path);
  }
  const isGone = (path: string): boolean => !origins.get(path)!.places.some((place) => existsSync(place));
  const files = new Set(found.map(({ file }) => file));
  // Rules of the folder around it pass over such a file, a `.gitignore` say; one that was found has its new name.
  const isKept = ({ isApart, places }: Origin): boolean =>
    isApart && places.some((place) => !files.has(place) && existsSync(place));
  return {
    known,
    missing,
    gone: () => [...missing.keys()].filter(isGone),
    surplus: () => [...missing.keys()].filter((path) => !isKept(origins.get(path)!)),
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

async function storedDocuments(store: Store, collection: string): Promise<Map<string, Stored>> {
  const known = new Map<string, Stored>();
  for await (const { path, origin, rawSha256, partial, indexedWith } of documentsOf(store, collection))
    known.set(path, { path, origin, rawSha256, partial, indexedWith });
  return known;
}
