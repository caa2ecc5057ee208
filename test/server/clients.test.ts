// The official clients, new and old, against the real server: both transports, both eras, the whole surface.

import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { fileURLToPath } from 'node:url';
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { Client as OldClient } from '@modelcontextprotocol/sdk/client/index.js';
import { withEveryClient, type AnyClient } from '../support/every-client.ts';
import { until } from '../support/wait.ts';
import { httpServer, KEY } from './support/http.ts';

const MAIN = fileURLToPath(new URL('./support/stdio-main.ts', import.meta.url));
const STDIO = { command: process.execPath, args: [MAIN], stderr: 'pipe' as const };
const bearer = { requestInit: { headers: { Authorization: `Bearer ${KEY}` } } };
const info = { name: 'test', version: '1' };

async function walk(client: AnyClient): Promise<void> {
  assert.equal(client.getInstructions(), 'Use echo to hear your own words again.');
  const { tools } = await client.listTools();
  assert.deepEqual(
    tools.map((tool) => tool.name),
    ['echo', 'slow', 'boom', 'write_note'],
  );
  const result = (await client.callTool({ name: 'echo', arguments: { text: 'hi' } })) as {
    structuredContent: object;
    content: { text: string }[];
  };
  assert.deepEqual(result.structuredContent, { said: 'hi' });
  assert.equal(result.content[0]!.text, 'hi');
  const failed = (await client.callTool({ name: 'echo', arguments: { txt: 'hi' } })) as {
    isError: boolean;
    content: { text: string }[];
  };
  assert.equal(failed.isError, true);
  assert.match(failed.content[0]!.text, /Unknown argument `txt`.*Did you mean `text`/);
  await assert.rejects(client.callTool({ name: 'ech', arguments: {} }), /Unknown tool: `ech`.*`echo`/);

  const { resources } = await client.listResources();
  assert.deepEqual(
    resources.map((resource) => resource.uri),
    ['test://about', 'test://notes/public', 'test://notes/secret'],
  );
  const { resourceTemplates } = await client.listResourceTemplates();
  assert.deepEqual(
    resourceTemplates.map((template) => template.uriTemplate),
    ['test://notes/{name}'],
  );
  const { contents } = await client.readResource({ uri: 'test://notes/public' });
  assert.deepEqual(contents, [{ uri: 'test://notes/public', mimeType: 'text/plain', text: 'for everyone' }]);
  await assert.rejects(
    client.readResource({ uri: 'test://notes/none' }),
    // The newer client reads both numbers as one.
    (error: { code?: number }) => error.code === (client instanceof OldClient ? -32002 : -32602),
  );

  const { prompts } = await client.listPrompts();
  assert.equal(prompts[0]!.name, 'ask');
  const { messages } = await client.getPrompt({ name: 'ask', arguments: { topic: 'tea' } });
  assert.deepEqual(messages, [{ role: 'user', content: { type: 'text', text: 'What about tea?' } }]);
  await assert.rejects(client.getPrompt({ name: 'ask', arguments: {} }), /Missing argument `topic`/);
  const { completion } = await client.complete({
    ref: { type: 'ref/resource', uri: 'test://notes/{name}' },
    argument: { name: 'name', value: 'pu' },
  });
  assert.deepEqual(completion.values, ['public']);
}

async function progress(client: Client): Promise<void> {
  const seen: number[] = [];
  await client.callTool(
    { name: 'slow', arguments: { steps: 5, ms: 250 } },
    { onprogress: (notice) => void seen.push(notice.progress) },
  );
  assert.ok(seen.length >= 2, `progress seen: ${seen.join()}`);
  assert.deepEqual(
    [...seen].sort((a, b) => a - b),
    seen,
  );
}

const http = async (use: (url: string, key: string) => Promise<void>): Promise<void> => {
  await using server = await httpServer();
  await use(server.url, KEY);
};
withEveryClient({ stdio: () => STDIO, http }, async (client) => {
  await walk(client);
  if (client instanceof Client) await progress(client);
});

describe('cancellation', () => {
  it('reaches the work over HTTP, modern: the client closes the stream', async () => {
    await using server = await httpServer();
    const client = new Client(info, { versionNegotiation: { mode: 'auto' } });
    await client.connect(new StreamableHTTPClientTransport(new URL(`${server.url}/mcp`), bearer));
    const stop = new AbortController();
    const call = client.callTool(
      { name: 'slow', arguments: { steps: 1000, ms: 5 } },
      { signal: stop.signal },
    );
    await until(() => server.engine.started === 1);
    stop.abort();
    await assert.rejects(call);
    await until(() => server.engine.aborted === 1);
    await client.close();
  });

  it('reaches the work over HTTP, legacy: the connection goes', async () => {
    await using server = await httpServer();
    const stop = new AbortController();
    const params = { name: 'slow', arguments: { steps: 1000, ms: 5 } };
    const call = fetch(`${server.url}/mcp`, {
      method: 'POST',
      headers: { ...bearer.requestInit.headers, 'Content-Type': 'application/json' },
      body: JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/call', params }),
      signal: stop.signal,
    });
    await until(() => server.engine.started === 1);
    stop.abort();
    await assert.rejects(call);
    await until(() => server.engine.aborted === 1);
  });
});
