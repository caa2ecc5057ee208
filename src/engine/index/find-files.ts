// Resolves the given paths to the files that an ingest reads and an estimate counts, and names their documents. What lies
// inside a folder that was ingested before has the name it has there, so that no text is stored twice; what belongs to a
// project has the name it has there.

import { stat } from 'node:fs/promises';
import { basename, dirname, relative, resolve, sep } from 'node:path';
import type { IngestedFolder } from '../../domain/collection.ts';
import type { Scan } from '../../ports/source.ts';
import type { Call } from '../call.ts';
import type { EngineDeps } from '../deps.ts';
import { isInside } from '../inside.ts';
import { unreadable } from '../unreadable.ts';
import type { FindRequest } from './types.ts';

export interface Found {
  file: string;
  path: string;
  bytes: number;
  /** The folder that was looked through; links out of it are refused. None for a file that was named itself. */
  root?: string;
  /** The folder its document belongs to. */
  home: string;
}

export interface FoundFiles {
  found: Found[];
  /** Each folder given, what the paths of its files begin with (nothing for a folder given alone), where they belong. */
  folders: { root: string; prefix: string; home: string }[];
  /** All folders that documents belong to. */
  homes: IngestedFolder[];
  skipped: Scan['skipped'];
}

export async function findFiles(
  deps: EngineDeps,
  call: Call,
  request: FindRequest,
  ingested: readonly IngestedFolder[] = [],
): Promise<FoundFiles> {
  const found: Found[] = [];
  const folders: FoundFiles['folders'] = [];
  const homes = new Map<string, IngestedFolder>();
  const belongsTo = (home: IngestedFolder): string => {
    homes.set(`${home.prefix}\n${home.root}`, home);
    return home.root;
  };
  const skipped: Scan['skipped'] = [];
  const places = new Map(request.paths.map((given) => [resolve(given), given]));
  const { base } = request;
  const nameOf = base === undefined ? naming([...places.keys()]) : (place: string) => wayTo(place, base);
  const isAlone = base === undefined && places.size === 1;
  for (const [place, given] of places) {
    const info = await stat(place).catch((cause: unknown) => {
      throw unreadable(given, cause);
    });
    const around = folderAround(place, ingested);
    const name = around ? around.prefix + wayTo(place, around.root) : nameOf(place);
    if (!info.isDirectory()) {
      const prefix = name.slice(0, -basename(place).length);
      const home = belongsTo(around ?? { root: dirname(place), prefix, some: true });
      found.push({ file: place, path: name, bytes: info.size, home });
      continue;
    }
    const scan = await deps.files.scan(place, {
      include: request.include,
      exclude: request.exclude,
      maxBytes: request.maxBytes,
      signal: call.signal,
    });
    const prefix = name === '' || (isAlone && !around) ? '' : `${name}/`;
    const home = belongsTo(around ?? { root: place, prefix });
    folders.push({ root: place, prefix, home });
    for (const { path, bytes } of scan.files)
      found.push({ file: resolve(place, path), path: prefix + path, bytes, root: place, home });
    skipped.push(...scan.skipped);
  }
  return { found, folders, homes: [...homes.values()], skipped };
}

/** The outermost folder ingested as a whole that has the place in it. */
function folderAround(place: string, ingested: readonly IngestedFolder[]): IngestedFolder | undefined {
  return ingested
    .filter(({ root, some }) => !some && root !== place && isInside(root, place))
    .reduce<IngestedFolder | undefined>(
      (outer, one) => (outer && outer.root.length < one.root.length ? outer : one),
      undefined,
    );
}

function wayTo(place: string, root: string): string {
  return relative(root, place).split(sep).join('/');
}

/** By its own name; where two places have the same one, each by the way to it from the folder they share. */
function naming(places: readonly string[]): (place: string) => string {
  if (new Set(places.map((place) => basename(place))).size === places.length) return basename;
  let shared = dirname(places[0]!);
  while (!places.every((place) => place.startsWith(shared.endsWith(sep) ? shared : shared + sep)))
    shared = dirname(shared);
  return (place) => wayTo(place, shared);
}
