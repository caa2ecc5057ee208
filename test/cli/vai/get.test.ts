// vai get: what it says of a name that is no citation, and of a collection of several documents.

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

test('a collection of several documents names the command that lists them', async () => {
  writeFileSync(join(folder, 'b.md'), '# B\n\nOther text.\n');
  await vai('ingest', join(folder, 'a.md'), join(folder, 'b.md'), '--collection', 'two');
  const { status, stderr } = await vai('get', 'two');
  assert.equal(status, 3);
  assert.match(stderr, /holds 2 documents.*\n.*`vai collections two`/);
});
