import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { copyFileSync, existsSync, mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { root } from '../../scripts/package-files.ts';
import { tempFolder } from '../support/temp-folder.ts';

const folder = tempFolder('install');

test('a node_modules that is a link is not installed into, which would empty the folder it leads to', () => {
  const clone = join(folder, 'clone');
  const shared = join(folder, 'shared');
  for (const made of [join(clone, 'scripts'), shared]) mkdirSync(made, { recursive: true });
  copyFileSync(join(root, 'scripts/install.js'), join(clone, 'scripts/install.js'));
  const pkg = { name: 'clone', version: '1.0.0', type: 'module' };
  writeFileSync(join(clone, 'package.json'), JSON.stringify(pkg));
  writeFileSync(
    join(clone, 'package-lock.json'),
    JSON.stringify({ ...pkg, lockfileVersion: 3, packages: { '': pkg } }),
  );
  writeFileSync(join(shared, 'precious'), '');
  symlinkSync(shared, join(clone, 'node_modules'));

  const done = spawnSync(process.execPath, [join(clone, 'scripts/install.js')], { encoding: 'utf8' });

  assert.ok(existsSync(join(shared, 'precious')));
  assert.equal(done.status, 1);
  assert.match(done.stderr, /symbolic link/);
});
