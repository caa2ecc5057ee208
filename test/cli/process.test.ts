// A command whose answer nobody can take.

import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { closeSync, existsSync, openSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';

const VAI = join(import.meta.dirname, '../../src/cli/bin/vai.ts');

test('an output on a full disk is an error in words', { skip: !existsSync('/dev/full') }, () => {
  const full = openSync('/dev/full', 'w');
  const { status, stderr } = spawnSync(process.execPath, [VAI, 'explain'], {
    stdio: ['ignore', full, 'pipe'],
    encoding: 'utf8',
  });
  closeSync(full);
  assert.equal(stderr, 'vai: The output cannot be written: the disk is full.\n');
  assert.equal(status, 1);
});
