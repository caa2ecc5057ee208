// What goes wrong with the file: full disk, read-only folder, damage, other versions, other writers. Each time a clear
// error, nothing lost, and no path in the message.

import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { chmodSync, mkdirSync, readFileSync, statSync, truncateSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { test } from 'node:test';
import type { VaiError } from '../../../src/domain/errors.ts';
import { connect } from '../../../src/stores/sqlite/connection.ts';
import { createStore } from '../../../src/stores/sqlite/store.ts';
import { sqliteStores } from '../../../src/stores/sqlite/stores.ts';
import { collection, document, query } from '../../contract/fixtures.ts';
import { tempFolder } from '../../support/temp-folder.ts';

const now = () => new Date();

function saysNothingOf(folder: string) {
  return (error: VaiError): void => {
    const shown = JSON.stringify([error.message, error.hint, error.data]);
    assert.ok(!shown.includes(folder) && !shown.includes('/tmp'), shown);
    assert.ok(error.hint, 'says what to do');
  };
}

async function refused(work: Promise<unknown>, code: string, folder: string): Promise<void> {
  await assert.rejects(work, (error: VaiError) => {
    assert.equal(error.code, code);
    saysNothingOf(folder)(error);
    return true;
  });
}

test('files and folders are for their owner only', async () => {
  const folder = tempFolder('failures');
  const stores = sqliteStores({ home: join(folder, 'new', 'home'), now });
  await stores.open('vai');
  const data = join(folder, 'new', 'home', 'data');
  assert.equal(statSync(join(data, 'vai.db')).mode & 0o777, 0o600);
  assert.equal(statSync(data).mode & 0o777, 0o700);
  await stores.close();
});

test('a full disk refuses the write, keeps what was there, and goes on once there is room', async () => {
  const folder = tempFolder('failures');
  const connection = connect('full', join(folder, 'full.db'));
  const store = createStore(connection, now);
  await store.collections.put(collection('docs'));
  await store.documents.replace(document({ path: 'kept', text: 'before the flood' }));
  const { page_count: pages } = connection.raw.prepare('PRAGMA page_count').get() as { page_count: number };
  connection.raw.exec(`PRAGMA max_page_count = ${pages + 4}`);
  const paragraph = `${'much too large for the disk '.repeat(20)}\n\n`;
  const large = document({ path: 'large', text: paragraph.repeat(450) });
  await refused(store.documents.replace(large), 'STORE_FULL', folder);
  await refused(
    store.documents.replace({ ...large, info: { ...large.info, path: 'kept' } }),
    'STORE_FULL',
    folder,
  );
  assert.equal(await store.documents.text('docs', 'kept'), 'before the flood');
  assert.equal(await store.documents.get('docs', 'large'), undefined);
  assert.deepEqual(await store.check(), { ok: true, problems: [] });
  connection.raw.exec('PRAGMA max_page_count = 1000000');
  await store.documents.replace(large);
  assert.equal((await store.collections.get('docs'))!.stats.documents, 2);
  await store.close();
});

test(
  'a limit on the size of files is a full disk',
  { skip: process.platform === 'win32' ? 'no ulimit' : false },
  () => {
    const folder = tempFolder('failures');
    const script = `
    import { sqliteStores } from ${JSON.stringify(join(import.meta.dirname, '../../../src/stores/sqlite/stores.ts'))};
    import { collection, document } from ${JSON.stringify(join(import.meta.dirname, '../../contract/fixtures.ts'))};
    const stores = sqliteStores({ home: ${JSON.stringify(folder)}, now: () => new Date() });
    const store = await stores.open('vai');
    await store.collections.put(collection('docs'));
    await store.documents.replace(document({ path: 'kept', text: 'kept' }));
    const answer = await store.documents.replace(document({ path: 'x', text: 'word upon word\\n\\n'.repeat(60000) })).catch((e) => e.code);
    console.log(JSON.stringify([answer, await store.documents.text('docs', 'kept'), (await store.check()).ok]));
    process.exit(0);`;
    writeFileSync(join(folder, 'limited.mts'), script);
    const ran = spawnSync('sh', [
      '-c',
      `ulimit -f 4000; exec "${process.execPath}" "${join(folder, 'limited.mts')}"`,
    ]);
    assert.equal(String(ran.stdout).trim(), JSON.stringify(['STORE_FULL', 'kept', true]), String(ran.stderr));
  },
);

test('a read-only home is read, and a write is refused', async (context) => {
  const folder = tempFolder('failures');
  const stores = sqliteStores({ home: folder, now });
  const store = await stores.open('vai');
  await store.collections.put(collection('docs'));
  await store.documents.replace(document({ path: 'a', text: 'readable heron' }));
  await stores.close();
  if (process.getuid?.() === 0 && !process.seteuid)
    return context.skip('root, and no way to become another user');
  const data = join(folder, 'data');
  // As root nothing is read-only: become nobody for the time of the test.
  const root = process.getuid?.() === 0;
  for (const path of [folder, data]) chmodSync(path, 0o555);
  chmodSync(join(data, 'vai.db'), 0o444);
  if (root) process.seteuid!(65_534);
  try {
    const again = sqliteStores({ home: folder, now });
    const reader = await again.open('vai');
    assert.equal(await reader.documents.text('docs', 'a'), 'readable heron');
    const found = await reader.search.words({ query: query(['heron']), scope: {}, limit: 5 });
    assert.equal(found.hits.length, 1);
    await refused(reader.documents.replace(document({ path: 'b', text: 'x' })), 'STORE_READONLY', folder);
    await refused(again.open('other'), 'STORE_READONLY', folder);
    await again.close();
    const none = sqliteStores({ home: join(folder, 'not', 'there'), now });
    await refused(none.open('vai'), 'STORE_READONLY', folder);
  } finally {
    if (root) process.seteuid!(0);
    for (const path of [folder, data]) chmodSync(path, 0o755);
  }
});

test('a file that another process keeps to itself is not taken for one on a read-only medium', (context) => {
  const file = join(tempFolder('failures'), 'vai.db');
  connect('vai', file).close();
  const other = new DatabaseSync(file);
  context.after(() => other.close());
  other.exec('PRAGMA locking_mode = EXCLUSIVE; BEGIN EXCLUSIVE; COMMIT');
  assert.throws(() => connect('vai', file, { busyMs: 5 }), { code: 'STORE_BUSY' });
});

test('a file that is no database is refused and left alone', async () => {
  const folder = tempFolder('failures');
  mkdirSync(join(folder, 'data'));
  const file = join(folder, 'data', 'vai.db');
  writeFileSync(file, 'this is no database, but it may be someone’s letter '.repeat(200));
  const before = readFileSync(file);
  const stores = sqliteStores({ home: folder, now });
  await refused(stores.open('vai'), 'STORE_CORRUPT', folder);
  assert.deepEqual(readFileSync(file), before);
});

test('a database of something else is refused and left alone', async () => {
  const folder = tempFolder('failures');
  mkdirSync(join(folder, 'data'));
  const file = join(folder, 'data', 'vai.db');
  const other = new DatabaseSync(file);
  other.exec('CREATE TABLE letters (text)');
  other.close();
  const stores = sqliteStores({ home: folder, now });
  await refused(stores.open('vai'), 'STORE_CORRUPT', folder);
  const still = new DatabaseSync(file);
  assert.deepEqual(
    still
      .prepare('SELECT name FROM sqlite_schema')
      .all()
      .map((row) => row['name']),
    ['letters'],
  );
  still.close();
});

test('damage inside the file is found', async () => {
  const folder = tempFolder('failures');
  const file = join(folder, 'data', 'vai.db');
  const stores = sqliteStores({ home: folder, now });
  const store = await stores.open('vai');
  await store.collections.put(collection('docs'));
  for (let n = 0; n < 50; n += 1)
    await store.documents.replace(document({ path: `p${n}`, text: `damage ${n} `.repeat(200) }));
  await store.compact();
  await stores.close();
  const bytes = readFileSync(file);
  bytes.fill(0xa5, 4096 * 3, Math.floor(bytes.length * 0.7));
  writeFileSync(file, bytes);
  const again = sqliteStores({ home: folder, now });
  const outcome = await again
    .open('vai')
    .then((opened) => opened.check())
    .then((health) => (health.ok ? 'sound' : 'problems'))
    .catch((error: VaiError) => {
      saysNothingOf(folder)(error);
      return error.code;
    });
  assert.ok(['problems', 'STORE_CORRUPT'].includes(outcome), outcome);
  await again.close();
  truncateSync(file, 5000);
  await refused(
    (async () =>
      (await sqliteStores({ home: folder, now }).open('vai')).documents.list('docs', { limit: 5 }))(),
    'STORE_CORRUPT',
    folder,
  );
});

test('a database of a newer vai is refused', async () => {
  const folder = tempFolder('failures');
  const stores = sqliteStores({ home: folder, now });
  await stores.open('vai');
  await stores.close();
  const raw = new DatabaseSync(join(folder, 'data', 'vai.db'));
  raw.exec('PRAGMA user_version = 99');
  raw.close();
  await refused(sqliteStores({ home: folder, now }).open('vai'), 'STORE_TOO_NEW', folder);
});

test('a second writer waits without stopping the event loop, then gives up', async () => {
  const folder = tempFolder('failures');
  const file = join(folder, 'busy.db');
  const store = createStore(connect('busy', file, { busyMs: 600_000 }), now);
  const impatient = createStore(connect('busy', file, { busyMs: 300 }), now);
  await store.collections.put(collection('docs'));
  const other = new DatabaseSync(file);
  other.exec('BEGIN IMMEDIATE');
  await refused(impatient.documents.replace(document({ path: 'a', text: 'x' })), 'STORE_BUSY', folder);
  const waiting = store.documents.replace(document({ path: 'a', text: 'x' }));
  // Only an event loop that turns comes to this.
  setTimeout(() => other.exec('COMMIT'), 1);
  await waiting;
  assert.equal(await store.documents.text('docs', 'a'), 'x');
  other.close();
  await store.close();
  await impatient.close();
});

test('a registered database lives where it was put', async () => {
  const folder = tempFolder('failures');
  const file = join(folder, 'elsewhere', 'flowrag.db');
  const stores = sqliteStores({ home: folder, external: new Map([['project', file]]), now });
  assert.deepEqual(await stores.list(), []);
  const store = await stores.open('project');
  await store.collections.put(collection('docs'));
  assert.ok(statSync(file).size > 0);
  assert.deepEqual(await stores.list(), ['project']);
  await stores.close();
});
