// flowrag-mcp as a client starts it: over stdio, in its own process. Rows 15, 20 and 21 of the
// FlowRAG reference, section 12.

import assert from 'node:assert/strict';
import { spawn, type ChildProcess } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { once } from 'node:events';
import { test } from 'node:test';
import { sqliteStores } from '../../src/stores/sqlite/stores.ts';
import { NODE, script } from '../support/package.ts';
import { tempFolder } from '../support/temp-folder.ts';

interface Message {
  id?: number;
  method?: string;
  params?: Record<string, unknown>;
  result?: {
    tools?: { name: string }[];
    structuredContent?: Record<string, Record<string, number>>;
    content?: { text: string }[];
    isError?: boolean;
  };
}

/** Ended with the test that started them, however it ends. */
const children = new Set<ChildProcess>();

function start(root: string, args: string[], env: Record<string, string> = {}) {
  const child = spawn(NODE, [script('flowrag-mcp'), ...args], {
    cwd: root,
    env: { PATH: process.env['PATH'], VAI_HOME: join(root, 'home'), ...env },
  });
  children.add(child);
  let buffer = '';
  let errors = '';
  let next = 0;
  const waiting = new Map<number, (message: Message) => void>();
  const heard: Message[] = [];
  child.stderr.on('data', (data: Buffer) => (errors += data.toString()));
  child.stdout.on('data', (data: Buffer) => {
    buffer += data.toString();
    for (let at = buffer.indexOf('\n'); at !== -1; at = buffer.indexOf('\n')) {
      const message = JSON.parse(buffer.slice(0, at)) as Message;
      buffer = buffer.slice(at + 1);
      if (message.id !== undefined && waiting.has(message.id)) waiting.get(message.id)!(message);
      else heard.push(message);
    }
  });
  const ask = (method: string, params: object): Promise<Message> =>
    new Promise((done) => {
      const id = ++next;
      waiting.set(id, done);
      child.stdin.write(`${JSON.stringify({ jsonrpc: '2.0', id, method, params })}\n`);
    });
  return {
    child,
    heard,
    ask,
    errors: () => errors,
    async open() {
      await ask('initialize', {
        protocolVersion: '2025-06-18',
        capabilities: {},
        clientInfo: { name: 'test', version: '1' },
      });
      child.stdin.write(`${JSON.stringify({ jsonrpc: '2.0', method: 'notifications/initialized' })}\n`);
    },
    tool: (name: string, args: object, meta?: object) =>
      ask('tools/call', { name, arguments: args, ...(meta ? { _meta: meta } : {}) }),
    async stop() {
      child.stdin.end();
      if (child.exitCode === null) await once(child, 'exit');
    },
  };
}

async function using(work: (root: string) => Promise<void>): Promise<void> {
  const root = tempFolder('flowrag-e2e');
  mkdirSync(join(root, 'content'));
  try {
    await work(root);
  } finally {
    for (const child of children) child.kill('SIGKILL');
    children.clear();
  }
}

test('a fresh data folder and a missing key start; indexing says what is missing; stdout is protocol only', () =>
  using(async (root) => {
    writeFileSync(
      join(root, 'flowrag.config.json'),
      JSON.stringify({ docs: './content', data: './fresh/data', extractor: { provider: 'gemini' } }),
    );
    for (let i = 0; i < 3; i++)
      writeFileSync(join(root, 'content', `f${i}.md`), `The A${i} Service uses Redis.\n`);
    const server = start(root, ['--config', 'flowrag.config.json']);
    await server.open();
    const { result } = await server.ask('tools/list', {});
    assert.equal(result?.tools?.length, 8);
    const refused = await server.tool('flowrag_index', {});
    assert.equal(refused.result?.isError, true, 'nothing is indexed without the model that was asked for');
    assert.match(refused.result?.content?.[0]?.text ?? '', /GEMINI_API_KEY.*rules/s);
    await server.stop();
  }));

test('progress arrives while a folder is indexed', () =>
  using(async (root) => {
    for (let i = 0; i < 3; i++)
      writeFileSync(join(root, 'content', `f${i}.md`), `The A${i} Service uses Redis.\n`);
    const server = start(root, ['--data', './data', '--docs', './content']);
    await server.open();
    await server.tool('flowrag_index', {}, { progressToken: 'p' });
    const progress = server.heard
      .filter((message) => message.method === 'notifications/progress')
      .map((message) => message.params?.['progress'] as number);
    assert.ok(progress.length > 0);
    assert.deepEqual(
      progress,
      [...progress].sort((a, b) => a - b),
    );
    await server.stop();
  }));

