// What the three specifications promise and a unit test cannot show alone: on the package, through a real client.

import assert from 'node:assert/strict';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import { sandbox } from '../support/cli.ts';
import { startDocsServer, type DocsServer } from '../support/docs-server.ts';
import { vaiClient, type VaiClient } from '../support/vai-client.ts';
import { startVoyage, type FakeVoyage } from '../support/voyage-server.ts';

interface Found {
  hits: { lines: string }[];
  totalHits: number;
  totalIsBound?: boolean;
  snippets: { status?: string; content: string }[];
}

describe('the blz toolset', () => {
  const page = (days: number): string =>
    [
      ...[
        '# Guide',
        '',
        '## Keys',
        '',
        `A key lasts ${days} days.`,
        'Then it is renewed.',
        'Ask an admin.',
        '',
      ],
      // Different enough: what says the same is shown once.
      ...Array.from({ length: 30 }, (_, at) => {
        const words = Array.from({ length: 8 }, (_unused, n) => `part${at}x${n}`).join(' ');
        return `## Installer ${at}\n\nThe installer copies ${words}.\n`;
      }),
    ].join('\n');
  let docs: DocsServer;
  let vai: VaiClient;
  const find = async (input: Record<string, unknown>): Promise<Found> =>
    (await vai.tool('find', input)).structured as unknown as Found;

  before(async () => {
    docs = await startDocsServer();
    docs.set('/llms-full.txt', page(90));
    docs.set('/large.txt', `# Large\n\n${'word '.repeat(20_000)}`);
    vai = await vaiClient({
      toolsets: 'blz',
      env: { BLZ_ALLOW_PRIVATE: '1', BLZ_MAX_BYTES: '50000' },
    });
    await vai.tool('source-add', { alias: 'guide', url: `${docs.origin}/llms-full.txt` });
  });
  after(async () => {
    await vai.close();
    await docs.close();
  });

  it('counts the hits, the same for every number of them', async () => {
    for (const maxResults of [1, 5, 30, 50]) {
      const found = await find({ query: 'installer', maxResults });
      assert.deepEqual([found.totalHits, found.totalIsBound], [30, undefined], `maxResults ${maxResults}`);
      assert.equal(found.hits.length, Math.min(30, maxResults));
    }
  });

  it('a source that is too large is an operation that failed', async () => {
    const answer = await vai.client.callTool({
      name: 'source-add',
      arguments: { alias: 'large', url: `${docs.origin}/large.txt` },
    });
    const [{ text }] = answer.content as unknown as [{ text: string }];
    const { error } = JSON.parse(text) as { error: { code: number; message: string } };
    assert.equal(error.code, -32010, text);
  });

  it('a pinned citation shows an edit of its first line', async () => {
    const [hit] = (await find({ query: '"key lasts"' })).hits;
    const { snippets } = await find({ snippets: [`guide:${hit!.lines}`] });
    const { rev } = snippets[0] as unknown as { rev: string };
    docs.set('/llms-full.txt', page(30));
    await vai.tool('run-command', { command: 'validate' });
    await vai.tool('source-add', { alias: 'guide', url: `${docs.origin}/llms-full.txt`, force: true });
    const pinned = (await find({ snippets: [`guide:5-7@${rev}`] })).snippets[0]!;
    assert.equal(pinned.status, 'changed');
    assert.match(JSON.stringify(pinned), /30 days/);
  });
});

describe('the vai toolset', () => {
  let voyage: FakeVoyage;
  let vai: VaiClient;
  before(async () => {
    voyage = await startVoyage();
    vai = await vaiClient({ env: { VOYAGE_API_KEY: 'pa-key', VOYAGE_API_BASE: voyage.base } });
    await vai.tool('vai_ingest', { text: 'A heron stands in the shallow water.', source: 'heron' });
  });
  after(async () => {
    await vai.close();
    await voyage.close();
  });

  it('deadlineMs returns what there is, by words alone where the embedder is silent', async () => {
    voyage.play('hang', 'hang');
    const { structured } = await vai.tool('vai_query', { query: 'heron', deadlineMs: 500 });
    const { results, warnings } = structured as { results: { source: string }[]; warnings: string[] };
    assert.deepEqual(
      results.map(({ source }) => source),
      ['heron'],
    );
    assert.match(warnings.join(' '), /by words only/);
  });

  it('a model that is no embedding model is called what it is', async () => {
    const { code, message } = await vai.failing('vai_query', { query: 'heron', model: 'rerank-2.5' });
    assert.deepEqual([code, /rerank-2\.5 is a reranker/.test(message)], ['MODEL_MISMATCH', true]);
  });
});

it('the example of the FlowRAG specification, with nothing installed and no key, says what is missing', async () => {
  const box = sandbox();
  after(() => box.remove());
  mkdirSync(join(box.folder, 'docs'));
  writeFileSync(join(box.folder, 'docs/a.md'), 'The Auth Service uses Redis.\n');
  const example = {
    ...{ data: './data', docs: './docs' },
    ...{ embedder: { provider: 'local' }, extractor: { provider: 'gemini' } },
  };
  writeFileSync(join(box.folder, 'flowrag.config.json'), JSON.stringify(example));
  const hello = { protocolVersion: '2025-11-25', capabilities: {}, clientInfo: { name: 'a', version: '1' } };
  const input = [
    { id: 1, method: 'initialize', params: hello },
    { method: 'notifications/initialized' },
    { id: 2, method: 'tools/call', params: { name: 'flowrag_index', arguments: {} } },
  ]
    .map((message) => `${JSON.stringify({ jsonrpc: '2.0', ...message })}\n`)
    .join('');
  const { stdout } = await box.run('flowrag-mcp', ['--config', 'flowrag.config.json'], { input });
  assert.match(stdout, /onnxruntime-node, which is not installed/);
  assert.match(stdout, /needs a Gemini key/);
  assert.match(stdout, /builtin.*rules.*works at once/);
});
