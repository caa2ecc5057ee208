// A lock that a killed process left behind is free at once, one of another machine when it is not renewed.

import assert from 'node:assert/strict';
import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { join, resolve } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Store } from '../../../src/ports/store.ts';
import { isGone, newOwner } from '../../../src/stores/owner.ts';
import { sqliteStores } from '../../../src/stores/sqlite/stores.ts';
import { tempFolder } from '../../support/temp-folder.ts';

const STORES = resolve(import.meta.dirname, '../../../src/stores/sqlite/stores.ts');
/** Longer than any test: a lock that is got was not got by waiting. */
const LONG = 3_600_000;

/** Takes the lock, says so, and does nothing more until it is ended. */
const HOLDER = `
const { sqliteStores } = await import(process.argv[1]);
const stores = sqliteStores({ home: process.argv[2], external: new Map(), now: () => new Date() });
const store = await stores.open('db');
const lock = await store.lock('work', 'held by a child', ${LONG});
process.stdout.write(lock.held ? 'held' : 'busy');
setInterval(() => undefined, 1_000_000);
`;

async function using(work: (home: string, store: Store) => Promise<void>): Promise<void> {
  const home = tempFolder('locks');
  const stores = sqliteStores({ home, external: new Map(), now: () => new Date() });
  try {
    await work(home, await stores.open('db'));
  } finally {
    await stores.close();
  }
}

async function holder(home: string): Promise<ChildProcess> {
  const child = spawn(process.execPath, ['--input-type=module', '-e', HOLDER, STORES, home], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const [said] = (await once(child.stdout, 'data')) as [Buffer];
  assert.equal(said.toString(), 'held');
  return child;
}

async function kill(child: ChildProcess): Promise<void> {
  child.kill('SIGKILL');
  await once(child, 'exit');
}

test('while its process lives a lock is held; when it was killed the lock is free at once', () =>
  using(async (home, store) => {
    const child = await holder(home);
    try {
      const refused = await store.lock('work', 'mine', LONG);
      assert.equal(refused.held, false);
      assert.equal(!refused.held && refused.info, 'held by a child');
    } finally {
      await kill(child);
    }
    const taken = await store.lock('work', 'mine', LONG);
    assert.equal(taken.held, true);
    assert.equal((await store.lock('work', 'again', LONG)).held, false, 'by us, and we live');
  }));

test('of many that find a dead lock one gets it', () =>
  using(async (home, store) => {
    await kill(await holder(home));
    const stores = sqliteStores({ home, external: new Map(), now: () => new Date() });
    const other = await stores.open('db');
    const asked = await Promise.all(
      Array.from({ length: 12 }, (_, at) => (at % 2 ? store : other).lock('work', `n${at}`, LONG)),
    );
    assert.equal(asked.filter((lock) => lock.held).length, 1);
    await stores.close();
  }));

test('an owner that cannot be judged counts as alive', () =>
  using(async (home) => {
    const [id, place, , start] = newOwner().split('\n');
    const dead = await holder(home);
    await kill(dead);
    const pid = String(dead.pid);
    const gone = (...parts: (string | undefined)[]) => isGone(parts.join('\n'));
    assert.equal(gone(id, place, pid, start), true);
    assert.equal(gone(id, `${place}2`, pid, start), false, 'another machine');
    assert.equal(gone(id), false, 'an owner as older versions wrote it');
    for (const odd of ['', '0', '-1', 'NaN', '1.5']) assert.equal(gone(id, place, odd, start), false, odd);
    assert.equal(isGone(newOwner()), false, 'we ourselves');
  }));

test('a lock of another machine is free when it is not renewed, whatever its timestamp', () =>
  using(async (home, store) => {
    const file = new DatabaseSync(join(home, 'data/db.db'));
    const put = (expires: number): void => {
      file
        .prepare('INSERT OR REPLACE INTO locks VALUES (?, ?, ?, ?, ?)')
        .run('work', 'old', 'x', '', expires);
    };
    put(Date.now() + LONG);
    assert.equal((await store.lock('work', 'mine', 100)).held, true, 'its time is long');
    // A clock that is behind: by ours it was over long ago.
    put(1);
    let renewing = true;
    const asked = store.lock('work', 'mine', LONG).finally(() => (renewing = false));
    for (let mark = 2; renewing; mark += 1) {
      put(mark);
      await sleep(10);
    }
    assert.equal((await asked).held, false, 'it is renewed');
    file.close();
  }));

test(
  'a process id that was reused is not mistaken for the holder',
  { skip: process.platform === 'linux' ? false : 'only Linux tells when a process started' },
  () => {
    const [id, place, pid, start] = newOwner().split('\n');
    assert.match(start!, /^\d+$/);
    assert.equal(isGone([id, place, pid, start].join('\n')), false);
    assert.equal(isGone([id, place, pid, String(Number(start) - 1)].join('\n')), true);
    assert.equal(isGone([id, place, pid, ''].join('\n')), false, 'without a start the number decides');
  },
);
