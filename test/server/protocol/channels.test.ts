// Which copies of an answer a client gets: by the server's choice, by its key's, in both eras, over HTTP.

import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { Channels } from '../../../src/server/protocol/channels.ts';
import { httpServer, KEY, stored, type TestServer } from '../support/http.ts';
import { as, send } from '../support/send.ts';

const META = {
  'io.modelcontextprotocol/protocolVersion': '2026-07-28',
  'io.modelcontextprotocol/clientCapabilities': {},
};

interface Result {
  isError?: boolean;
  content: unknown[];
  structuredContent?: object;
  tools: { name: string; outputSchema?: object }[];
  cacheScope?: string;
}

type Era = 'legacy' | 'modern';

async function ask(server: TestServer, era: Era, method: string, params: object = {}): Promise<Result> {
  const { name } = params as { name?: string };
  const modern = {
    'MCP-Protocol-Version': '2026-07-28',
    'Mcp-Method': method,
    ...(name ? { 'Mcp-Name': name } : {}),
    Accept: 'application/json, text/event-stream',
  };
  const reply = await send(server, {
    headers: { ...as(KEY), ...(era === 'modern' ? modern : {}) },
    body: {
      jsonrpc: '2.0',
      id: 1,
      method,
      params: { ...params, ...(era === 'modern' ? { _meta: META } : {}) },
    },
  });
  assert.equal(reply.status, 200, JSON.stringify(reply.body));
  return reply.body.result as Result;
}

const CASES: [name: string, server: Channels | undefined, key: Channels | undefined, expected: Channels][] = [
  ['both, when nobody chose', undefined, undefined, 'both'],
  ['text, as the server says', 'text', undefined, 'text'],
  ['structured, as the server says', 'structured', undefined, 'structured'],
  ['text, as the key says', undefined, 'text', 'text'],
  ['structured: the key goes before the server', 'text', 'structured', 'structured'],
  ['both: the key goes before the server', 'text', 'both', 'both'],
];

for (const era of ['legacy', 'modern'] as const)
  describe(`answers, ${era}`, () => {
    for (const [name, channels, ofKey, expected] of CASES)
      it(name, async () => {
        const keys = [stored(KEY, ofKey ? { channels: ofKey } : {})];
        await using server = await httpServer({ keys, ...(channels ? { channels } : {}) });
        const called = await ask(server, era, 'tools/call', { name: 'echo', arguments: { text: 'hi' } });
        assert.equal(called.content.length, expected === 'structured' ? 0 : 1);
        assert.deepEqual(called.structuredContent, expected === 'text' ? undefined : { said: 'hi' });

        const failed = await ask(server, era, 'tools/call', { name: 'boom', arguments: { how: 'known' } });
        assert.equal(failed.isError, true);
        assert.equal(failed.content.length, 1, 'what went wrong is said whatever was chosen');

        const listed = await ask(server, era, 'tools/list');
        const echo = listed.tools.find((tool) => tool.name === 'echo')!;
        assert.equal(echo.outputSchema === undefined, expected === 'text', 'no schema of what is not sent');
        if (era === 'modern') assert.equal(listed.cacheScope, 'private', 'another key may see another list');
      });
  });

it('a key whose choice cannot be read has none', async () => {
  await using server = await httpServer({ keys: [{ ...stored(KEY), channels: 'telepathy' }] });
  const called = await ask(server, 'legacy', 'tools/call', { name: 'echo', arguments: { text: 'hi' } });
  assert.ok(called.structuredContent && called.content.length === 1);
});
