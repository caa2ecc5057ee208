// The file by which other commands find a running server.

import assert from 'node:assert/strict';
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { it } from 'node:test';
import { setImmediate } from 'node:timers/promises';
import { listRunning, writeRunFile } from '../../../src/cli/serve/daemon.ts';
import { tempFolder } from '../../support/temp-folder.ts';

it('a run file is never seen half-written', async () => {
  const home = tempFolder('daemon');
  for (let turn = 0; turn < 50; turn++) {
    let remove: (() => Promise<void>) | undefined;
    void writeRunFile(home, 3100, '127.0.0.1').then((done) => (remove = done));
    while (!remove) {
      await setImmediate();
      for (const text of runFiles(home)) assert.equal(text, `${process.pid}\n127.0.0.1\n`);
    }
    assert.equal(runFiles(home).length, 1);
    await remove();
    assert.deepEqual(readdirSync(join(home, 'run')), []);
  }
});

it('the run file of a process that is gone is removed', () => {
  const home = tempFolder('daemon');
  mkdirSync(join(home, 'run'));
  writeFileSync(join(home, 'run', 'mcp-server-3100.pid'), '\n127.0.0.1\n');
  writeFileSync(join(home, 'run', 'mcp-server-3100.log'), '');
  assert.deepEqual(listRunning(home), []);
  assert.deepEqual(readdirSync(join(home, 'run')), ['mcp-server-3100.log']);
  assert.deepEqual(listRunning(join(home, 'absent')), []);
});

function runFiles(home: string): string[] {
  const folder = join(home, 'run');
  try {
    const names = readdirSync(folder).filter((name) => name.endsWith('.pid'));
    return names.map((name) => readFileSync(join(folder, name), 'utf8'));
  } catch {
    return [];
  }
}
