// The quick start as it is written, in an empty home, up to an agent that cites a line of the user's own file.

import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { after, before, test } from 'node:test';
import { Client } from '@modelcontextprotocol/client';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';
import { commandsOf, fencesOf } from '../../scripts/test-docs.ts';
import { NODE, script } from '../support/package.ts';
import { sandbox, type Sandbox } from '../support/cli.ts';
import { writerIn } from '../support/write-files.ts';

const root = resolve(import.meta.dirname, '../..');
let box: Sandbox;

before(() => (box = sandbox()));
after(() => box.remove());

test('at its end an agent cites your own line', async () => {
  const page = readFileSync(join(root, 'docs/quick-start.md'), 'utf8');
  const env = { PATH: process.env['PATH']!, HOME: box.folder };
  for (const fence of fencesOf('quick-start.md', page)) {
    if (fence.kind === 'file') writerIn(box.folder)(fence.detail, `${fence.text}\n`);
    if (fence.kind !== 'run') continue;
    const lines = `vai() { "${NODE}" "${script('vai')}" "$@"; }\nset -e\n${commandsOf(fence.text)}`;
    const done = spawnSync('bash', ['-c', lines], { cwd: box.folder, env, encoding: 'utf8' });
    assert.equal(done.status, 0, `${fence.text}\n${done.stderr}`);
  }
  const client = new Client({ name: 'quick-start', version: '1' });
  await client.connect(
    new StdioClientTransport({
      command: NODE,
      args: [script('vai'), 'mcp-server'],
      env,
      cwd: box.folder,
      stderr: 'ignore',
    }),
  );
  try {
    const answer = await client.callTool({
      name: 'vai_query',
      arguments: { query: 'how do I roll back a deployment' },
    });
    const { results } = answer.structuredContent as { results: { citation: string; content: string }[] };
    const [first] = results;
    assert.match(first!.citation, /^handbook\/deploy\.md:1-5@[0-9a-f]{8}$/);
    const lines = readFileSync(join(box.folder, 'handbook/deploy.md'), 'utf8').split('\n');
    assert.equal(first!.content, lines.slice(0, 5).join('\n'));
  } finally {
    await client.close();
  }
});
