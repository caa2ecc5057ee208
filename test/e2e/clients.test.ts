// The official TypeScript clients, new and old, against the package: both transports, both eras, the whole surface.
// Clients in other languages are `npm run test:clients`.

import assert from 'node:assert/strict';
import { after, before } from 'node:test';
import { sandbox, type Sandbox } from '../support/cli.ts';
import { withEveryClient, type AnyClient } from '../support/every-client.ts';
import { NODE, script } from '../support/package.ts';
import { served, type Served } from '../support/served.ts';

interface Result {
  isError?: boolean;
  structuredContent: Record<string, unknown>;
  content: { text: string }[];
}

let box: Sandbox;
let server: Served;
before(async () => {
  box = sandbox();
  const note = 'Herons stand still for hours, and strike fast.';
  await box.run('vai', ['ingest', '-', '--collection', 'birds', '--source', 'herons.md'], { input: note });
  server = await served({ box });
});
after(async () => {
  await server.stop();
  box.remove();
});

const stdio = () => ({
  command: NODE,
  args: [script('vai'), 'mcp-server'],
  env: { PATH: process.env['PATH']!, HOME: box.folder, VAI_HOME: box.home },
  cwd: box.folder,
  stderr: 'pipe' as const,
});

async function walk(client: AnyClient): Promise<void> {
  assert.match(client.getInstructions() ?? '', /vai_query/);
  const { tools } = await client.listTools();
  for (const name of ['vai_query', 'find', 'flowrag_search'])
    assert.ok(
      tools.some((tool) => tool.name === name),
      name,
    );
  const call = async (name: string, values: Record<string, unknown>): Promise<Result> =>
    (await client.callTool({ name, arguments: values })) as Result;

  const found = await call('vai_query', { query: 'how do herons hunt' });
  const [hit] = found.structuredContent['results'] as { citation: string; content: string }[];
  assert.match(hit!.content, /strike fast/);
  assert.match(found.content[0]!.text, /strike fast/);
  const read = await call('find', { snippets: [hit!.citation] });
  assert.match(JSON.stringify(read.structuredContent), /strike fast/);
  assert.ok(Number((await call('flowrag_stats', {})).structuredContent['chunks']) >= 1);

  const wrong = await call('vai_query', { qeury: 'herons' });
  assert.equal(wrong.isError, true);
  assert.match(wrong.content[0]!.text, /Unknown argument `qeury`.*Did you mean `query`/);
  await assert.rejects(client.callTool({ name: 'vai_qery', arguments: {} }), /Unknown tool.*`vai_query`/);

  const { resources } = await client.listResources();
  assert.ok(resources.some(({ uri }) => uri === 'vai://collections/vai/birds'));
  const { resourceTemplates } = await client.listResourceTemplates();
  assert.ok(resourceTemplates.some(({ uriTemplate }) => uriTemplate === 'vai://explain/{topic}'));
  const { contents } = await client.readResource({ uri: 'vai://collections/vai/birds' });
  assert.match(JSON.stringify(contents), /herons\.md/);
  await assert.rejects(client.readResource({ uri: 'vai://collections/vai/none' }), /not found/i);

  const { prompts } = await client.listPrompts();
  assert.ok(prompts.some(({ name }) => name === 'discover-docs'));
  const prompt = { name: 'discover-docs', arguments: { technologies: 'react' } };
  assert.match(JSON.stringify((await client.getPrompt(prompt)).messages), /I work with react/);
  const { completion } = await client.complete({
    ref: { type: 'ref/resource', uri: 'vai://collections/{db}/{collection}' },
    argument: { name: 'collection', value: 'bi' },
  });
  assert.deepEqual(completion.values, ['birds']);
}

withEveryClient({ stdio, http: (use) => use(server.url, server.key) }, walk);
