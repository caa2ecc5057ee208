// What each door says before anything is asked: a golden count of bytes, because every host reads them into its model's
// context; the same words in both eras; and what the toolsets say of themselves agrees with what they are.

import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { vaiDoor } from '../../src/cli/vai/door.ts';
import { createFrame } from '../../src/cli/frame.ts';
import { aboutOf } from '../../src/server/index.ts';
import type { Toolset } from '../../src/tools/tool.ts';
import { httpServer, KEY } from './support/http.ts';
import { as, rpc, send, type Reply } from './support/send.ts';

const LIMITS: Record<string, { initialize: number; tools: number; server: string }> = {
  vai: { initialize: 2_048, tools: 12_000, server: 'vai-mcp-server' },
  blz: { initialize: 1_024, tools: 1_800, server: 'blz-mcp' },
  flowrag: { initialize: 2_048, tools: 6_500, server: 'flowrag-mcp' },
  all: { initialize: 2_048, tools: 20_000, server: 'vai-mcp-server' },
};

const HELLO = { protocolVersion: '2025-11-25', capabilities: {}, clientInfo: { name: 't', version: '1' } };
const META = {
  'io.modelcontextprotocol/protocolVersion': '2026-07-28',
  'io.modelcontextprotocol/clientCapabilities': {},
};

const streams = { stdout: process.stderr, stderr: process.stderr, stdin: process.stdin };
const input = { name: 'vai', env: { VAI_HOME: '/nonexistent' }, cwd: '/', streams, uriChoosesStore: true };
const door = vaiDoor(createFrame(input, new AbortController().signal));
const toolsets = await door.load(door.offered);
const served: [string, Toolset[]][] = [
  ...toolsets.map((set): [string, Toolset[]] => [set.name, [set]]),
  ['all', toolsets],
];

for (const [name, sets] of served) {
  const limit = LIMITS[name]!;
  describe(`the door ${name}`, () => {
    it('greets within its bytes', async () => {
      await using server = await httpServer({ toolsets: sets });
      const hello = await send(server, { headers: as(KEY), body: rpc('initialize', HELLO) });
      assert.equal(hello.body.result.serverInfo.name, limit.server);
      assert.ok(bytes(hello) <= limit.initialize, `initialize: ${bytes(hello)} bytes`);
      const list = await send(server, { headers: as(KEY), body: rpc('tools/list') });
      assert.ok(bytes(list) <= limit.tools, `tools/list: ${bytes(list)} bytes`);
      assert.deepEqual(
        list.body.result.tools.map((tool: { name: string }) => tool.name),
        sets.flatMap((set) => set.tools.map((tool) => tool.name)),
      );
    });

    it('says the same in both eras', async () => {
      await using server = await httpServer({ toolsets: sets });
      const legacy = await send(server, { headers: as(KEY), body: rpc('initialize', HELLO) });
      const headers = { ...as(KEY), 'MCP-Protocol-Version': '2026-07-28', 'Mcp-Method': 'server/discover' };
      const modern = await send(server, { headers, body: rpc('server/discover', { _meta: META }) });
      assert.equal(modern.body.result.instructions, legacy.body.result.instructions);
      assert.deepEqual(modern.body.result.capabilities, legacy.body.result.capabilities);
      assert.equal(modern.body.result.cacheScope, 'public');
      assert.ok(modern.body.result.instructions.length <= 1_500);
    });
  });
}

it('what is said before the tools are loaded is what they are', async () => {
  assert.deepEqual(await door.about!(door.offered), toolsets.map(aboutOf));
});

it('every tool has a description, hints and a closed input', () => {
  for (const tool of toolsets.flatMap((set) => set.tools)) {
    assert.ok(tool.description.length > 20, tool.name);
    assert.equal(typeof tool.annotations.readOnlyHint, 'boolean');
    assert.equal(tool.scope === 'read', tool.annotations.readOnlyHint, `${tool.name}: scope and hint agree`);
    assert.equal(tool.input.safeParse({ nobody_knows_this: 1 }).success, false, tool.name);
    assert.match(tool.name, /^[A-Za-z0-9_.-]{1,64}$/);
  }
});

function bytes(reply: Reply): number {
  return Buffer.byteLength(JSON.stringify(reply.body));
}
