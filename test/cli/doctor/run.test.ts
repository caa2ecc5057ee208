// vai doctor as a person reads it, and as a program does.

import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { tempFolder } from '../../support/temp-folder.ts';
import { commandsIn } from '../vai/support.ts';

test('times are dates and minutes on a terminal, and whole in JSON', async () => {
  const folder = tempFolder('doctor');
  writeFileSync(join(folder, 'a.md'), '# A\n\nText.\n');
  const added = await commandsIn(folder)('docs', 'add', 'guide', join(folder, 'a.md'));
  assert.equal(added.status, 0, added.stderr);
  const { stdout } = await commandsIn(folder, { terminal: true })('doctor');
  assert.match(stdout, /1 source, all up to date; the oldest check was 2\d{3}-\d\d-\d\d \d\d:\d\d UTC\./);
  const { findings } = JSON.parse((await commandsIn(folder)('doctor', '--json')).stdout) as {
    findings: { message: string }[];
  };
  assert.ok(findings.some(({ message }) => /the oldest check was 2\S+Z\./.test(message)));
});
