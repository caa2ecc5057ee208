// Ingest with a hosted model against a Voyage on loopback: how it is called, what it costs, and that a run killed in the
// middle goes on without paying again. Uses the React documentation where the shared data is, else texts made here.

import assert from 'node:assert/strict';
import { spawn, spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { before, test } from 'node:test';
import { localCall } from '../../src/engine/call.ts';
import { NODE, script } from '../support/package.ts';
import { tempFolder } from '../support/temp-folder.ts';
import { startVoyage, type Behaviour, type FakeVoyage } from '../support/voyage-server.ts';
import { until } from '../support/wait.ts';
import { tempEngine } from '../support/temp-engine.ts';

const ARCHIVE = resolve(import.meta.dirname, '../../../shared/data/docs/react.tar.gz');
const KEY = 'pa-test-key-0123456789';

const root = tempFolder('voyage');
/** The React documentation. */
let docs: string;
/** 1,500 short chunks, for runs that are broken off. */
let made: string;
before(() => {
  made = join(root, 'made');
  mkdirSync(made);
  for (let file = 0; file < 75; file++) {
    const parts = Array.from(
      { length: 20 },
      (_, at) => `## Part ${at}\n\n${`word${file}x${at} `.repeat(20)}`,
    );
    writeFileSync(join(made, `page-${file}.md`), `# Page ${file}\n\n${parts.join('\n\n')}`);
  }
  docs = join(root, 'docs');
  mkdirSync(docs);
  if (existsSync(ARCHIVE)) assert.equal(spawnSync('tar', ['xzf', ARCHIVE, '-C', docs]).status, 0);
  else docs = made;
});

const inputsOf = (fake: FakeVoyage): string[] =>
  fake.calls.flatMap((call) => (call.body.input as string[] | undefined) ?? []);

test('a whole folder: full batches, two at a time, within every limit, paid once', async () => {
  const fake = await startVoyage({ delayMs: 5, key: KEY });
  const temp = await tempEngine({ env: { VOYAGE_API_KEY: KEY, VOYAGE_API_BASE: fake.base } });
  try {
    const estimate = await temp.engine.estimate.path(localCall(), { paths: [docs], collection: 'react' });
    assert.equal(fake.calls.length, 0, 'an estimate sends nothing');
    const result = await temp.engine.ingest.files(localCall(), { paths: [docs], collection: 'react' });
    assert.equal(result.model, 'voyage-4-large');
    assert.equal(result.calls.embeddedTexts, result.run.chunks);
    assert.equal(result.totals.vectors, result.run.chunks);
    assert.equal(result.run.chunks, estimate.chunks);
    assert.equal(result.calls.inputTokens, fake.tokens);
    assert.ok(estimate.tokens >= result.calls.inputTokens, 'the estimate is not lower than the bill');
    assert.ok(estimate.tokens < result.calls.inputTokens * 2, 'and not absurdly higher');
    assert.ok(Math.abs(result.cost - (fake.tokens / 1e6) * 0.12) < 1e-9);
    assert.ok(fake.maxInFlight <= 2, `${fake.maxInFlight} at once`);
    for (const call of fake.calls) {
      assert.equal(call.status, 200);
      assert.ok(call.texts <= 128 && call.tokens <= 120_000);
    }
    assert.ok(
      fake.calls.length <= Math.ceil(result.run.chunks / 128) * 1.5 + 5,
      `${fake.calls.length} calls`,
    );
    const sent = inputsOf(fake);
    assert.equal(new Set(sent).size, sent.length, 'no text is sent twice');

    const calls = fake.calls.length;
    const again = await temp.engine.ingest.files(localCall(), { paths: [docs], collection: 'react' });
    assert.equal(again.run.unchanged, result.run.added);
    const copied = await temp.engine.ingest.files(localCall(), { paths: [docs], collection: 'copy' });
    assert.equal(copied.totals.vectors, result.run.chunks);
    assert.equal(copied.calls.inputTokens, 0);
    assert.equal(fake.calls.length, calls, 'a second collection of the same text costs nothing');

    const found = await temp.engine.search.run(localCall(), {
      query: 'state and effects',
      limit: 5,
      rerank: true,
      collections: ['react'],
    });
    assert.equal(found.mode, 'meaning');
    assert.equal(found.rerankModel, 'rerank-2.5');
    assert.ok(found.reranked && found.tokens.embed > 0 && found.tokens.rerank > 0);
  } finally {
    await temp.close();
    await fake.close();
  }
});

test('a run killed in the middle resumes without paying again', async () => {
  const fake = await startVoyage();
  fake.play(...Array<Behaviour>(8).fill('ok'), 'hang', 'hang');
  const home = join(root, 'killed');
  const env = {
    PATH: process.env.PATH,
    VAI_HOME: home,
    HOME: root,
    VOYAGE_API_KEY: KEY,
    VOYAGE_API_BASE: fake.base,
  };
  const run = () =>
    spawn(NODE, [script('vai'), 'ingest', made, '--collection', 'react', '--json'], {
      env,
      stdio: ['ignore', 'pipe', 'ignore'],
    });
  try {
    const first = run();
    const gone = new Promise<NodeJS.Signals | null>((done) =>
      first.once('exit', (_, signal) => done(signal)),
    );
    await until(() => fake.calls.length === 10);
    first.kill('SIGKILL');
    assert.equal(await gone, 'SIGKILL');
    const before = inputsOf(fake);

    const second = run();
    let output = '';
    second.stdout.on('data', (part: Buffer) => (output += part.toString()));
    assert.equal(await new Promise((done) => second.once('exit', done)), 0);
    const result = JSON.parse(output) as { run: { added: number }; failuresTotal: number };
    assert.ok(result.run.added > 0);
    assert.equal(result.failuresTotal, 0);

    const all = inputsOf(fake);
    const again = all.slice(before.length).filter((text) => before.includes(text));
    // Lost: the two requests in flight and the answers that were not yet written when the process died.
    assert.ok(before.length - again.length >= 2 * 128, `only ${before.length - again.length} were kept`);
  } finally {
    await fake.close();
  }
});

test('--max-cost is a hard stop, and what was written stays', async () => {
  const fake = await startVoyage();
  const temp = await tempEngine({ env: { VOYAGE_API_KEY: KEY, VOYAGE_API_BASE: fake.base } });
  try {
    const run = (maxCost: number) =>
      temp.engine.ingest.files(localCall(), { paths: [made], collection: 'capped', maxCost });
    await assert.rejects(run(0.008), { code: 'COST_LIMIT' });
    const spent = (fake.tokens / 1e6) * 0.12;
    assert.ok(spent <= 0.008, `$${spent}`);
    const listed = await temp.engine.collections.list(localCall());
    const kept = listed.collections.find(({ name }) => name === 'capped')?.stats.documents ?? 0;
    await assert.rejects(run(0.001), { code: 'COST_LIMIT' }, 'the limit is of each run');
    const rest = await run(10);
    assert.equal(rest.run.unchanged, kept);
    assert.equal(rest.failuresTotal, 0);
    const free = await temp.engine.ingest.files(localCall(), {
      paths: [made],
      collection: 'second',
      maxCost: 0,
    });
    assert.ok(free.totals.vectors > 0 && free.cost === 0, 'what is cached costs nothing');
    const sent = inputsOf(fake);
    assert.equal(new Set(sent).size, sent.length);
  } finally {
    await temp.close();
    await fake.close();
  }
});
