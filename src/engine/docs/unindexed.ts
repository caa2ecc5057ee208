// The oldest change that is not indexed yet: of a file or folder of this machine, of the project's own folders, or a
// held new version of a source. Changed files are recognised by their times; a deleted file leaves none.

import { existsSync } from 'node:fs';
import { stat } from 'node:fs/promises';
import type { Collection } from '../../domain/collection.ts';
import type { EngineDeps } from '../deps.ts';
import { fingerprint, foldersInside } from '../project/plan.ts';

/** A look through folders on the way to an answer that somebody waits for. */
export const MAX_LOOK_MS = 1_000;

interface OnDisk {
  paths: readonly string[];
  exclude: readonly string[];
  /** Until when changes are indexed. */
  until: string;
}

export interface Unindexed {
  /** Whether there are files, and they could not be looked through in time. */
  unknown: boolean;
  since?: string;
}

export async function unindexed(
  deps: Pick<EngineDeps, 'files' | 'settings'>,
  collection: Collection,
  signal: AbortSignal | undefined,
): Promise<Unindexed> {
  const held = collection.source?.heldSince;
  const place = onDisk(deps, collection);
  const times = place ? await changesOf(deps, place, signal) : [];
  const first = earliest([...(held ? [held] : []), ...(times ?? []).map((at) => new Date(at).toISOString())]);
  return { unknown: times === undefined, ...(first ? { since: first } : {}) };
}

function onDisk({ settings }: Pick<EngineDeps, 'settings'>, collection: Collection): OnDisk | undefined {
  const { name, source, extra } = collection;
  if (source?.kind === 'folder' || source?.kind === 'file')
    return { paths: [source.location], exclude: [], until: source.fetchedAt };
  const { folder = '', own } = settings.project ?? {};
  const until = extra?.['indexedAt'];
  if (own?.collection !== name || typeof until !== 'string' || !existsSync(folder)) return undefined;
  if (extra?.['project'] !== fingerprint(folder)) return undefined;
  return { paths: foldersInside(folder, own.folders), exclude: own.ignore, until };
}

/** When files changed after they were indexed, the oldest of each folder; undefined where that cannot be told. */
async function changesOf(
  { files }: Pick<EngineDeps, 'files'>,
  { paths, exclude, until }: OnDisk,
  signal: AbortSignal | undefined,
): Promise<number[] | undefined> {
  const indexed = Date.parse(until);
  const options = { exclude: [...exclude], signal };
  const changes: number[] = [];
  try {
    for (const path of paths) {
      // What is gone, or on another machine that writes to the same store, says nothing.
      const found = await stat(path).catch(() => undefined);
      if (!found) continue;
      const times = found.isDirectory()
        ? (await files.scan(path, options)).files.map(({ modifiedMs }) => modifiedMs)
        : [Math.trunc(found.mtimeMs)];
      const oldest = times.reduce((first, at) => (at > indexed && at < first ? at : first), Infinity);
      if (oldest < Infinity) changes.push(oldest);
    }
    return changes;
  } catch {
    return undefined;
  }
}

export function earliest(times: readonly string[]): string | undefined {
  return times.toSorted()[0];
}
