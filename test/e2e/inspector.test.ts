// The official Inspector in CLI mode lists and calls tools, over stdio and over HTTP, in both eras.

import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import { promisify } from 'node:util';
import { sandbox, type Sandbox } from '../support/cli.ts';
import { NODE, script } from '../support/package.ts';
import { served } from '../support/served.ts';

const run = promisify(execFile);
const manifest = createRequire(import.meta.url).resolve('@modelcontextprotocol/inspector/package.json');
const { bin } = JSON.parse(readFileSync(manifest, 'utf8')) as { bin: string | Record<string, string> };
const INSPECTOR = join(dirname(manifest), typeof bin === 'string' ? bin : Object.values(bin)[0]!);

let box: Sandbox;
before(() => (box = sandbox()));
after(() => box.remove());

async function inspect(target: string[], args: string[]): Promise<string> {
  const all = [INSPECTOR, '--cli', ...target, ...args];
  // The Inspector passes only some variables on to what it starts; HOME is one of them.
  const env = { ...process.env, HOME: box.folder };
  const { stdout } = await run(process.execPath, all, { env, cwd: box.folder });
  return stdout;
}

async function listAndCall(target: string[], era: string): Promise<void> {
  const list = ['--protocol-era', era, '--method', 'tools/list', '--format', 'json'];
  const { tools } = JSON.parse(await inspect(target, list)).result as { tools: { name: string }[] };
  for (const name of ['vai_query', 'find', 'flowrag_search'])
    assert.ok(
      tools.some((tool) => tool.name === name),
      name,
    );
  const call = ['--protocol-era', era, '--method', 'tools/call', '--tool-name', 'vai_similarity'];
  const texts = { text1: 'a red bicycle', text2: 'a red bicycle' };
  const called = await inspect(target, [
    ...call,
    '--tool-args-json',
    JSON.stringify(texts),
    '--format',
    'json',
  ]);
  const { structuredContent } = JSON.parse(called).result as { structuredContent: { similarity: number } };
  assert.equal(structuredContent.similarity, 1);
}

const STDIO = [NODE, script('vai'), 'mcp-server'];

describe('Inspector', () => {
  for (const era of ['legacy', 'modern']) {
    it(`over stdio, ${era}`, () => listAndCall(STDIO, era));

    it(`over HTTP, ${era}`, async () => {
      await using server = await served({ box });
      const header = ['--header', `Authorization: Bearer ${server.key}`];
      await listAndCall([`${server.url}/mcp`, '--transport', 'http', ...header], era);
    });
  }

  it('finds the schemas portable', async () => {
    await inspect(STDIO, ['--method', 'tools/list', '--strict']);
  });
});
