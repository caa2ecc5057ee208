// Views, with the official client: who hears of them, and what a view is.

import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { describe, it } from 'node:test';
import { fileURLToPath } from 'node:url';
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';
import { localCall } from '../../src/engine/call.ts';
import { httpServer, KEY, stored, type TestServer } from './support/http.ts';
import { allTools } from '../support/all-tools.ts';
import { tempFolder } from '../support/temp-folder.ts';

const TYPE = 'text/html;profile=mcp-app';
const VIEWS = { vai_get: 'ui://vai/citation', flowrag_relations: 'ui://vai/neighbourhood' };
const SHOWS = { extensions: { 'io.modelcontextprotocol/ui': { mimeTypes: [TYPE] } } };

const { toolsets, surface } = await allTools('/nonexistent');
const MAIN = fileURLToPath(new URL('../../src/cli/bin/vai.ts', import.meta.url));

const newClient = (capabilities: object, mode: 'auto' | 'legacy' = 'auto'): Client =>
  new Client(
    { name: 'test', version: '1' },
    { capabilities, versionNegotiation: { mode, probe: { timeoutMs: 600_000 } } },
  );

async function connected(server: TestServer, capabilities: object, mode?: 'legacy'): Promise<Client> {
  const client = newClient(capabilities, mode);
  await client.connect(
    new StreamableHTTPClientTransport(new URL(`${server.url}/mcp`), {
      requestInit: { headers: { Authorization: `Bearer ${KEY}` } },
    }),
  );
  return client;
}

async function announced(client: Client): Promise<Record<string, unknown>> {
  const { tools } = await client.listTools();
  return Object.fromEntries(
    tools.flatMap(({ name, _meta }) =>
      _meta ? [[name, (_meta['ui'] as { resourceUri: string }).resourceUri]] : [],
    ),
  );
}

describe('views', () => {
  it('are announced to a client that shows them, over HTTP', async () => {
    await using server = await httpServer({ toolsets });
    const client = await connected(server, SHOWS);
    assert.deepEqual(await announced(client), VIEWS);
    assert.deepEqual(client.getServerCapabilities()?.extensions?.['io.modelcontextprotocol/ui'], {});
    await client.close();
  });

  for (const mode of ['auto', 'legacy'] as const)
    it(`are announced to a client that shows them, over stdio, ${mode}`, async () => {
      const home = tempFolder('views');
      const client = newClient(SHOWS, mode);
      await client.connect(
        new StdioClientTransport({
          command: process.execPath,
          args: [MAIN, 'mcp-server', '--toolsets', 'vai,flowrag'],
          env: { ...(process.env as Record<string, string>), VAI_HOME: home },
          cwd: home,
          stderr: 'pipe',
        }),
      );
      assert.deepEqual(await announced(client), VIEWS);
      await client.close();
    });

  it('add no byte for other clients', async () => {
    await using server = await httpServer({ toolsets });
    const others = [{}, { extensions: { 'io.modelcontextprotocol/ui': { mimeTypes: ['text/uri-list'] } } }];
    for (const capabilities of others) {
      const client = await connected(server, capabilities);
      assert.deepEqual(await announced(client), {});
      await client.close();
    }
    const views = surface.resources.filter(({ uri }) => uri.startsWith('ui:'));
    assert.equal(views.length, 2);
    const call = { call: localCall(), engine: () => Promise.reject(new Error('not needed')) };
    for (const view of views) assert.deepEqual(await view.list(call), []);
  });

  it('are not announced to a key that gets no structured copy', async () => {
    await using server = await httpServer({ toolsets, keys: [stored(KEY, { channels: 'text' })] });
    const client = await connected(server, SHOWS);
    assert.deepEqual(await announced(client), {});
    await client.close();
  });

  it('are documents that load nothing and run their own script alone', async () => {
    await using server = await httpServer({ toolsets });
    const client = await connected(server, SHOWS);
    for (const uri of Object.values(VIEWS)) {
      const { contents } = await client.readResource({ uri });
      const { mimeType, text, _meta } = contents[0] as { mimeType: string; text: string; _meta: object };
      assert.equal(mimeType, TYPE);
      assert.deepEqual(_meta, { ui: { csp: {}, prefersBorder: true } });
      const policy = /http-equiv="Content-Security-Policy" content="([^"]*)"/.exec(text)![1]!;
      assert.match(policy, /^default-src 'none'; base-uri 'none'; form-action 'none'; /);
      assert.ok(!policy.includes('unsafe'));
      for (const tag of ['script', 'style']) {
        const body = new RegExp(`<${tag}>([^]*?)</${tag}>`).exec(text)![1]!;
        const digest = createHash('sha256').update(body).digest('base64');
        assert.ok(policy.includes(`${tag}-src 'sha256-${digest}'`), tag);
        assert.ok(!/innerHTML|insertAdjacent|document\.write|\beval\b/.test(body));
      }
      const addresses = [...text.matchAll(/\b(?:https?|wss?):\/\/[^'"\s]*/g)].map(([address]) => address);
      assert.ok(addresses.every((address) => address === 'http://www.w3.org/2000/svg'));
    }
    await client.close();
  });
});
