// A long text is read in time that grows with its length.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { sqliteStores } from '../../../src/stores/sqlite/stores.ts';
import { collection, document } from '../../contract/fixtures.ts';
import { tempFolder } from '../../support/temp-folder.ts';

test('all lines of a long text take linear time', async (context) => {
  const stores = sqliteStores({ home: tempFolder('pieces'), now: () => new Date() });
  context.after(() => stores.close());
  const store = await stores.open('vai');
  await store.collections.put(collection('docs'));
  const line = 'One of very many lines of a text.\n';
  const spent = async (count: number): Promise<number> => {
    const path = `${count}.md`;
    const text = line.repeat(count);
    await store.documents.replace({ ...document({ path, text: '' }), text });
    const before = process.cpuUsage();
    const [read] = await store.documents.lines([
      { collection: 'docs', path, lines: { start: 1, end: count } },
    ]);
    const { user, system } = process.cpuUsage(before);
    assert.equal(read, text.slice(0, -1));
    return user + system;
  };
  await spent(10_000);
  const [short, long] = [await spent(10_000), await spent(160_000)];
  assert.ok(long < Math.max(short, 5_000) * 40, `${short} µs, then ${long} µs`);
});
