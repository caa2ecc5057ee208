import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { tempFolder } from '../../support/temp-folder.ts';
import { commandsIn } from './support.ts';

test('what standard input and --source are not for is refused', async () => {
  const input = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0, 0, 0, 13]);
  const vai = commandsIn(tempFolder('ingest'), { input });
  const picture = await vai('ingest', '-');
  assert.equal(picture.status, 2);
  assert.match(picture.stderr, /^vai: Standard input is not text\.$/m);
  const file = await vai('ingest', 'a.md', '--source', 'b');
  assert.equal(file.status, 2);
  assert.match(file.stderr, /^vai: --source names the text of standard input \(-\)\.$/m);
});

test('a file that could not be ingested shows in the exit status, and the rest is ingested', async () => {
  const folder = tempFolder('failed');
  const vai = commandsIn(folder);
  writeFileSync(join(folder, 'a.md'), 'A note.');
  assert.equal((await vai('ingest', folder)).status, 0);
  writeFileSync(join(folder, 'b.md'), 'Another note.');
  writeFileSync(join(folder, 'c.pdf'), 'no pdf at all');
  const { status, stdout } = await vai('ingest', folder);
  const { run } = JSON.parse(stdout) as { run: Record<string, number> };
  assert.deepEqual([status, run['added'], run['failed']], [3, 1, 1]);
});
