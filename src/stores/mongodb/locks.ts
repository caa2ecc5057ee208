// Locks over all processes that share a database, on whatever machines.

import type { LockResult } from '../../ports/store.ts';
import { takeLock, type Held, type LockRequest, type LockRow } from '../lease.ts';
import { newOwner } from '../owner.ts';
import type { Database } from './database.ts';
import { isDuplicate } from './errors.ts';

export async function lock(database: Database, request: LockRequest): Promise<LockResult> {
  const answer = await takeLock(database, lockRow(database, request), request);
  if (!answer.held) return answer;
  const release = database.connection.hold();
  return {
    ...answer,
    release: () => {
      release();
      return answer.release();
    },
  };
}

function lockRow(database: Database, { name, info, ttlMs }: LockRequest): LockRow {
  const locks = () => database.own('locks');
  const owner = newOwner();
  let mark = 0;
  const expires = (): Date => new Date((mark = Math.max(mark + 1, database.now().getTime() + ttlMs)));

  async function take(from?: Held): Promise<boolean> {
    const mine = { owner, info, since: database.now().toISOString(), expires: expires() };
    if (from) {
      const seen = { _id: name, owner: from.owner, expires: new Date(from.mark) };
      return (await locks().updateOne(seen, { $set: mine })).matchedCount > 0;
    }
    try {
      // It may be its own already: taken by an attempt whose answer was lost.
      const taken = await locks().updateOne({ _id: name, owner }, { $set: mine }, { upsert: true });
      return taken.matchedCount + taken.upsertedCount > 0;
    } catch (thrown) {
      // The upsert meets the lock that somebody holds.
      if (isDuplicate(thrown)) return false;
      throw thrown;
    }
  }

  return {
    take: (from) => database.write(() => take(from)),
    read: () =>
      database.read(async () => {
        const held = await locks().findOne({ _id: name }, database.limits);
        return held ? { ...held, mark: held.expires.getTime() } : undefined;
      }),
    renew: (next) =>
      database.write(async () => {
        const renewed = await locks().updateOne(
          { _id: name, owner },
          { $set: { info: next, expires: expires() } },
        );
        return renewed.matchedCount > 0;
      }),
    release: () => database.write(async () => void (await locks().deleteOne({ _id: name, owner }))),
  };
}
