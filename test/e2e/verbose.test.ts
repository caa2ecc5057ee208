// What a server says on stderr over stdio: nothing unless it is asked, and then what a person can follow.

import assert from 'node:assert/strict';
import { after, it } from 'node:test';
import { sandbox } from '../support/cli.ts';
import type { CommandName } from '../support/package.ts';

const box = sandbox();
after(() => box.remove());

const REQUESTS = [
  {
    id: 1,
    method: 'initialize',
    params: {
      protocolVersion: '2025-11-25',
      capabilities: {},
      clientInfo: { name: 'notepad', version: '7' },
    },
  },
  { method: 'notifications/initialized' },
  { id: 2, method: 'tools/call', params: { name: 'learn-blz', arguments: {} } },
  { id: 3, method: 'tools/call', params: { name: 'learn-blz', arguments: { secret: 'hunter2' } } },
  { id: 4, method: 'resources/list' },
]
  .map((message) => JSON.stringify({ jsonrpc: '2.0', ...message }))
  .join('\n');

const ASKED: [string, CommandName, string[], Record<string, string>][] = [
  ['--verbose', 'vai', ['mcp-server', '--verbose'], {}],
  ['VAI_MCP_VERBOSE', 'vai', ['mcp-server'], { VAI_MCP_VERBOSE: '1' }],
  ['RUST_LOG', 'blz', ['mcp'], { RUST_LOG: 'blz_mcp=debug' }],
  ['BLZ_LOG', 'blz', ['mcp'], { BLZ_LOG: 'debug' }],
];

for (const [name, command, args, env] of ASKED)
  it(`${name} tells who came, what was asked and how it ended`, async () => {
    const run = await box.run(command, args, { env, input: `${REQUESTS}\n` });
    assert.equal(run.status, 0, run.stderr);
    assert.equal(run.stdout.trim().split('\n').length, 4, 'stdout has the answers and nothing else');
    const lines = run.stderr
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line) as Record<string, unknown>);
    const said = (msg: string, more: object): void =>
      assert.ok(
        lines.some(
          (line) => line['msg'] === msg && Object.entries(more).every(([key, value]) => line[key] === value),
        ),
        `${msg} ${JSON.stringify(more)}\n${run.stderr}`,
      );
    said('serving on stdio', {});
    said('client', { name: 'notepad', version: '7' });
    said('answered', { rpc: 'tools/call', tool: 'learn-blz', ok: true });
    said('answered', { rpc: 'tools/call', tool: 'learn-blz', ok: false });
    said('answered', { rpc: 'resources/list' });
    said('stopped', { why: 'the client has disconnected' });
    assert.ok(!run.stderr.includes('hunter2'), 'no content');
  });

it('without being asked it is silent', async () => {
  const run = await box.run('vai', ['mcp-server'], { input: `${REQUESTS}\n` });
  assert.equal(run.stderr, '');
});
