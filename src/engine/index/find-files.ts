// Resolves the given paths to the files that an ingest reads and an estimate counts.

import { stat } from 'node:fs/promises';
import { basename, dirname, relative, resolve, sep } from 'node:path';
import type { Scan } from '../../ports/source.ts';
import type { Call } from '../call.ts';
import type { EngineDeps } from '../deps.ts';
import { unreadable } from '../unreadable.ts';
import type { FindRequest } from './types.ts';

export interface Found {
  file: string;
  path: string;
  bytes: number;
  /** The folder it was found in; links out of it are refused. */
  root?: string;
}

export interface FoundFiles {
  found: Found[];
  /** Each folder given, and what the paths of its files begin with: nothing for a folder given alone. */
  folders: { root: string; prefix: string }[];
  skipped: Scan['skipped'];
}

export async function findFiles(deps: EngineDeps, call: Call, request: FindRequest): Promise<FoundFiles> {
  const found: Found[] = [];
  const folders: FoundFiles['folders'] = [];
  const skipped: Scan['skipped'] = [];
  const places = new Map(request.paths.map((given) => [resolve(given), given]));
  const nameOf = naming([...places.keys()]);
  for (const [place, given] of places) {
    const info = await stat(place).catch((cause: unknown) => {
      throw unreadable(given, cause);
    });
    if (!info.isDirectory()) {
      found.push({ file: place, path: nameOf(place), bytes: info.size });
      continue;
    }
    const scan = await deps.files.scan(place, {
      include: request.include,
      exclude: request.exclude,
      maxBytes: request.maxBytes,
      signal: call.signal,
    });
    const prefix = places.size > 1 ? `${nameOf(place)}/` : '';
    folders.push({ root: place, prefix });
    for (const { path, bytes } of scan.files)
      found.push({ file: resolve(place, path), path: prefix + path, bytes, root: place });
    skipped.push(...scan.skipped);
  }
  return { found, folders, skipped };
}

/** By its own name; where two places have the same one, each by the way to it from the folder they share. */
function naming(places: readonly string[]): (place: string) => string {
  if (new Set(places.map((place) => basename(place))).size === places.length) return basename;
  let shared = dirname(places[0]!);
  while (!places.every((place) => place.startsWith(shared.endsWith(sep) ? shared : shared + sep)))
    shared = dirname(shared);
  return (place) => relative(shared, place).split(sep).join('/');
}
