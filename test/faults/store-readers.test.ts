// Four processes read while one writes, a hundred times each: no error, no torn result.

import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { test } from 'node:test';
import { tempFolder } from '../support/temp-folder.ts';

const READS = 100;
const READERS = 4;

function start(script: string, ...args: string[]) {
  return spawn(process.execPath, [join(import.meta.dirname, script), ...args], {
    stdio: ['ignore', 'pipe', 'pipe'],
  });
}

test('four processes read while one writes', async () => {
  const home = tempFolder('readers');
  const writer = start('writer.ts', home, '0');
  try {
    await once(writer.stdout, 'data');
    const readers = Array.from({ length: READERS }, () => start('reader.ts', home, String(READS)));
    const reports = await Promise.all(
      readers.map(async (reader) => {
        const [out, errors] = await Promise.all([text(reader.stdout), text(reader.stderr)]);
        assert.equal(errors, '');
        return JSON.parse(out.trim().split('\n').at(-1)!) as { hits: number; torn: string[] };
      }),
    );
    assert.equal(writer.exitCode, null, 'the writer is still writing');
    for (const report of reports) {
      assert.deepEqual(report.torn, []);
      assert.ok(report.hits > 0, 'they did read something');
    }
  } finally {
    writer.kill('SIGKILL');
    await once(writer, 'exit');
  }
});
