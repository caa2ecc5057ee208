// Whether the file of a document has changed since it was indexed, so that nobody takes an old text for the present one.
// Only files that were ingested are looked at, first by size and time, then by their hash; whoever asks over the network
// learns no more than that.

import { lstat } from 'node:fs/promises';
import { dirname, isAbsolute, resolve } from 'node:path';
import { targetOf } from '../../domain/citation.ts';
import type { IngestedFolder } from '../../domain/collection.ts';
import type { DocumentInfo } from '../../domain/document.ts';
import type { Store } from '../../ports/store.ts';
import { LOCAL, type Call } from '../call.ts';
import type { EngineDeps } from '../deps.ts';
import { shownTo } from '../docs/mask.ts';
import { folderStamp } from '../index/origin.ts';
import { isInside } from '../inside.ts';
import type { CollectionView } from '../scope.ts';
import { sha256 } from '../text/analyse.ts';
import type { CiteNotice } from './types.ts';

export async function changedOnDisk(
  deps: EngineDeps,
  { store, call }: { store: Store; call: Call },
  collection: CollectionView,
  info: DocumentInfo,
): Promise<CiteNotice | undefined> {
  // A database that several machines write to names folders of all of them.
  if (store.kind !== 'sqlite' || info.rawSha256 === undefined) return undefined;
  const places = placesOf(collection, info);
  const found = await Promise.all(places.map((place) => stateOf(deps, place, info)));
  if (found.length === 0 || found.some((state) => state === 'same' || state === 'unknown')) return undefined;
  const isGone = found.every((state) => state === 'gone');
  const [code, what] = isGone
    ? (['gone_from_disk', 'is gone from disk'] as const)
    : (['changed_on_disk', 'has changed on disk since it was indexed'] as const);
  const local = call.principal.id === LOCAL.id;
  const command = local ? commandFor(deps, call, { collection, info, place: places.at(-1)!, isGone }) : '';
  return {
    code,
    message: `The file of \`${targetOf(info)}\` ${what}; this is the text that was indexed.${command}`,
  };
}

interface Place {
  file: string;
  folder: string;
  /** What was ingested: the folder, or this file of it. */
  ingested: string;
}

/** Where its file may be: a folder may have been ingested alone once, and beside others another time. */
function placesOf({ source, folders = [] }: CollectionView, { path, indexedWith }: DocumentInfo): Place[] {
  if (source?.kind === 'file') {
    const { location } = source;
    return path === '' ? [{ file: location, folder: dirname(location), ingested: location }] : [];
  }
  const homes: IngestedFolder[] = [
    ...folders.filter(({ root }) => folderStamp(root) === indexedWith?.folder),
    // Files of other folders may have been ingested beside it.
    ...(source?.kind === 'folder' ? [{ root: source.location, prefix: '' }] : []),
  ];
  return homes.flatMap(({ root, prefix, some }): Place[] => {
    const file = resolve(root, path.slice(prefix.length));
    if (!path.startsWith(prefix) || !isInside(root, file)) return [];
    return [{ file, folder: root, ingested: some ? file : root }];
  });
}

type State = 'same' | 'changed' | 'gone' | 'unknown';

async function stateOf(
  { files }: Pick<EngineDeps, 'files'>,
  { file, folder, ingested }: Place,
  { bytes, fetchedAt, rawSha256 }: DocumentInfo,
): Promise<State> {
  try {
    const info = await lstat(file).catch((thrown: NodeJS.ErrnoException) => thrown);
    if (info instanceof Error) {
      // A folder that is not there is on a disk that is not mounted.
      const isThere = info.code === 'ENOENT' && (await lstat(folder)).isDirectory();
      return isThere ? 'gone' : 'unknown';
    }
    if (info.isFile()) {
      if (info.size !== bytes) return 'changed';
      if (info.mtimeMs <= Date.parse(fetchedAt)) return 'same';
    }
    const now = await files.bytes(file, ingested === file ? {} : { root: folder });
    return sha256(now) === rawSha256 ? 'same' : 'changed';
  } catch {
    return 'unknown';
  }
}

/** Whatever else a name may hold, a shell reads as more than a name. */
const PLAIN = /^[\p{L}\p{N}~/\\:._@+-]+$/u;

function commandFor(
  { settings }: EngineDeps,
  call: Call,
  { collection, info, place, isGone }: Change,
): string {
  const { name, source, extra } = collection;
  const brings = isGone ? 'removes it' : 'brings it up to date';
  if (extra?.['flowrag']) return ` \`flowrag_index\` ${brings}.`;
  if (source) return ` \`blz ${isGone && source.kind === 'file' ? 'remove' : 'update'} ${name}\` ${brings}.`;
  if (typeof extra?.['project'] === 'string') return ` \`vai sync\` ${brings}.`;
  // A file that was ingested by itself cannot be ingested without being there.
  const removes = isGone && place.ingested === place.file;
  const shown = removes ? targetOf(info) : shownTo(settings, call, place.ingested);
  // Where a caller sees only the last name of a path, that would be another folder.
  const isWhole = removes || isAbsolute(shown) || shown.startsWith('~');
  if (!isWhole || !PLAIN.test(shown)) return isGone ? '' : ' Ingesting it again brings it up to date.';
  if (removes) return ` \`vai remove ${shown}\` ${brings}.`;
  return ` \`vai ingest ${shown} --collection ${name}${isGone ? ' --sync' : ''}\` ${brings}.`;
}

interface Change {
  collection: CollectionView;
  info: DocumentInfo;
  place: Place;
  isGone: boolean;
}
