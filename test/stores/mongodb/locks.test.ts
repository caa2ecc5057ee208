// A lock that a killed process left behind is free at once, one of another machine when it is not renewed.

import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { resolve } from 'node:path';
import { test } from 'node:test';
import { MongoClient } from 'mongodb';
import { NAMES } from '../../../src/stores/mongodb/layout.ts';
import { mongodbStores } from '../../../src/stores/mongodb/stores.ts';
import { startMongod } from '../../support/mongod/start.ts';

const STORES = resolve(import.meta.dirname, '../../../src/stores/mongodb/stores.ts');
/** Longer than any test: a lock that is got was not got by waiting. */
const LONG = 3_600_000;

/** Takes the lock, says so, and does nothing more until it is ended. */
const HOLDER = `
const { mongodbStores } = await import(process.argv[1]);
const stores = mongodbStores({ settings: { mongodbUri: process.argv[2] }, now: () => new Date() });
const lock = await (await stores.open('db')).lock('work', 'held by a child', ${LONG});
process.stdout.write(lock.held ? 'held' : 'busy');
`;

test('while its process lives a lock is held; when it was killed one of many gets it at once', async (context) => {
  const mongod = await startMongod();
  context.after(() => mongod.stop());
  const all = [1, 2].map(() =>
    mongodbStores({ settings: { mongodbUri: mongod.uri }, now: () => new Date() }),
  );
  context.after(() => Promise.all(all.map((stores) => stores.close())));
  const [one, two] = await Promise.all(all.map((stores) => stores.open('db')));
  const child = spawn(process.execPath, ['--input-type=module', '-e', HOLDER, STORES, mongod.uri], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const [said] = (await once(child.stdout, 'data')) as [Buffer];
  assert.equal(said.toString(), 'held');
  const refused = await one!.lock('work', 'mine', LONG);
  assert.equal(!refused.held && refused.info, 'held by a child');
  child.kill('SIGKILL');
  await once(child, 'exit');
  const asked = await Promise.all(
    Array.from({ length: 12 }, (_, at) => (at % 2 ? one! : two!).lock('work', `n${at}`, LONG)),
  );
  assert.equal(asked.filter((lock) => lock.held).length, 1);
});

test('a lock of another machine is free when it is not renewed, whatever its timestamp', async (context) => {
  const mongod = await startMongod();
  context.after(() => mongod.stop());
  const stores = mongodbStores({ settings: { mongodbUri: mongod.uri }, now: () => new Date() });
  context.after(() => stores.close());
  const client = new MongoClient(mongod.uri);
  context.after(() => client.close());
  const store = await stores.open('db');
  const locks = client.db('db').collection<{ _id: string }>(NAMES.locks);
  const put = (expires: number): Promise<unknown> =>
    locks.replaceOne(
      { _id: 'work' },
      { owner: 'another', info: 'held elsewhere', since: '', expires: new Date(expires) },
      { upsert: true },
    );
  await put(Date.now() + LONG);
  const taken = await store.lock('work', 'mine', 100);
  assert.equal(taken.held, true, 'its time is long');
  // A clock that is behind: by ours it was over long ago.
  await put(1);
  let renewing = true;
  const asked = store.lock('work', 'mine', LONG).finally(() => (renewing = false));
  for (let mark = 2; renewing; mark += 1) await put(mark);
  const refused = await asked;
  assert.equal(!refused.held && refused.info, 'held elsewhere');
  assert.ok(taken.held);
  await assert.rejects(taken.renew('too late'), { code: 'INDEX_BUSY' });
});

test('whoever holds a lock waits for a server that is away, also to read', async (context) => {
  const mongod = await startMongod();
  context.after(() => mongod.stop());
  const limits = { selectionMs: 1000, patienceMs: 60_000 };
  const stores = mongodbStores({ settings: { mongodbUri: mongod.uri }, now: () => new Date(), limits });
  context.after(() => stores.close());
  const store = await stores.open('db');
  const lock = await store.lock('work', 'a run', LONG);
  await mongod.goAway(3000);
  assert.deepEqual(await store.collections.list(), []);
  assert.ok(lock.held);
  await lock.release();
  await mongod.goAway(600_000);
  await assert.rejects(store.collections.list(), { code: 'MONGO_UNAVAILABLE' });
});
