// The worker process: the same answers as in this process, limits that fail one task alone, turns, and a quiet end.

import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import path from 'node:path';
import { describe, it } from 'node:test';
import { setImmediate } from 'node:timers/promises';
import { DEFAULT_GRAPH } from '../../src/config/graph-defaults.ts';
import { BLOCK_PROFILE } from '../../src/domain/chunk.ts';
import { createTextWorker, type WorkerOptions } from '../../src/worker/client.ts';
import * as tasks from '../../src/worker/tasks.ts';
import { tempFolder } from '../support/temp-folder.ts';
import { until } from '../support/wait.ts';
import { BOMBS } from './bombs.ts';

const PROGRAM = new URL('../../src/worker/program.ts', import.meta.url);
const OBEDIENT = new URL('./programs.ts', import.meta.url);

const make = (options: Partial<WorkerOptions> = {}) =>
  createTextWorker({ here: async () => tasks, program: PROGRAM, ...options });
/** Does what the page says. */
const obedient = (options: Partial<WorkerOptions> = {}) => make({ program: OBEDIENT, ...options });

const page = (size: number): string => {
  const part = (n: number): string =>
    `## Part ${n}\n\nThe maxRetryCount of ${n} is über 語. ${'Words follow words. '.repeat(20)}\n\n`;
  return `---\ntitle: Long\n---\n\n# Top\n\n${Array.from({ length: size }, (_, n) => part(n)).join('')}`;
};

const processOf = (title: string): number => Number(/by (\d+)$/.exec(title)![1]);
const isAlive = (pid: number): boolean => existsSync(`/proc/${pid}`);

describe('the worker', () => {
  it('answers as this process would', async () => {
    const worker = make();
    for (const [name, text] of [
      ['a.md', page(300)],
      ['b.txt', page(300)],
      ['c.py', `def f():\n    pass\n\n${'x = 1\n'.repeat(20_000)}`],
      ['d.html', '<html><title>T</title><body><h1>One</h1><p>Two</p></body></html>'],
    ] as const) {
      const file = { name, bytes: Buffer.from(text), profile: BLOCK_PROFILE };
      assert.deepEqual(await worker.read(file, {}), await tasks.TASKS.read(file), name);
    }
    const text = { read: { text: page(300), syntax: 'markdown' as const }, profile: BLOCK_PROFILE };
    assert.deepEqual(await worker.analyse(text, {}), await tasks.TASKS.analyse(text));
    const html = '<title>T</title><main><h1>One</h1><p>Two</p></main>';
    assert.deepEqual(await worker.page(html, {}), await tasks.TASKS.page(html));
  });

  it('gives the error a reader gives, with its code and hint', async () => {
    const worker = make();
    const file = { name: 'a.pdf', bytes: Buffer.from('%PDF-1.4 nothing'), profile: BLOCK_PROFILE };
    await assert.rejects(worker.read(file, {}), {
      name: 'VaiError',
      code: 'FILE_UNREADABLE',
      message: 'a.pdf is damaged or not a PDF file.',
    });
  });

  it('starts no process for what is short and ours', async () => {
    const worker = make({ program: new URL('./absent.ts', import.meta.url) });
    const file = { name: 'a.md', bytes: Buffer.from(page(3)), profile: BLOCK_PROFILE };
    assert.equal((await worker.read(file, {})).read.title, 'Long');
    const large = { ...file, bytes: Buffer.from(page(500)) };
    await assert.rejects(worker.read(large, {}), { name: 'VaiError' });
  });
});

describe('what is known of a corpus', () => {
  const { schema } = DEFAULT_GRAPH;
  const text = '# Billing Service\n\nThe Billing Service stores invoices in PostgreSQL.\n';
  const input = { text, path: 'a.md', startLine: 1, headingPath: [] };
  const knowing = (id: string, size: number) => ({ knowledge: { id, bytes: new Uint8Array(size) } });

  it('travels once, and again to another process', async () => {
    const worker = obedient();
    const bytesFor = async (id: string, size: number) =>
      (await worker.extract(input, schema, knowing(id, size))).inputTokens;
    assert.equal(await bytesFor('one', 5), 5);
    assert.equal(await bytesFor('one', 5), 0);
    assert.equal(await bytesFor('two', 7), 7);
    assert.equal(await bytesFor('two', 7), 0);
    assert.equal(await bytesFor('one', 5), 5);
    await assert.rejects(worker.page('crash', {}), { name: 'VaiError' });
    assert.equal(await bytesFor('one', 5), 5);
  });

  it('is used again by its id, and another id is refused', async () => {
    const rules = (await import('../../src/models/rules/index.ts')).createRulesExtractor();
    const sum = rules.corpus!.open();
    sum.add(await rules.corpus!.survey(input, {}));
    const { id, bytes } = sum.knowledge(schema);
    const first = await tasks.TASKS.extract({ input, schema, knowledge: { id, bytes } });
    assert.ok(first.relations.length > 0);
    assert.deepEqual(await tasks.TASKS.extract({ input, schema, knowledge: { id } }), first);
    await assert.rejects(tasks.TASKS.extract({ input, schema, knowledge: { id: 'other' } }), {
      code: 'INTERNAL',
    });
  });
});

