// Transactions with snapshot isolation. A transaction keeps its writes beside the committed versions of each record,
// so rolling back forgets them and committing turns them into one new version for all records at once.

import { writeConflict, Blocked } from '../errors.ts';
import type { Collection, RecordEntry } from './collection.ts';
import type { Doc } from '../wire/framing.ts';

export interface Transaction {
  readonly snapshot: number;
  state: 'active' | 'committed' | 'aborted';
  readonly writes: Set<RecordEntry>;
  /** Collections that exist only because this transaction wrote to them. */
  readonly created: Set<Collection>;
  readonly ended: Promise<void>;
  end(): void;
}

export interface Clock {
  /** Logical time of the last commit. */
  now: number;
  readonly active: Set<Transaction>;
}

export function createClock(): Clock {
  return { now: 0, active: new Set() };
}

export function beginTransaction(clock: Clock): Transaction {
  const { promise, resolve } = Promise.withResolvers<void>();
  const transaction: Transaction = {
    snapshot: clock.now,
    state: 'active',
    writes: new Set(),
    created: new Set(),
    ended: promise,
    end: resolve,
  };
  clock.active.add(transaction);
  return transaction;
}

/** The oldest moment that somebody may still read. */
export function horizon(clock: Clock): number {
  let oldest = clock.now;
  for (const transaction of clock.active) oldest = Math.min(oldest, transaction.snapshot);
  return oldest;
}

/** What a reader sees of a record: its own write, else the snapshot, else the last commit. */
export function visible(record: RecordEntry, transaction: Transaction | undefined): Doc | null {
  if (!transaction) return record.versions[0]?.doc ?? null;
  if (record.lock === transaction) return record.pending ?? null;
  return record.versions.find((version) => version.time <= transaction.snapshot)?.doc ?? null;
}

/** Refuses a write that another transaction has made, or that was committed after this one began. */
export function claim(record: RecordEntry, transaction: Transaction | undefined): void {
  if (record.lock && record.lock !== transaction) {
    if (transaction) throw writeConflict();
    throw new Blocked(record.lock.ended);
  }
  if (transaction && (record.versions[0]?.time ?? 0) > transaction.snapshot) throw writeConflict(true);
}
