// Resolves the given paths to the files that an ingest reads and an estimate counts, and names their documents. What lies
// inside a folder that was ingested before has the name it has there, so that no text is stored twice; what belongs to a
// project has the name it has there; and what lies inside another folder that is given belongs to that one.

import type { Stats } from 'node:fs';
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
  const given = await placesOf(request);
  const outer = given.filter(({ inside }) => inside === 0);
  const { base } = request;
  const nameOf =
    base === undefined
      ? naming(outer.map(({ place }) => place))
      : (place: string): string => wayTo(place, base);
  const isAlone = base === undefined && outer.length === 1;
  // Files found, and the folders that they lie in.
  const covered = new Set<string>();
  const cover = (file: string, root: string): void => {
    for (let at = file; at !== root && !covered.has(at); at = dirname(at)) covered.add(at);
  };
  for (const { place, info, inside } of given) {
    // The folder around it has it, unless its rules pass over it.
    if (covered.has(place)) continue;
    const around = folderAround(place, ingested);
    const outermost = around ?? (inside > 0 ? folderAround(place, folders) : undefined);
    const name = outermost ? outermost.prefix + wayTo(place, outermost.root) : nameOf(place);
    if (!info.isDirectory()) {
      const prefix = name.slice(0, -basename(place).length);
      const home = belongsTo(around ?? { root: dirname(place), prefix, some: true });
      found.push({ file: place, path: name, bytes: info.size, home });
      continue;
    }
    const prefix = name === '' || (isAlone && !outermost) ? '' : `${name}/`;
    // Whoever names documents by the way from the base may write patterns so, too.
    const isInner = (pattern: string): boolean =>
      base !== undefined && prefix !== '' && pattern.startsWith(prefix);
    const inner = request.exclude?.filter(isInner).map((pattern) => pattern.slice(prefix.length)) ?? [];
    const scan = await deps.files.scan(place, {
      include: request.include,
      exclude: request.exclude?.concat(inner),
      maxBytes: request.maxBytes,
      signal: call.signal,
    });
    const home = belongsTo(around ?? { root: place, prefix });
    folders.push({ root: place, prefix, home });
    for (const { path, bytes } of scan.files) {
      const file = resolve(place, path);
      found.push({ file, path: prefix + path, bytes, root: place, home });
      cover(file, place);
    }
    skipped.push(...scan.skipped);
  }
  return { found, folders, homes: [...homes.values()], skipped };
}

interface Given {
  place: string;
  info: Stats;
  /** How many of the folders given it lies in. */
  inside: number;
}

/** Each place once, and after the folders that have it in them. */
async function placesOf({ paths }: FindRequest): Promise<Given[]> {
  const places = new Map(paths.map((given) => [resolve(given), given]));
  const infos = new Map<string, Stats>();
  for (const [place, given] of places)
    infos.set(
      place,
      await stat(place).catch((cause: unknown) => {
        throw unreadable(given, cause);
      }),
    );
  const depth = (place: string): number => {
    const up = dirname(place);
    return up === place ? 0 : depth(up) + (infos.get(up)?.isDirectory() ? 1 : 0);
  };
  return [...infos]
    .map(([place, info]) => ({ place, info, inside: depth(place) }))
    .sort((a, b) => a.inside - b.inside);
}

/** The outermost folder ingested as a whole that has the place in it. */
function folderAround<T extends Pick<IngestedFolder, 'root' | 'prefix' | 'some'>>(
  place: string,
  ingested: readonly T[],
): T | undefined {
  return ingested
    .filter(({ root, some }) => !some && root !== place && isInside(root, place))
    .reduce<T | undefined>(
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
