// The official clients, new and old, against the real server: both transports, both eras, the whole surface.

import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { fileURLToPath } from 'node:url';
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';
import { Client as OldClient } from '@modelcontextprotocol/sdk/client/index.js';
import { StdioClientTransport as OldStdio } from '@modelcontextprotocol/sdk/client/stdio.js';
import { StreamableHTTPClientTransport as OldHttp } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import type { AnyClient } from '../support/any-client.ts';
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

for (const mode of ['auto', 'legacy'] as const) {
  describe(`client 2.4.0, ${mode}`, () => {
    const make = (): Client => new Client(info, { versionNegotiation: { mode } });

    it('walks the surface over stdio', async () => {
      const client = make();
      await client.connect(new StdioClientTransport(STDIO));
      await walk(client);
      await progress(client);
      await client.close();
    });

    it('walks the surface over HTTP', async () => {
      await using server = await httpServer();
      const client = make();
      await client.connect(new StreamableHTTPClientTransport(new URL(`${server.url}/mcp`), bearer));
      await walk(client);
      await progress(client);
      await client.close();
    });
  });
}

describe('client 1.32.2', () => {
  it('walks the surface over stdio', async () => {
    const client = new OldClient(info);
    await client.connect(new OldStdio(STDIO));
    await walk(client);
    await client.close();
  });

  it('walks the surface over HTTP', async () => {
    await using server = await httpServer();
    const client = new OldClient(info);
    await client.connect(new OldHttp(new URL(`${server.url}/mcp`), bearer));
    await walk(client);
    await client.close();
  });
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
