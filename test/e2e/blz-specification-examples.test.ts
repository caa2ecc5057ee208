// The workflows of the BLZ specification through the official client, over the pipe of a real `blz mcp` process.

import assert from 'node:assert/strict';
import { writeFile, mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { Client } from '@modelcontextprotocol/client';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';
import { GUIDE } from '../support/blz-engine.ts';
import { startDocsServer, type DocsServer } from '../support/docs-server.ts';
import { NODE, script } from '../support/package.ts';
import { handshake, openPipe } from '../../bench/lib/mcp-pipe.ts';
import { tempFolder } from '../support/temp-folder.ts';

const home = tempFolder('blze2e');
let server: DocsServer;
let client: Client;
let env: Record<string, string>;

before(async () => {
  server = await startDocsServer();
  server.set('/bun/llms-full.txt', GUIDE.replaceAll('Guide', 'Bun'));
  server.set('/astro/llms.txt', '# Astro\n\nIslands of interactivity.\n');
  env = { VAI_HOME: join(home, 'data'), BLZ_ALLOW_PRIVATE: '1' };
  await mkdir(join(home, 'data'));
  await writeFile(
    join(home, 'data', 'registry.json'),
    JSON.stringify([
      { id: 'bun', url: `${server.origin}/bun/llms-full.txt`, name: 'Bun runtime docs' },
      { id: 'astro', url: `${server.origin}/astro/llms-full.txt`, name: 'Astro' },
    ]),
  );
  client = new Client({ name: 'e2e', version: '1' });
  const path = process.env.PATH ?? '';
  await client.connect(
    new StdioClientTransport({
      command: NODE,
      args: [script('blz'), 'mcp'],
      env: { PATH: path, ...env },
      cwd: home,
    }),
  );
});
after(async () => {
  await client.close();
  await server.close();
});

// eslint-disable-next-line @typescript-eslint/no-explicit-any
async function call(name: string, values: Record<string, unknown> = {}): Promise<any> {
  const result = await client.callTool({ name, arguments: values });
  assert.notEqual(result.isError, true, JSON.stringify(result.content));
  assert.deepEqual(JSON.parse((result.content as { text: string }[])[0]!.text), result.structuredContent);
  return result.structuredContent;
}

test('workflow 2: find a source, add it from the registry, see it installed', async () => {
  const before = await call('list-sources', { filter: 'astro' });
  assert.deepEqual(before.sources[0].suggestedCommand, 'blz add astro');
  const added = await call('source-add', { alias: 'astro' });
  assert.equal(added.url, `${server.origin}/astro/llms.txt`);
  assert.match(added.message, /^Added astro \(1 headings, 3 lines\) in \d+ms$/);
  const after = await call('list-sources', { filter: 'astro' });
  assert.equal(after.sources[0].kind, 'installed');
});

test('workflow 1: search, pick the best hit, retrieve its section', async () => {
  await call('source-add', { alias: 'bun' });
  const found = await call('find', { query: 'package manager', source: 'bun', maxResults: 5 });
  const citation = found.hits[0];
  const content = await call('find', {
    snippets: [`${citation.alias}:${citation.lines}`],
    contextMode: 'symmetric',
  });
  assert.match(content.snippets[0].content, /^### Linux\n/);
  assert.deepEqual(content.snippets[0].headingPath, ['Bun', 'Install', 'Linux']);
});

test('workflow 3: the prompt names what is installed and what to add', async () => {
  const { messages } = await client.getPrompt({
    name: 'discover-docs',
    arguments: { technologies: 'bun,react,zorblax' },
  });
  const text = (messages[0]!.content as { text: string }).text;
  assert.match(text, /- bun \(\d+ lines\)/);
  assert.match(text, /source-add \{"alias":"react"\}/);
  assert.match(text, /No match for zorblax/);
});

test('resources, commands and reference data', async () => {
  const { resources } = await client.listResources();
  assert.ok(resources.some((resource) => resource.uri === 'blz://sources/bun'));
  const { contents } = await client.readResource({ uri: 'blz://sources/bun' });
  const source = JSON.parse((contents[0] as { text: string }).text);
  assert.deepEqual(Object.keys(source).slice(0, 6), [
    'alias',
    'url',
    'fetchedAt',
    'totalLines',
    'headings',
    'lastUpdated',
  ]);
  await assert.rejects(client.readResource({ uri: 'blz://sources/nope' }));
  assert.match((await call('run-command', { command: 'stats' })).stdout, /^Total sources: 2\n/);
  assert.deepEqual((await call('learn-blz')).flags.source, ['astro', 'bun']);
  await assert.rejects(client.callTool({ name: 'remove', arguments: {} }), /Unknown tool/);
});

test('the greeting is under 1,024 bytes and the tools under 2,000, on the wire', async () => {
  const pipe = openPipe([script('blz'), 'mcp'], env);
  try {
    const hello = await handshake(pipe);
    assert.ok(hello.bytes <= 1024, String(hello.bytes));
    assert.equal(hello.result.serverInfo.name, 'blz-mcp');
    const tools = await pipe.request('tools/list');
    assert.ok(tools.bytes <= 2000, String(tools.bytes));
  } finally {
    await pipe.end();
  }
});
