import assert from 'node:assert/strict';
import { it } from 'node:test';
import { httpServer, KEY } from '../support/http.ts';
import { as, rpc, send } from '../support/send.ts';

const META = {
  'io.modelcontextprotocol/protocolVersion': '2026-07-28',
  'io.modelcontextprotocol/clientCapabilities': {},
};

it('a missing resource has the number of the client’s revision', async () => {
  await using server = await httpServer();
  const uri = 'test://notes/none';
  const legacy = await send(server, { headers: as(KEY), body: rpc('resources/read', { uri }) });
  assert.deepEqual(legacy.body.error, { code: -32002, message: `Resource not found: ${uri}`, data: { uri } });
  const headers = {
    ...as(KEY),
    'MCP-Protocol-Version': '2026-07-28',
    'Mcp-Method': 'resources/read',
    'Mcp-Name': uri,
  };
  const modern = await send(server, { headers, body: rpc('resources/read', { uri, _meta: META }) });
  assert.equal(modern.body.error.code, -32602);
  const wrong = await send(server, { headers: as(KEY), body: rpc('prompts/get', { name: 'none' }) });
  assert.equal(wrong.body.error.code, -32602, 'other errors keep theirs');
});
