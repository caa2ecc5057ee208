// Taking a lock that somebody may hold. Clocks of different machines need not agree, and one may be set while a lock is
// held, so no time that another process wrote is believed: a lock is free when its process has certainly ended, or when it
// was not renewed for its time while this process watched.

import { setTimeout as sleep } from 'node:timers/promises';
import { VaiError } from '../domain/errors.ts';
import type { LockResult } from '../ports/store.ts';
import { isGone, isRunning } from './owner.ts';

export interface LockRequest {
  name: string;
  info: string;
  ttlMs: number;
}

export interface Held {
  owner: string;
  info: string;
  since: string;
  /** Another one after every renewal. */
  mark: number;
}

/** A lock as a store keeps it. */
export interface LockRow {
  /** Takes it where nobody holds it, or whoever does still does as seen. */
  take(from?: Held): Promise<boolean>;
  read(): Promise<Held | undefined>;
  /** False where it is not ours any more. */
  renew(info: string): Promise<boolean>;
  release(): Promise<void>;
}

/** How often a lock of another machine is looked at. */
const LOOK_MS = 250;
/** Who waited longer for an answer may have missed a renewal that could not be written either. */
const SLOW_MS = 2000;

/** Since when, by this process's own clock, each lock is as it was last seen. */
type Watched = Map<string, { owner: string; mark: number; since: number }>;

const watches = new WeakMap<object, Watched>();

/** `store` is whatever the lock belongs to: names are told apart by it. */
export async function takeLock(
  store: object,
  row: LockRow,
  { name, ttlMs }: LockRequest,
): Promise<LockResult> {
  const watched = watches.get(store) ?? (new Map() as Watched);
  watches.set(store, watched);
  const held = await takeOrSee(row, name, { ttlMs, watched });
  if (held) return { held: false, info: held.info, since: held.since };
  watched.delete(name);
  return {
    held: true,
    async renew(info) {
      if (await row.renew(info)) return;
      throw new VaiError(
        'INDEX_BUSY',
        'Another process took over this work because it seemed to have stopped.',
        { hint: 'Wait until it has ended, then try again.' },
      );
    },
    release: () => row.release(),
  };
}

/** Who holds it; nobody else when it was taken. */
async function takeOrSee(
  row: LockRow,
  name: string,
  { ttlMs, watched }: { ttlMs: number; watched: Watched },
): Promise<Held | undefined> {
  let first: Held | undefined;
  for (;;) {
    if (await row.take()) return undefined;
    const began = performance.now();
    const held = await row.read();
    if (!held) continue;
    if (performance.now() - began > SLOW_MS) watched.delete(name);
    if (isGone(held.owner) || hasStopped(watched, name, held, ttlMs)) {
      if (await row.take(held)) return undefined;
      continue;
    }
    first ??= held;
    const renewed = held.owner !== first.owner || held.mark !== first.mark;
    if (renewed || isRunning(held.owner)) return held;
    // Its process cannot be asked from here: the next renewal, or none in its time, tells whether it lives.
    await sleep(LOOK_MS);
  }
}

function hasStopped(watched: Watched, name: string, { owner, mark }: Held, ttlMs: number): boolean {
  const seen = watched.get(name);
  if (seen?.owner === owner && seen.mark === mark) return performance.now() - seen.since > ttlMs;
  watched.set(name, { owner, mark, since: performance.now() });
  return false;
}