describe('a limit', () => {
  it('of time fails the task that broke it, and the rest goes on', async () => {
    // Long enough for a process to start on a very busy machine.
    const worker = obedient({ timeMs: 5_000 });
    const all = await Promise.allSettled(['one', 'forever', 'two'].map((text) => worker.page(text, {})));
    assert.deepEqual(
      all.map((one) => (one.status === 'fulfilled' ? one.value.text : (one.reason as { code: string }).code)),
      ['one', 'TIMEOUT', 'two'],
    );
  });

  it('of CPU time is kept by the program itself', async () => {
    const worker = make({ cpuMs: 500 });
    const endless = BOMBS.find(({ what }) => what === 'PDF of forms in forms')!.make();
    await assert.rejects(worker.read({ ...endless, profile: BLOCK_PROFILE }, {}), {
      code: 'TIMEOUT',
      message: 'Reading it took longer than 0.5 seconds of CPU time and was stopped.',
    });
  });

  it('of memory fails the task that broke it, also when the process dies of it', async () => {
    const worker = obedient();
    const all = await Promise.allSettled(['one', 'crash', 'two'].map((text) => worker.page(text, {})));
    assert.deepEqual(
      all.map((one) => (one.status === 'fulfilled' ? one.value.text : (one.reason as { code: string }).code)),
      ['one', 'TOO_LARGE', 'two'],
    );
  });
});

describe('calls', () => {
  it('that are cancelled end at once and do not hold up others', async () => {
    const worker = obedient();
    const stop = new AbortController();
    const stuck = worker.page('forever', { signal: stop.signal });
    const other = worker.page('other', { signal: new AbortController().signal });
    stop.abort();
    await assert.rejects(stuck, { code: 'CANCELLED' });
    assert.equal((await other).text, 'other');
    await assert.rejects(worker.page('late', { signal: stop.signal }), { code: 'CANCELLED' });
  });

  it('are not given to a process that is being stopped', { skip: process.platform === 'win32' }, async () => {
    const pipe = path.join(tempFolder('worker'), 'pipe');
    execFileSync('mkfifo', [pipe]);
    const worker = obedient();
    const stop = new AbortController();
    const cancelled = worker.page(`meet ${pipe}`, { signal: stop.signal });
    const refused = assert.rejects(cancelled, { code: 'CANCELLED' });
    await setImmediate();
    // This process waits here until the other one has sent its answer, so the call is cancelled before the answer is read.
    execFileSync('sh', ['-c', ': > "$1"', 'sh', pipe], { timeout: 60_000 });
    stop.abort();
    assert.equal((await worker.page('next', {})).text, 'next');
    await refused;
  });

  it('take turns', async () => {
    const worker = obedient();
    const order: string[] = [];
    const large = 'x'.repeat(1_500_000);
    const ask = async (name: string, signal: AbortSignal): Promise<void> => {
      await worker.page(`${name}${large}`, { signal });
      order.push(name);
    };
    const [first, second] = [new AbortController().signal, new AbortController().signal];
    await Promise.all([
      ...['a1', 'a2', 'a3', 'a4', 'a5', 'a6'].map((name) => ask(name, first)),
      ask('b', second),
    ]);
    assert.ok(order.indexOf('b') < order.indexOf('a6'), order.join(' '));
  });
});

it('the process serves the next call, and ends when it is idle', async (t) => {
  t.mock.timers.enable({ apis: ['setTimeout'] });
  const worker = obedient({ idleMs: 50 });
  const first = processOf((await worker.page('one', {})).title);
  assert.equal(processOf((await worker.page('two', {})).title), first);
  t.mock.timers.tick(50);
  t.mock.timers.reset();
  await until(() => !isAlive(first));
  assert.notEqual(processOf((await worker.page('three', {})).title), first);
});

it('a call that comes while the idle process is ending is served by the next', async (t) => {
  t.mock.timers.enable({ apis: ['setTimeout'] });
  const worker = obedient({ idleMs: 50 });
  const first = processOf((await worker.page('one', {})).title);
  t.mock.timers.tick(50);
  assert.notEqual(processOf((await worker.page('two', {})).title), first);
});