test('a broken config stops the start and says where', () =>
  using(async (root) => {
    writeFileSync(join(root, 'flowrag.config.json'), '{\n  "docs": "./content",\n}\n');
    const server = start(root, []);
    const [status] = (await once(server.child, 'exit')) as [number];
    assert.equal(status, 2);
    assert.match(server.errors(), /flowrag\.config\.json, line 3, column 1/);
  }));

test('killed in the middle of a run, whole documents are left and the next run ends it', () =>
  using(async (root) => {
    const files = 600;
    for (let i = 0; i < files; i++)
      writeFileSync(
        join(root, 'content', `f${i}.md`),
        `# File ${i}\n\n${`The Part${i} Service uses Store${i} and the Other${i} Service. `.repeat(30)}\n`,
      );
    const server = start(root, ['--data', './data', '--docs', './content']);
    await server.open();
    void server.tool('flowrag_index', {}, { progressToken: 1 });
    while (server.heard.filter((message) => message.method === 'notifications/progress').length < 1)
      await Promise.race([once(server.child.stdout, 'data'), once(server.child, 'exit')]);
    server.child.kill('SIGKILL');
    await once(server.child, 'exit');
    const stores = sqliteStores({
      home: join(root, 'none'),
      external: new Map([['f', join(root, 'data/flowrag.db')]]),
      now: () => new Date(),
    });
    const store = await stores.open('f');
    assert.deepEqual(await store.check(), { ok: true, problems: [] });
    const left = (await store.collections.get('content'))?.stats;
    assert.equal(left?.chunks ?? 0, left?.vectors ?? 0);
    await stores.close();
    const again = start(root, ['--data', './data', '--docs', './content']);
    await again.open();
    // The dead run's lock is no hindrance, not even for the seconds until it would expire.
    const report = await again.tool('flowrag_index', {});
    assert.ok(!report.result?.isError, report.result?.content?.[0]?.text);
    assert.equal(report.result?.structuredContent?.['totals']?.['documents'], files);
    await again.stop();
  }));

test('a second process is told who indexes, and the counts are exact', () =>
  using(async (root) => {
    const files = 800;
    for (let i = 0; i < files; i++)
      writeFileSync(
        join(root, 'content', `f${i}.md`),
        `# File ${i}\n\nThe Part${i} Service uses Store${i}DB.\n`,
      );
    const args = ['--data', './data', '--docs', './content'];
    const [one, two] = [start(root, args), start(root, args)];
    await Promise.all([one.open(), two.open()]);
    const runs = await Promise.all([one, two].map((server) => server.tool('flowrag_index', {})));
    const [refused, ...others] = runs.filter((run) => run.result?.isError);
    const [done] = runs.filter((run) => !run.result?.isError);
    assert.equal(others.length, 0);
    const { error } = JSON.parse(refused?.result?.content?.[0]?.text ?? '{}') as {
      error: { code: string; message: string; retryable: boolean };
    };
    assert.equal(error.code, 'INDEX_BUSY');
    assert.match(error.message, /\d+ (?:of \d+ )?documents done, started \d{4}-/);
    assert.equal(error.retryable, true);
    const { run, totals, calls } = done!.result!.structuredContent!;
    assert.equal(run!['added'], files);
    assert.equal(calls!['embeddedTexts'], files, 'nothing was embedded twice');
    assert.equal(totals!['entities'], 2 * files);
    // The one that was refused sees the same, and has nothing left to do.
    const stats = (await two.tool('flowrag_stats', {})).result!.structuredContent as unknown as Record<
      string,
      number
    >;
    const { documents, chunks, vectors, entities, relations } = stats;
    assert.deepEqual({ documents, chunks, vectors, entities, relations }, totals);
    const again = (await two.tool('flowrag_index', {})).result!.structuredContent!;
    assert.equal(again['run']!['unchanged'], files);
    assert.equal(again['calls']!['embeddedTexts'], 0);
    await Promise.all([one.stop(), two.stop()]);
  }));
