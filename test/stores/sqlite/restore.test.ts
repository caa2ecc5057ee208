// What may not become a database: a backup beside the journal of another, and one of a newer vai.

import assert from 'node:assert/strict';
import { existsSync, readdirSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { DatabaseSync } from 'node:sqlite';
import { join } from 'node:path';
import { test } from 'node:test';
import { sqliteStores } from '../../../src/stores/sqlite/stores.ts';
import { collection, document } from '../../contract/fixtures.ts';
import { tempFolder } from '../../support/temp-folder.ts';

test('a restored database appears whole or not at all', async (context) => {
  const home = tempFolder('restore');
  const stores = sqliteStores({ home, now: () => new Date() });
  context.after(() => stores.close());
  const store = await stores.open('vai');
  await store.collections.put(collection('docs'));
  await store.documents.replace(document({ path: 'a', text: 'heron' }));
  const file = join(home, 'copy.db');
  await store.backup(file);
  const data = (name: string): string => join(home, 'data', name);

  writeFileSync(data('left.db-wal'), 'of a database that was moved away');
  await assert.rejects(stores.restore('left', file), { code: 'SOURCE_EXISTS' });
  assert.ok(!existsSync(data('left.db')));
  rmSync(data('left.db-wal'));

  const newer = join(home, 'newer.db');
  await store.backup(newer);
  const raw = new DatabaseSync(newer);
  raw.exec('PRAGMA user_version = 9999');
  raw.close();
  await assert.rejects(stores.restore('left', newer), { code: 'STORE_TOO_NEW' });
  await assert.rejects(stores.restore('left', home), { code: 'FILE_UNREADABLE' });
  assert.deepEqual(
    readdirSync(data('')).filter((name) => name.startsWith('left')),
    [],
  );

  // Also where there is a database already, what is wrong is the name of the backup.
  await assert.rejects(stores.restore('vai', join(home, 'nowhere.db')), {
    code: 'FILE_UNREADABLE',
    message: 'There is no file nowhere.db.',
  });

  await stores.restore('left', file);
  assert.equal(await (await stores.open('left')).documents.text('docs', 'a'), 'heron');
  assert.equal(statSync(data('left.db')).mode & 0o777, 0o600);
});
