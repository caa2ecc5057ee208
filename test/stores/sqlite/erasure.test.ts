// What was removed is gone from the disk once the database was compacted; a file that vanished and a full disk show.

import assert from 'node:assert/strict';
import { readdirSync, readFileSync, renameSync, truncateSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { test } from 'node:test';
import { sqliteStores } from '../../../src/stores/sqlite/stores.ts';
import { collection, document, nameChunks, vector } from '../../contract/fixtures.ts';
import { tempFolder } from '../../support/temp-folder.ts';

const SECRET = 'xylophonequartz';

/** Files of the folder that hold the bytes of the secret. */
function holders(folder: string): string[] {
  return readdirSync(folder).filter((name) => readFileSync(join(folder, name)).includes(SECRET));
}

test('a removed document is in no file once the database is compact', async (context) => {
  const folder = tempFolder('erasure');
  const data = join(folder, 'data');
  const stores = sqliteStores({ home: folder, now: () => new Date('2026-03-01T00:00:00.000Z') });
  context.after(() => stores.close());
  const store = await stores.open('vai');
  await store.collections.put(collection('docs'));
  const write = (text: string) =>
    store.documents.replace({
      ...document({ path: 'secret.md', title: SECRET, text, vectors: [vector(0.5)] }),
      archive: { keep: 10 },
    });
  await store.documents.replace(document({ path: 'other.md', text: 'stays here' }));
  await write(`${SECRET} one`);
  await write(`${SECRET} two`);
  await nameChunks(store, { collection: 'docs', path: 'secret.md' }, [[SECRET]]);
  await store.cache.put('extract', new Map([['hash', Buffer.from(`an entity called ${SECRET}`)]]));
  writeFileSync(join(data, 'vai.db.v3'), `a copy from before: ${SECRET}`);
  assert.ok(holders(data).length > 0);

  await store.documents.remove('docs', 'secret.md');
  assert.ok(holders(data).length > 0, 'removing alone leaves traces, so that this test can fail');
  await store.compact();
  assert.deepEqual(holders(data), []);
  assert.deepEqual(await store.check(), { ok: true, problems: [] });
});

test('a log that a reader keeps open is reported', async (context) => {
  const folder = tempFolder('erasure');
  const stores = sqliteStores({ home: folder, now: () => new Date() });
  context.after(() => stores.close());
  const store = await stores.open('vai');
  await store.collections.put(collection('docs'));
  await store.documents.replace(document({ path: 'a.md', text: SECRET }));
  const reader = new DatabaseSync(join(folder, 'data', 'vai.db'));
  reader.exec('BEGIN');
  reader.prepare('SELECT count(*) FROM documents').get();
  await store.documents.remove('docs', 'a.md');
  await assert.rejects(store.compact(), { code: 'STORE_BUSY' });
  reader.close();
  await store.compact();
  assert.deepEqual(holders(join(folder, 'data')), []);
});

test('a file that was moved away is noticed, and one put in its place is used', async (context) => {
  const folder = tempFolder('erasure');
  const stores = sqliteStores({ home: folder, now: () => new Date() });
  context.after(() => stores.close());
  const before = await stores.open('vai');
  await before.collections.put(collection('docs'));
  await before.documents.replace(document({ path: 'a.md', text: 'old' }));
  await before.backup(join(folder, 'copy.db'));
  await before.documents.replace(document({ path: 'a.md', text: 'new' }));
  assert.equal(await stores.open('vai'), before);
  const data = join(folder, 'data');
  for (const name of readdirSync(data)) renameSync(join(data, name), join(folder, name));
  await assert.rejects(stores.open('vai'), { code: 'STORE_CORRUPT' });
  await stores.restore('vai', join(folder, 'copy.db'));
  assert.equal(await (await stores.open('vai')).documents.text('docs', 'a.md'), 'old');
});

test('a file that was emptied is noticed', async () => {
  const folder = tempFolder('erasure');
  const stores = sqliteStores({ home: folder, now: () => new Date() });
  const store = await stores.open('vai');
  await store.collections.put(collection('docs'));
  await store.compact();
  await stores.ping();
  truncateSync(join(folder, 'data', 'vai.db'));
  await assert.rejects(stores.ping(), { code: 'STORE_CORRUPT' });
  await stores.close().catch(() => undefined);
});
