// vai init: what comes next depends on whether anything was written.

import assert from 'node:assert/strict';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { tempFolder } from '../../support/temp-folder.ts';
import { commandsIn } from './support.ts';

test('a dry run writes nothing, so nothing can be synced yet', async () => {
  const folder = tempFolder('init-command');
  const vai = commandsIn(folder, { terminal: true, home: join(folder, 'home') });
  mkdirSync(join(folder, 'docs'));
  writeFileSync(join(folder, 'docs/a.md'), '# A\n');
  assert.match((await vai('init', '--dry-run')).stdout, /\nNothing was written\. Next: vai init\n$/);
  assert.match((await vai('init')).stdout, /\nNext: vai sync\n$/);
  assert.match((await vai('init', '--dry-run')).stdout, /already contains all of it\.\nNext: vai sync\n$/);
});

test('a folder that is proposed as a whole is named in words', async () => {
  const folder = tempFolder('init-whole');
  const vai = commandsIn(folder, { terminal: true, home: join(folder, 'home') });
  writeFileSync(join(folder, 'a.md'), '# A\n');
  const { stdout } = await vai('init');
  assert.match(stdout, /\n {2}folder {2}this folder \(\.\)/);
  assert.match(stdout, /\nAdded to \.vai\.json: [\w-]+, this folder \(\.\)\.\n/);
});
