// Locks over all processes that use one database file.

import type { LockResult } from '../../ports/store.ts';
import { takeLock, type Held, type LockRequest, type LockRow } from '../lease.ts';
import { newOwner } from '../owner.ts';
import type { Connection } from './connection.ts';

export function lock(connection: Connection, request: LockRequest, now: () => Date): Promise<LockResult> {
  return takeLock(connection, lockRow(connection, request, now), request);
}

function lockRow(
  { sql, write, read }: Connection,
  { name, info, ttlMs }: LockRequest,
  now: () => Date,
): LockRow {
  const owner = newOwner();
  let mark = 0;
  // Only an older vai trusts this time; others only look whether a renewal changed it.
  const expires = (): number => (mark = Math.max(mark + 1, now().getTime() + ttlMs));
  const held = (): Held | undefined =>
    sql<Held>('SELECT owner, info, since, expires AS mark FROM locks WHERE name = ?').get(name);
  return {
    take: (from) =>
      write(() => {
        const there = held();
        if (there && (there.owner !== from?.owner || there.mark !== from.mark)) return false;
        sql('INSERT OR REPLACE INTO locks (name, owner, info, since, expires) VALUES (?, ?, ?, ?, ?)').run(
          name,
          owner,
          info,
          now().toISOString(),
          expires(),
        );
        return true;
      }),
    read: async () => read(held),
    renew: (next) =>
      write(() => {
        const changed = sql('UPDATE locks SET info = ?, expires = ? WHERE name = ? AND owner = ?').run(
          next,
          expires(),
          name,
          owner,
        );
        return Number(changed.changes) > 0;
      }),
    release: async () =>
      void (await write(() => sql('DELETE FROM locks WHERE name = ? AND owner = ?').run(name, owner))),
  };
}
