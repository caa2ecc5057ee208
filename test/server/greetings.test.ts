// What each server says before anything is asked: its bytes to the last one, because every host reads them into its
// model's context; the same words in both eras; and what the toolsets say of themselves agrees with what they are.

import assert from 'node:assert/strict';
import { readFileSync, writeFileSync } from 'node:fs';
import { after, describe, it } from 'node:test';
import { vaiServer } from '../../src/cli/vai/server.ts';
import type { Toolset } from '../../src/tools/tool.ts';
import { testFrame } from '../support/frame.ts';
import { LIMITS, type Greeting } from './greetings.limits.ts';
import { aboutOf } from './support/about.ts';
import { httpServer, KEY } from './support/http.ts';
import { as, rpc, send, type Reply } from './support/send.ts';

const SERVERS: Record<string, string> = {
  vai: 'vai-mcp-server',
  blz: 'blz-mcp',
  flowrag: 'flowrag-mcp',
  all: 'vai-mcp-server',
};

const goldenFile = new URL('./greetings.golden.json', import.meta.url);
const golden = JSON.parse(readFileSync(goldenFile, 'utf8')) as Record<string, Greeting>;
const measured: Record<string, Greeting> = {};
if (process.env.UPDATE_GOLDEN)
  after(() => writeFileSync(goldenFile, `${JSON.stringify(measured, null, 2)}\n`));

const HELLO = { protocolVersion: '2025-11-25', capabilities: {}, clientInfo: { name: 't', version: '1' } };
const META = {
  'io.modelcontextprotocol/protocolVersion': '2026-07-28',
  'io.modelcontextprotocol/clientCapabilities': {},
};

const kind = vaiServer(testFrame('/', { VAI_HOME: '/nonexistent' }));
const toolsets = await kind.load(kind.offered);
const abouts = kind.about(kind.offered);
const served: [string, Toolset[]][] = [
  ...toolsets.map((set): [string, Toolset[]] => [set.name, [set]]),
  ['all', toolsets],
];

for (const [name, sets] of served) {
  const about = abouts.filter((one) => sets.some((set) => set.name === one.name));
  describe(`the server ${name}`, () => {
    it('greets with these bytes, within its limits', async () => {
      await using server = await httpServer({ toolsets: sets, about });
      const hello = await send(server, { headers: as(KEY), body: rpc('initialize', HELLO) });
      assert.equal(hello.body.result.serverInfo.name, SERVERS[name]);
      const list = await send(server, { headers: as(KEY), body: rpc('tools/list') });
      const now = { initialize: bytes(hello), tools: bytes(list) };
      measured[name] = now;
      for (const line of ['initialize', 'tools'] as const) {
        assert.ok(now[line] <= LIMITS[name]![line], tooLong(name, line, now[line]));
        if (!process.env.UPDATE_GOLDEN)
          assert.equal(now[line], golden[name]![line], renewed(name, line, now[line]));
      }
      assert.deepEqual(
        list.body.result.tools.map((tool: { name: string }) => tool.name),
        sets.flatMap((set) => set.tools.map((tool) => tool.name)),
      );
    });

    it('says the same in both eras', async () => {
      await using server = await httpServer({ toolsets: sets, about });
      const legacy = await send(server, { headers: as(KEY), body: rpc('initialize', HELLO) });
      const headers = { ...as(KEY), 'MCP-Protocol-Version': '2026-07-28', 'Mcp-Method': 'server/discover' };
      const modern = await send(server, { headers, body: rpc('server/discover', { _meta: META }) });
      assert.equal(modern.body.result.instructions, legacy.body.result.instructions);
      const { extensions, ...offered } = modern.body.result.capabilities;
      const { extensions: before = {}, ...offeredBefore } = legacy.body.result.capabilities;
      assert.deepEqual(offered, offeredBefore);
      // Tasks are an extension of the modern revision alone.
      assert.deepEqual(extensions, { ...before, 'io.modelcontextprotocol/tasks': {} });
      assert.equal(modern.body.result.cacheScope, 'public');
      assert.ok(modern.body.result.instructions.length <= 1_500);
    });
  });
}

it('what is said before the tools are loaded is what they are', () => {
  const said = toolsets.map(aboutOf).map(({ name, offers }, at) => ({ ...abouts[at], name, offers }));
  assert.deepEqual(abouts, said);
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

function tooLong(kind: string, line: keyof Greeting, now: number): string {
  return (
    `${line} of the server ${kind} has ${now} bytes, and ${LIMITS[kind]![line]} at most (greetings.limits.ts). ` +
    'Shorten it; a tool that few need is offered beside the others only when it is asked for (VAI_EXTRA_TOOLS).'
  );
}

function renewed(kind: string, line: keyof Greeting, now: number): string {
  const before = golden[kind]![line];
  return (
    `${line} of the server ${kind} has ${now} bytes, before ${before} (${now > before ? '+' : ''}${now - before}). ` +
    'Every client reads them at every start. If that is meant, run `npm run golden` and commit what it wrote.'
  );
}

function bytes(reply: Reply): number {
  return Buffer.byteLength(JSON.stringify(reply.body));
}
