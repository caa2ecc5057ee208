// Removing asks first, and only about what is there.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { tempFolder } from '../../support/temp-folder.ts';
import { commandsIn } from './support.ts';

test('a document that is not there is said before anybody is asked', async () => {
  const vai = commandsIn(tempFolder('remove'), { input: 'A note.' });
  await vai('ingest', '-', '--collection', 'team', '--source', 'wifi');
  const missing = await vai('remove', 'team/nosuch');
  assert.equal(missing.status, 3);
  assert.match(missing.stderr, /^vai: `team` has no document `nosuch`\.$/m);
  const asked = await vai('remove', 'team/wifi');
  assert.equal(asked.status, 2);
  assert.match(asked.stderr, /^vai: Removing needs a confirmation/m);
  assert.equal((await vai('remove', 'team/wifi', '--yes')).status, 0);
});
