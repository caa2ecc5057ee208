// The commands that mirror the tools, as a person types them: right exit status, and what the walk of the reference
// (test/e2e/reference/commands.ts) does not ask.

import assert from 'node:assert/strict';
import { mkdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { sandbox, type Sandbox } from '../support/cli.ts';

let box: Sandbox;
before(async () => {
  box = sandbox();
  mkdirSync(join(box.folder, 'docs'));
  writeFileSync(
    join(box.folder, 'docs', 'auth.md'),
    '# Auth\n\nTokens live for fifteen minutes.\n\n# Pool\n\nTen connections.\n',
  );
  writeFileSync(join(box.folder, 'docs', 'image.png'), Buffer.from([0x89, 0x50, 0x4e, 0x47, 0, 0, 0, 0]));
  const done = await box.run('vai', ['ingest', 'docs', '--collection', 'guide', '--json']);
  assert.equal(done.status, 0, done.stderr);
});
after(() => box.remove());

async function json(...args: string[]): Promise<Record<string, unknown>> {
  const done = await box.run('vai', [...args, '--json']);
  assert.equal(done.status, 0, done.stderr);
  return JSON.parse(done.stdout) as Record<string, unknown>;
}

test('JSON of a query says itself that nothing was found', async () => {
  const none = await json('query', 'tokens', '--collection', 'guide', '--filter', '{"metadata.type":"x"}');
  assert.equal((none.notice as { code: string }).code, 'filter_excluded_all');
});

test('help is grouped by what a person comes for, and ends with the first steps', async () => {
  const help = (await box.run('vai', ['--help'])).stdout;
  const places = ['Knowledge:', 'Agents:', 'Models:', 'Upkeep:', 'First steps:'].map((word) =>
    help.indexOf(word),
  );
  assert.ok(!places.includes(-1), help);
  assert.deepEqual(
    [...places].sort((a, b) => a - b),
    places,
  );
});

test('something missing is reported with what to do next', async () => {
  const unset = await box.run('vai', ['config', 'get', 'default-model']);
  assert.equal(unset.status, 3);
  assert.match(unset.stderr, /default-model is not set/);
  const alone = await box.run('vai', ['similarity', 'alone']);
  assert.equal(alone.status, 2);
  assert.match(alone.stderr, /vai similarity "one text"/);
});

test('embed reads from a pipe, and offers the types of the model alone', async () => {
  const piped = await box.run('vai', ['embed', '-', '--json'], { input: 'from a pipe\n' });
  assert.equal((JSON.parse(piped.stdout) as { text: string }).text, 'from a pipe');
  const quantised = await box.run('vai', ['embed', 'x', '--output-dtype', 'int8']);
  assert.equal(quantised.status, 2);
  assert.match(quantised.stderr, /floats only/);
});

test('explain lists its topics, and knows an unknown one', async () => {
  assert.ok(((await json('explain')).topics as object[]).length >= 30);
  const unknown = await box.run('vai', ['explain', 'no-such-thing'], { env: { FORCE_COLOR: '1' } });
  assert.equal(unknown.status, 3);
});

test('estimate of a plan, with suffixes', async () => {
  const plan = await json('estimate', '--docs', '50K', '--queries', '1M');
  const rows = plan.estimates as { name: string; totalCost: number }[];
  assert.equal(rows.find(({ name }) => name === 'voyage-4-large')!.totalCost, 46.2);
  assert.equal((await box.run('vai', ['estimate'])).status, 2);
  assert.equal((await box.run('vai', ['estimate', '--docs', 'many'])).status, 2);
});

test('estimate of files: what an ingest would cost, and nothing is written', async () => {
  const estimate = await json('estimate', 'docs', '--model', 'voyage-4-large', '--collection', 'fresh');
  assert.equal(estimate.files, 1);
  assert.ok((estimate.tokens as number) > 0);
  assert.ok((estimate.cost as number) > 0);
  assert.ok(
    (estimate.skipped as { count: number }[]).length + (estimate.failuresTotal as number) > 0,
    'the image is accounted for',
  );
  const listed = await json('collections');
  assert.ok(!(listed.collections as { name: string }[]).some(({ name }) => name === 'fresh'));
  const dear = await box.run('vai', [
    'estimate',
    'docs',
    '--model',
    'voyage-4-large',
    '--collection',
    'fresh',
    '--max-cost',
    '0',
    '--json',
  ]);
  assert.equal(dear.status, 2);
  const known = await json('estimate', 'docs', '--collection', 'guide');
  assert.equal(known.unchanged, 1);
  assert.equal(known.cost, 0);
});

test('ping costs nothing and names provider, store and server', async () => {
  const report = await json('ping');
  assert.equal((report.provider as { state: string }).state, 'ready');
  assert.equal((report.provider as { embedding: string }).embedding, 'builtin-embed-1');
  assert.deepEqual(report.store, { kind: 'sqlite', database: 'vai', state: 'connected' });
  assert.deepEqual(report.mcpServer, { running: false, servers: [] });
  assert.deepEqual(report.warnings, []);
  await box.run('vai', ['config', 'set', 'default-model', 'voyage-4-large']);
  assert.equal(((await json('ping')).provider as { state: string }).state, 'not configured');
  await box.run('vai', ['config', 'delete', 'default-model']);
  const called = await json('ping', '--call');
  assert.equal((called.provider as { call: { ok: boolean } }).call.ok, true);
});

test('config: set, get, list, delete; masked, private, broken files named', async () => {
  const set = await box.run('vai', ['config', 'set', 'default-collection', 'guide']);
  assert.equal(set.status, 0, set.stderr);
  const piped = await box.run('vai', ['config', 'set', 'api-key'], { input: 'pa-0123456789SECRET\n' });
  assert.equal(piped.status, 0, piped.stderr);
  assert.doesNotMatch(piped.stdout + piped.stderr, /SECRET/);
  await box.run('vai', ['config', 'set', 'show-cost', 'true']);
  const shown = await box.run('vai', ['embed', 'hello', '--model', 'builtin-embed-1']);
  assert.match(shown.stderr, /cost: \$0\.00/);
  await box.run('vai', ['config', 'delete', 'show-cost']);
  const list = await box.run('vai', ['config', 'list', '--json']);
  assert.deepEqual(JSON.parse(list.stdout), { 'default-collection': 'guide', 'api-key': 'pa-0…CRET' });
  const path = (await box.run('vai', ['config', 'path'])).stdout.trim();
  assert.match(readFileSync(path, 'utf8'), /pa-0123456789SECRET/);
  assert.equal(statSync(path).mode & 0o077, 0);
  const origins = await box.run('vai', ['config', 'list', '--origins', '--json']);
  const rows = JSON.parse(origins.stdout) as { name: string; value: unknown; origin: string }[];
  assert.equal(rows.find(({ name }) => name === 'default-collection')!.origin, 'config');
  assert.doesNotMatch(origins.stdout, /0123456789SECRET/);
  assert.equal((await box.run('vai', ['config', 'delete', 'api-key'])).status, 0);
  assert.equal((await box.run('vai', ['config', 'get', 'api-key'])).status, 3);
  assert.equal((await box.run('vai', ['config', 'set', 'nonsense', '1'])).status, 3);
  writeFileSync(path, '{\n  "apiKey": "pa-SECRET",\n}');
  const broken = await box.run('vai', ['models']);
  assert.equal(broken.status, 2);
  assert.match(broken.stderr, /line 3/);
  assert.doesNotMatch(broken.stderr, /SECRET/);
  assert.equal((await box.run('vai', ['config', 'path'])).status, 0);
  writeFileSync(path, '{}');
});

test('get prints a document without lines, and text without anything around it', async () => {
  const whole = await box.run('vai', ['get', 'guide/auth.md', '--format', 'raw']);
  assert.equal(whole.stdout, '# Auth\n\nTokens live for fifteen minutes.\n\n# Pool\n\nTen connections.\n');
  assert.equal(whole.stderr, '');
  const text = await box.run('vai', ['get', 'guide/auth.md:3', '--format', 'text']);
  assert.match(text.stdout, /^guide\/auth\.md:3@\w+\n {3}Auth\n {5}3 Tokens live for fifteen minutes\.\n$/);
  assert.equal((await box.run('vai', ['get', 'guide/none.md'])).status, 3);
});

test('a command people try first exists, or names the right one', async () => {
  assert.deepEqual(await json('list'), await json('collections'));
  for (const [word, answer] of [
    ['status', /vai doctor/],
    ['update', /vai ingest <path>/],
    ['ask', /vai query/],
    ['chat', /vai query/],
  ] as const) {
    const done = await box.run('vai', [word]);
    assert.equal(done.status, 2, word);
    assert.match(done.stderr, answer);
  }
  assert.match((await box.run('vai', ['rm', '--help'])).stdout, /remove a collection/);
  assert.match((await box.run('vai', ['serve', '--help'])).stdout, /mcp-server --help/);
});

test('an address is not a path', async () => {
  const mixed = await box.run('vai', ['ingest', 'https://example.com/llms.txt', 'docs']);
  assert.equal(mixed.status, 2);
  assert.match(mixed.stderr, /one address at a time/);
  const refused = await box.run('vai', ['ingest', 'http://127.0.0.1:9/llms.txt']);
  assert.match(refused.stderr, /BLZ_ALLOW_PRIVATE|private|https/);
});
