import assert from 'node:assert/strict';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { test } from 'node:test';
import { setImmediate } from 'node:timers/promises';
import { connect } from '../../../src/stores/sqlite/connection.ts';
import { createMemory } from '../../../src/stores/sqlite/memory.ts';
import { createStore } from '../../../src/stores/sqlite/store.ts';
import { collection, document } from '../../contract/fixtures.ts';
import { tempFolder } from '../../support/temp-folder.ts';

test('what was read is kept until this connection or another one writes', async (t) => {
  const file = join(tempFolder('memory'), 'a.db');
  const [one, other] = [connect('a', file), connect('a', file)];
  t.after(() => [one, other].forEach((connection) => connection.close()));
  const memory = createMemory<string, number>(one, 10);
  let reads = 0;
  const ask = () => one.read(() => memory.get('key', () => (reads += 1)));
  ask();
  assert.equal(ask(), 1);
  await one.write(() => one.sql("INSERT INTO meta VALUES ('a', '1')").run());
  assert.equal(ask(), 2);
  await other.write(() => other.sql("INSERT INTO meta VALUES ('b', '1')").run());
  assert.equal(ask(), 3);
  assert.equal(ask(), 3);
});

test('reads that follow each other at once see one state, later ones what others wrote meanwhile', async (t) => {
  const file = join(tempFolder('memory'), 'a.db');
  const connection = connect('a', file);
  const process = new DatabaseSync(file);
  t.after(() => [connection, process].forEach((open) => open.close()));
  const rows = async () => connection.read(() => connection.row<[number]>('SELECT count(*) FROM meta')![0]);
  const before = await rows();
  process.exec("INSERT INTO meta VALUES ('a', '1')");
  assert.equal(await rows(), before);
  await setImmediate();
  assert.equal(await rows(), before + 1);
  assert.ok(connection.raw.isTransaction);
  assert.throws(() => connection.read(() => assert.fail('a read that fails')));
  assert.equal(connection.raw.isTransaction, false);
  await rows();
  await setImmediate();
  assert.equal(connection.raw.isTransaction, false);
});

test('inside a write nothing is kept, so a failed one leaves no trace', async (t) => {
  const connection = connect('a', join(tempFolder('memory'), 'a.db'));
  t.after(() => connection.close());
  const memory = createMemory<string, number>(connection, 10);
  const rows = () =>
    memory.get('rows', () => (connection.sql('SELECT count(*) AS n FROM meta').get() as { n: number }).n);
  assert.equal(connection.read(rows), 0);
  const failed = connection.write(() => {
    connection.sql("INSERT INTO meta VALUES ('a', '1')").run();
    assert.equal(rows(), 1);
    throw new Error('taken back');
  });
  await assert.rejects(failed);
  assert.equal(connection.read(rows), 0);
});

test('the longest unused goes first, and no more is kept than was allowed', (t) => {
  const connection = connect('a', join(tempFolder('memory'), 'a.db'));
  t.after(() => connection.close());
  const memory = createMemory<string, string>(connection, 2);
  const reads: string[] = [];
  const ask = (key: string) =>
    connection.read(() =>
      memory.get(key, () => {
        reads.push(key);
        return key;
      }),
    );
  ['a', 'b', 'a', 'c', 'a', 'b'].forEach(ask);
  assert.deepEqual(reads, ['a', 'b', 'c', 'b']);
});

test('a chunk shows its new text, and its new name, after another process wrote', async (t) => {
  const file = join(tempFolder('memory'), 'a.db');
  const stores = [0, 1].map(() => createStore(connect('a', file), () => new Date(0)));
  t.after(() => Promise.all(stores.map((store) => store.close())));
  const [reader, writer] = stores as [(typeof stores)[0], (typeof stores)[0]];
  await writer.collections.put(collection('docs'));
  const write = (text: string) =>
    writer.documents.replace(document({ collection: 'docs', path: 'p', text, title: 'T' }));
  await write('the first words');
  const shown = async () =>
    (await reader.documents.chunks('docs', 'p')).map(({ text, path }) => [path, text]);
  assert.deepEqual(await shown(), [['p', 'the first words']]);
  await write('the second words');
  assert.deepEqual(await shown(), [['p', 'the second words']]);
  const [chunk] = await reader.documents.chunks('docs', 'p');
  await writer.collections.rename('docs', 'handbook');
  assert.equal((await reader.search.chunks([chunk!.id]))[0]!.collection, 'handbook');
  assert.deepEqual(
    (await reader.collections.list()).map(({ name }) => name),
    ['handbook'],
  );
});
