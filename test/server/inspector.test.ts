// The official Inspector in CLI mode lists and calls tools, over stdio and over HTTP, in both eras.

import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { describe, it } from 'node:test';
import { promisify } from 'node:util';
import { httpServer, KEY } from './support/http.ts';

const run = promisify(execFile);
const MAIN = new URL('./support/stdio-main.ts', import.meta.url).pathname;
const manifest = createRequire(import.meta.url).resolve('@modelcontextprotocol/inspector/package.json');
const { bin } = JSON.parse(readFileSync(manifest, 'utf8')) as { bin: string | Record<string, string> };
const INSPECTOR = join(dirname(manifest), typeof bin === 'string' ? bin : Object.values(bin)[0]!);

async function inspect(target: string[], args: string[]): Promise<string> {
  const all = [INSPECTOR, '--cli', ...target, ...args];
  const { stdout } = await run(process.execPath, all, { timeout: 60_000 });
  return stdout;
}

describe('Inspector', { timeout: 120_000 }, () => {
  for (const era of ['legacy', 'modern']) {
    it(`over stdio, ${era}`, async () => {
      const target = [process.execPath, MAIN];
      const listed = await inspect(target, [
        '--protocol-era',
        era,
        '--method',
        'tools/list',
        '--format',
        'json',
      ]);
      assert.match(listed, /"echo"/);
      const called = await inspect(target, [
        '--protocol-era',
        era,
        '--method',
        'tools/call',
        '--tool-name',
        'echo',
        '--tool-args-json',
        '{"text":"from the inspector"}',
        '--format',
        'json',
      ]);
      assert.match(called, /from the inspector/);
    });

    it(`over HTTP, ${era}`, async () => {
      await using server = await httpServer();
      const target = [`${server.url}/mcp`, '--transport', 'http', '--header', `Authorization: Bearer ${KEY}`];
      const listed = await inspect(target, [
        '--protocol-era',
        era,
        '--method',
        'tools/list',
        '--format',
        'json',
      ]);
      assert.match(listed, /"echo"/);
      const called = await inspect(target, [
        '--protocol-era',
        era,
        '--method',
        'tools/call',
        '--tool-name',
        'echo',
        '--tool-args-json',
        '{"text":"over http"}',
        '--format',
        'json',
      ]);
      assert.match(called, /over http/);
    });
  }

  it('finds the schemas portable', async () => {
    await inspect([process.execPath, MAIN], ['--method', 'tools/list', '--strict']);
  });
});
