// Where the file of a stored document may lie, and whether the document belongs to what is given in a run: the stamp of a
// folder says where it came from, its path where in that folder.

import { dirname, resolve } from 'node:path';
import type { IngestedFolder } from '../../domain/collection.ts';
import type { DocumentInfo } from '../../domain/document.ts';
import { isInside } from '../inside.ts';
import { sha256 } from '../text/analyse.ts';
import type { FoundFiles } from './find-files.ts';

export interface Origin {
  /** Where its file may be. */
  places: string[];
  /** Whether it belongs to what is given, under the name it has there or one it had before. */
  isGiven: boolean;
  /** Whether it was ingested by itself, or in a folder of its own. */
  isApart: boolean;
}

export interface OriginOptions {
  /** The collection is one folder: every document that came from a file belongs to it, but those ingested by themselves. */
  owned?: boolean;
  /** Stamps of folders that used to be given with these; what came from them no longer belongs here. */
  former?: readonly string[];
  /** Where the documents of the collection were ingested from. */
  ingested?: readonly IngestedFolder[];
}

export function originsIn(
  folders: FoundFiles['folders'],
  { owned = false, former, ingested = [] }: OriginOptions,
): (stored: Pick<DocumentInfo, 'path' | 'indexedWith'>) => Origin {
  const stampsOf = (list: readonly { root: string }[]): string[] => list.map(({ root }) => folderStamp(root));
  const inside = ingested.filter(({ root }) => folders.some((folder) => isInside(folder.root, root)));
  // A folder given alone names its files without itself, beside others with it, inside another one with the way to it:
  // names it had before are out of date.
  const renamed = new Set([...(former ?? []), ...stampsOf(folders), ...stampsOf(inside)]);
  const given = new Set([...stampsOf(folders), ...folders.map(({ home }) => folderStamp(home))]);
  const beside = new Set(stampsOf(ingested));
  const roots = [
    ...ingested.map((folder) => ({ ...folder, stamp: folderStamp(folder.root), isGiven: false })),
    ...folders.map((folder) => ({ ...folder, stamp: folderStamp(folder.home), isGiven: true })),
  ];
  const named = ingested.filter(({ some }) => some).map((one) => ({ ...one, stamp: folderStamp(one.root) }));
  const isNamed = (path: string, from: string): boolean =>
    named.some(
      ({ prefix, stamp }) =>
        from === stamp && path.startsWith(prefix) && !path.slice(prefix.length).includes('/'),
    );
  // A repository is fetched into another folder each time: what is beside the folder of a source has a record of its own.
  const isApart = (path: string, from: string): boolean =>
    isNamed(path, from) || (!given.has(from) && (!owned || beside.has(from)));
  return ({ path, indexedWith }) => {
    const from = indexedWith?.folder;
    const fitting = roots.filter(
      ({ root, prefix, stamp, isGiven }) =>
        path.startsWith(prefix) &&
        (owned || from === stamp || (former && isGiven && isOnTheWay(from, root, path.slice(prefix.length)))),
    );
    const places = fitting.map(({ root, prefix }) => resolve(root, path.slice(prefix.length)));
    // A file named by itself has the stamp of the folder it lies in; among former ones it is known by its own.
    const isFormer = former !== undefined && places.some((place) => renamed.has(folderStamp(place)));
    const isOld = isFormer || (from !== undefined && renamed.has(from));
    return {
      places,
      isGiven: isOld || fitting.some((root) => root.isGiven),
      isApart: !former && from !== undefined && isApart(path, from),
    };
  };
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
