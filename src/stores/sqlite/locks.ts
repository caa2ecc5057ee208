// Locks over all processes that use one database file. A lock that is not renewed in time may be taken by another, and
// one whose process has ended at once.

import { VaiError } from '../../domain/errors.ts';
import type { LockResult } from '../../ports/store.ts';
import type { Connection } from './connection.ts';
import { isGone, newOwner } from '../owner.ts';

interface LockRow {
  owner: string;
  info: string;
  since: string;
  expires: number;
}

export interface LockRequest {
  name: string;
  info: string;
  ttlMs: number;
}

export async function takeLock(
  connection: Connection,
  { name, info, ttlMs }: LockRequest,
  now: () => Date,
): Promise<LockResult> {
  const { sql, write } = connection;
  const owner = newOwner();
  const taken = await write(() => {
    const held = sql('SELECT owner, info, since, expires FROM locks WHERE name = ?').get(name) as
      LockRow | undefined;
    if (held && held.expires > now().getTime() && !isGone(held.owner)) return held;
    sql('INSERT OR REPLACE INTO locks (name, owner, info, since, expires) VALUES (?, ?, ?, ?, ?)').run(
      name,
      owner,
      info,
      now().toISOString(),
      now().getTime() + ttlMs,
    );
    return undefined;
  });
  if (taken) return { held: false, info: taken.info, since: taken.since };
  return {
    held: true,
    async renew(next) {
      const changed = await write(() =>
        sql('UPDATE locks SET info = ?, expires = ? WHERE name = ? AND owner = ?').run(
          next,
          now().getTime() + ttlMs,
          name,
          owner,
        ),
      );
      if (Number(changed.changes) === 0) {
        throw new VaiError(
          'INDEX_BUSY',
          'Another process took over this work because it seemed to have stopped.',
          {
            hint: 'Wait until it has ended, then try again.',
          },
        );
      }
    },
    async release() {
      await write(() => sql('DELETE FROM locks WHERE name = ? AND owner = ?').run(name, owner));
    },
  };
}
