// vai get: what it says of a name that is no citation.

import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { before, test } from 'node:test';
import { tempFolder } from '../../support/temp-folder.ts';
import { commandsIn } from './support.ts';

const folder = tempFolder('get-command');
const vai = commandsIn(folder);

before(async () => {
  writeFileSync(join(folder, 'a.md'), '# A\n\nText.\n');
  const { status, stderr } = await vai('ingest', join(folder, 'a.md'), '--collection', 'team');
  assert.equal(status, 0, stderr);
});

test('a name is shown as it was given, without lines that nobody asked for', async () => {
  const path = join(folder, 'a.md');
  const absolute = await vai('get', path);
  assert.ok(absolute.stderr.includes(`\`${path}\` is not a citation`), absolute.stderr);
  const some = await vai('get', 'team/a.md', 'team/none.md', path, '--json');
  assert.equal(some.status, 3);
  const { failed, snippets } = JSON.parse(some.stdout) as {
    failed: { citation: string }[];
    snippets: object[];
  };
  assert.equal(snippets.length, 1);
  assert.deepEqual(
    failed.map(({ citation }) => citation),
    ['team/none.md', path],
  );
});
