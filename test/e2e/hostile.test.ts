// Two thousand hostile requests against the package's server: nothing crashes, nothing leaks, and it still answers.

import assert from 'node:assert/strict';
import { it } from 'node:test';
import { attack, prepared } from '../server/hostile/attack.ts';
import { as, rpc, send } from '../server/support/send.ts';
import { sandbox } from '../support/cli.ts';
import { newKey, served } from '../support/served.ts';

const COUNT = 2_000;

interface ListedTool {
  name: string;
  inputSchema: { properties?: Record<string, unknown> };
  annotations: { openWorldHint: boolean; readOnlyHint: boolean };
}

it(`survives ${COUNT} hostile requests`, async (context) => {
  const box = sandbox();
  context.after(() => box.remove());
  await box.run('vai', ['ingest', '-', '--source', 'guide.md', '--collection', 'docs'], {
    input: '# Guide\n\nKeys are made with generate-key.\n'.repeat(20),
  });
  const limited = await newKey(box, 'read', ['--collections', 'public', '--rate', '600']);
  const made = await box.run('vai', ['mcp-server', 'generate-key', '--json']);
  const { key: revoked, id } = JSON.parse(made.stdout) as { key: string; id: string };
  await box.run('vai', ['mcp-server', 'revoke-key', id]);
  const server = await served({ box, args: ['mcp-server', '--rate-limit', '0'] });

  const listed = await send(server, { headers: as(server.key), body: rpc('tools/list') });
  const tools = (listed.body.result.tools as ListedTool[])
    // What fetches from the network is asked nothing here: hostile sources have tests of their own.
    .filter(({ annotations }) => !annotations.openWorldHint || annotations.readOnlyHint)
    .map(({ name, inputSchema }) => ({ name, arguments: Object.keys(inputSchema.properties ?? {}) }));
  const keys = { good: server.key, expired: revoked, limited };
  await attack(server.url, prepared(COUNT, keys, tools), [...Object.values(keys), box.folder]);

  const alive = await send(server, { headers: as(server.key), body: rpc('tools/list') });
  assert.equal(alive.status, 200);
  assert.equal(await server.stop(), 0);
  assert.doesNotMatch(server.stderr(), /request failed|unhandled rejection/, 'no request fell through');
  for (const key of Object.values(keys)) assert.ok(!server.stderr().includes(key), 'no key in the log');
});
