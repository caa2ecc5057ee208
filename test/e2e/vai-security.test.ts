// The security tables of the specification (7.5, 12.1 to 12.3), row by row as far as the vai toolset can show them, on a real server
// with a hosted model behind it. Host and Origin checks, keys and limits of HTTP have tests of their own in test/server.

import assert from 'node:assert/strict';
import { existsSync, mkdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { tempFolder } from '../support/temp-folder.ts';
import { vaiClient, type VaiClient } from '../support/vai-client.ts';
import { startVoyage, type FakeVoyage } from '../support/voyage-server.ts';
import { until } from '../support/wait.ts';

const VOYAGE_KEY = 'pa-voyage-SECRETSECRET-0123';
const SERVER_KEY = 'vai-mcp-key-SERVERSECRET-4567';
const GEMINI_KEY = 'gemini-SECRETSECRET-89';

let fake: FakeVoyage;
let vai: VaiClient;
const root = tempFolder('security');
before(async () => {
  fake = await startVoyage({ key: VOYAGE_KEY });
  vai = await vaiClient({
    env: {
      VOYAGE_API_KEY: VOYAGE_KEY,
      VOYAGE_API_BASE: fake.base,
      VAI_MCP_SERVER_KEY: SERVER_KEY,
      GEMINI_API_KEY: GEMINI_KEY,
    },
    args: ['--verbose'],
  });
});
after(async () => {
  await vai.close();
  await fake.close();
});

const SECRETS = /SECRETSECRET|SERVERSECRET/;

test('credential isolation: no key or address reaches a client, by any tool, error or resource', async () => {
  const seen: string[] = [];
  const keep = (value: unknown): void => void seen.push(JSON.stringify(value));
  keep(
    await vai.tool('vai_ingest', {
      text: 'The launch code is banana.',
      source: 'a.md',
      collection: 'docs',
      metadata: { type: 'note' },
    }),
  );
  keep(await vai.tool('vai_query', { query: 'launch code', collection: 'docs' }));
  keep(await vai.tool('vai_search', { query: 'launch code' }));
  keep(await vai.tool('vai_rerank', { query: 'a', documents: ['b', 'c'] }));
  keep(await vai.tool('vai_embed', { text: 'a', dimensions: 256 }));
  keep(await vai.tool('vai_similarity', { text1: 'a', text2: 'b' }));
  keep(await vai.tool('vai_collections', {}));
  keep(await vai.tool('vai_models', {}));
  keep(await vai.tool('vai_explain', { topic: 'api-keys' }));
  keep(await vai.tool('vai_estimate', { docs: 1 }));
  fake.play({ status: 401, body: JSON.stringify({ detail: `bad key ${VOYAGE_KEY}` }) });
  keep(await vai.failing('vai_embed', { text: 'x' }));
  fake.play({ status: 400, body: `refused: ${VOYAGE_KEY}` });
  keep(await vai.failing('vai_embed', { text: 'x' }));
  keep(await vai.failing('vai_embed', { text: 'x', model: 'builtin-rerank-1' }));
  for (const { uri } of (await vai.client.listResources()).resources)
    if (!uri.startsWith('vai://explain')) keep(await vai.client.readResource({ uri }));
  for (const text of seen) {
    assert.doesNotMatch(text, SECRETS);
    assert.ok(!text.includes(fake.base) && !text.includes('127.0.0.1'), text.slice(0, 200));
    assert.ok(!text.includes(vai.home), 'no path of this machine');
  }
});

test('the hint of a refused key reaches the agent', async () => {
  fake.play({ status: 401 });
  const error = await vai.failing('vai_embed', { text: 'x' });
  assert.equal(error.code, 'PROVIDER_AUTH');
  assert.match(error.hint!, /VOYAGE_API_KEY/);
});

test('data flow: the provider gets texts and its own key, nothing else', () => {
  assert.ok(fake.calls.length > 0);
  for (const call of fake.calls) {
    assert.equal(call.authorization, `Bearer ${VOYAGE_KEY}`);
    const allowed = ['input', 'model', 'input_type', 'output_dimension', 'truncation', 'query', 'documents'];
    assert.deepEqual(
      Object.keys(call.body).filter((key) => !allowed.includes(key)),
      [],
    );
    const body = JSON.stringify(call.body);
    assert.doesNotMatch(body, SECRETS);
    assert.ok(!body.includes(vai.home));
  }
});

test('another vector space is refused with both names; the shared space is not', async () => {
  const error = await vai.failing('vai_ingest', {
    text: 'x y z',
    collection: 'docs',
    model: 'voyage-code-3',
  });
  assert.equal(error.code, 'MODEL_MISMATCH');
  assert.match(error.message, /voyage-4-large/);
  assert.match(error.message, /voyage-code-3/);
  const query = await vai.failing('vai_query', {
    query: 'launch',
    collection: 'docs',
    model: 'builtin-embed-1',
  });
  assert.match(query.code, /MISMATCH/);
  const asymmetric = await vai.tool('vai_query', {
    query: 'launch code',
    collection: 'docs',
    model: 'voyage-4-lite',
  });
  assert.equal((asymmetric.structured.metadata as { model: string }).model, 'voyage-4-lite');
  assert.equal((asymmetric.structured.results as object[]).length, 1);
});

test('a reply with too few vectors writes nothing', async () => {
  fake.play('short');
  const error = await vai.failing('vai_ingest', {
    text: 'a quite new text',
    source: 'half.md',
    collection: 'half',
  });
  assert.match(error.code, /VOYAGE|PROVIDER/);
  const names = ((await vai.tool('vai_collections', {})).structured.collections as { name: string }[]).map(
    (c) => c.name,
  );
  assert.ok(!names.includes('half'), 'no empty collection is left behind');
  const found = await vai.tool('vai_search', { query: 'quite new', mode: 'words' });
  assert.ok(!(found.structured.results as { source: string }[]).some(({ source }) => source === 'half.md'));
});

test('input validation: sizes and shapes are refused before anything is sent', async () => {
  const calls = fake.calls.length;
  const bad: [string, Record<string, unknown>][] = [
    ['vai_query', { query: '' }],
    ['vai_query', { query: 'x'.repeat(5_001) }],
    ['vai_query', { query: 'x', limit: 51 }],
    ['vai_search', { query: 'x', limit: 101 }],
    ['vai_search', { query: 'x', limit: 1.5 }],
    ['vai_rerank', { query: 'x', documents: [] }],
    ['vai_rerank', { query: 'x', documents: Array.from({ length: 101 }, () => 'd') }],
    ['vai_embed', { text: 'x'.repeat(32_001) }],
    ['vai_similarity', { text1: 'x', text2: '' }],
    ['vai_ingest', { text: '' }],
    ['vai_ingest', { text: 'x'.repeat(2_000_001) }],
    ['vai_ingest', { text: 'x', chunkSize: 99 }],
    ['vai_ingest', { text: 'x', metadata: 'none' }],
    ['vai_ingest', { text: 'x', metadata: { $where: '1' } }],
    ['vai_ingest', { text: 'x', collection: '../../etc/passwd' }],
    ['vai_collections', { db: '../../etc/passwd' }],
    ['vai_estimate', { docs: 0 }],
    ['vai_estimate', { docs: 1, months: 61 }],
    ['vai_models', { category: 'everything' }],
    ['vai_query', { query: 'x', filter: { $where: 'sleep(1000)' } }],
  ];
  for (const [name, input] of bad) {
    const error = await vai.failing(name, input);
    assert.ok(
      ['INVALID_INPUT', 'FILTER_NOT_ALLOWED', 'TOO_LARGE'].includes(error.code),
      `${name}: ${error.code}`,
    );
  }
  assert.equal(fake.calls.length, calls);
});

test('logging: no input, no output, no secret, even when verbose', () => {
  assert.doesNotMatch(vai.stderr(), SECRETS);
  assert.doesNotMatch(vai.stderr(), /banana|launch code/);
});

test('files of ours are private', { skip: process.platform === 'win32' }, () => {
  const home = join(vai.home, '.vai');
  for (const place of [home, join(home, 'data'), join(home, 'data', 'vai.db')])
    assert.equal(statSync(place).mode & 0o077, 0);
});

test('without a key nothing is connected to', async () => {
  let connections = 0;
  const trap = createServer((socket) => {
    connections += 1;
    socket.destroy();
  });
  await new Promise<void>((resolve) => trap.listen(0, '127.0.0.1', resolve));
  const address = `http://127.0.0.1:${(trap.address() as { port: number }).port}`;
  const local = await vaiClient({
    env: { VOYAGE_API_BASE: address, HTTPS_PROXY: address, HTTP_PROXY: address },
  });
  await local.tool('vai_ingest', { text: 'offline text', source: 'a' });
  await local.tool('vai_query', { query: 'offline' });
  assert.equal(connections, 0);
  await local.close();
  trap.close();
});

test('files of the working directory cannot redirect texts', async () => {
  const calls = fake.calls.length;
  const evil = await startVoyage();
  const project = join(root, 'project');
  mkdirSync(project);
  writeFileSync(join(project, '.env'), `VOYAGE_API_KEY=pa-evil\nVOYAGE_API_BASE=${evil.base}\n`);
  writeFileSync(
    join(project, '.vai.json'),
    JSON.stringify({ apiKey: 'pa-evil', baseUrl: evil.base, collection: 'mine' }),
  );
  const local = await vaiClient({ prepare: () => project });
  const { structured } = await local.tool('vai_ingest', { text: 'private', source: 'p' });
  assert.equal(structured.collection, 'mine');
  assert.equal(structured.model, 'builtin-embed-1');
  assert.equal(evil.calls.length, 0);
  assert.equal(fake.calls.length, calls);
  await local.close();
  await evil.close();
});

test('12.1: the process ends when the client goes; the config file is not made by serving', async () => {
  const short = await vaiClient();
  const pid = short.pid();
  const config = join(short.home, '.vai', 'config.json');
  await short.tool('vai_models', {});
  assert.ok(!existsSync(config) || !SECRETS.test(readFileSync(config, 'utf8')));
  await short.close();
  await until(() => {
    try {
      return !process.kill(pid, 0);
    } catch {
      return true;
    }
  });
});
