// Locks over all processes that share a database. A lock that is not renewed in time may be taken by another, and one
// whose process has ended on this machine at once. The clocks of machines that share a database must agree to within a
// small part of a lock's life.

import type { Document } from 'mongodb';
import { VaiError } from '../../domain/errors.ts';
import type { LockResult } from '../../ports/store.ts';
import type { Database } from './database.ts';
import { isDuplicate } from './errors.ts';
import { NAMES } from './layout.ts';
import { isGone, newOwner } from '../owner.ts';

interface LockDocument extends Document {
  _id: string;
  owner: string;
  info: string;
  since: string;
  expires: Date;
}

export interface LockRequest {
  name: string;
  info: string;
  ttlMs: number;
}

export function takeLock(database: Database, { name, info, ttlMs }: LockRequest): Promise<LockResult> {
  const locks = () => database.collection<LockDocument>(NAMES.locks);
  const owner = newOwner();
  const expires = (): Date => new Date(database.now().getTime() + ttlMs);

  async function take(): Promise<boolean> {
    try {
      const taken = await locks().updateOne(
        // Its own: taken by an attempt whose answer was lost.
        { _id: name, $or: [{ expires: { $lte: database.now() } }, { owner }] },
        { $set: { owner, info, since: database.now().toISOString(), expires: expires() } },
        { upsert: true },
      );
      return taken.modifiedCount + taken.upsertedCount > 0;
    } catch (thrown) {
      // The upsert meets the lock that somebody holds.
      if (isDuplicate(thrown)) return false;
      throw thrown;
    }
  }

  /** From a process that certainly does not run any more. */
  async function takeOver(): Promise<boolean> {
    const held = await locks().findOne({ _id: name }, database.limits);
    if (!held || !isGone(held.owner)) return false;
    await locks().deleteOne({ _id: name, owner: held.owner });
    return take();
  }

  return database.write(async () => {
    if (!(await take()) && !(await takeOver())) {
      const held = await locks().findOne({ _id: name }, database.limits);
      return { held: false, info: held?.info ?? '', since: held?.since ?? database.now().toISOString() };
    }
    const release = database.connection.hold();
    return {
      held: true,
      renew: (next) =>
        database.write(async () => {
          const renewed = await locks().updateOne(
            { _id: name, owner },
            { $set: { info: next, expires: expires() } },
          );
          if (renewed.matchedCount > 0) return;
          throw new VaiError(
            'INDEX_BUSY',
            'Another process took over this work because it seemed to have stopped.',
            {
              hint: 'Wait until it has ended, then try again.',
            },
          );
        }),
      release: () => {
        release();
        return database.write(async () => void (await locks().deleteOne({ _id: name, owner })));
      },
    };
  });
}
