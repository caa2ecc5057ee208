// The vai toolset with a hosted model behind it: defaults from every source, failures of the provider, deadlines, and what
// a broken run leaves behind.

import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import type { Values } from '../../../src/config/index.ts';
import { trustProject } from '../../../src/config/trust.ts';
import { tempFolder } from '../../support/temp-folder.ts';
import { startVoyage, type FakeVoyage } from '../../support/voyage-server.ts';
import { vaiTools, type VaiTools } from './support.ts';

let fake: FakeVoyage;
let hosted: Record<string, string>;
before(async () => {
  fake = await startVoyage();
  hosted = { VOYAGE_API_KEY: 'pa-test-0123456789', VOYAGE_API_BASE: fake.base };
});
after(() => fake.close());

interface Options {
  env?: Record<string, string>;
  flags?: Partial<Record<keyof Values, unknown>>;
  project?: object;
  config?: object;
}

async function withTools(options: Options, work: (tools: VaiTools) => Promise<void>): Promise<void> {
  const home = tempFolder('hosted');
  if (options.project) {
    writeFileSync(join(home, '.vai.json'), JSON.stringify(options.project));
    await trustProject(home, home);
  }
  if (options.config) writeFileSync(join(home, 'config.json'), JSON.stringify(options.config));
  const opened = await vaiTools({ home, env: options.env ?? {}, flags: options.flags ?? {} });
  try {
    await work(opened);
  } finally {
    await opened.close();
  }
}

// V2: one table for every source of defaults.
const SOURCES: [string, Options][] = [
  ['a flag', { flags: { defaultDb: 'team', defaultCollection: 'notes' } }],
  ['the environment', { env: { VAI_DEFAULT_DB: 'team', VAI_DEFAULT_COLLECTION: 'notes' } }],
  ['.vai.json', { project: { db: 'team', collection: 'notes' } }],
  ['the config file', { config: { defaultDb: 'team', defaultCollection: 'notes' } }],
];
for (const [name, options] of SOURCES) {
  test(`database and collection from ${name} reach every tool`, () =>
    withTools(options, async ({ call }) => {
      const added = (await call('vai_ingest', { text: 'A walrus sleeps.', source: 'w.md' })).structured;
      assert.deepEqual([added.database, added.collection], ['team', 'notes']);
      await call('vai_ingest', { text: 'A walrus elsewhere.', source: 'x.md', collection: 'other' });
      for (const tool of ['vai_query', 'vai_search']) {
        const { structured } = await call(tool, { query: 'walrus' });
        const metadata = structured.metadata as { database: string; collection: string };
        assert.deepEqual([metadata.database, metadata.collection], ['team', 'notes']);
        assert.equal((structured.results as object[]).length, 1);
      }
      assert.equal((await call('vai_collections', {})).structured.database, 'team');
      const named = await call('vai_query', { query: 'walrus', collection: 'other' });
      assert.equal((named.structured.metadata as { collection: string }).collection, 'other');
      const all = await call('vai_query', { query: 'walrus', collection: '*' });
      assert.equal((all.structured.results as object[]).length, 2);
    }));
}

test('model, dimensions and chunking of a project hold for ingest and query', () =>
  withTools(
    {
      env: hosted,
      project: { model: 'voyage-4', dimensions: 512, chunk: { strategy: 'fixed', size: 100, overlap: 0 } },
    },
    async ({ call }) => {
      const added = (await call('vai_ingest', { text: 'word '.repeat(60), source: 'a' })).structured;
      assert.deepEqual([added.model, added.dimensions, added.chunksCreated], ['voyage-4', 512, 3]);
      const found = (await call('vai_query', { query: 'word' })).structured.metadata as Record<
        string,
        unknown
      >;
      assert.deepEqual([found.model, found.dimensions, found.mode], ['voyage-4', 512, 'meaning']);
      assert.equal(fake.calls.at(-1)!.path, '/v1/rerank');
      const query = fake.calls.findLast((entry) => entry.body.input_type === 'query')!;
      assert.deepEqual([query.model, query.body.output_dimension], ['voyage-4', 512]);
    },
  ));

test('a configured query model of the same space is used; of another space it is not', () =>
  withTools({ env: hosted }, async ({ call, home }) => {
    await call('vai_ingest', { text: 'A heron stands.', source: 'h' });
    for (const [configured, used] of [
      ['voyage-4-lite', 'voyage-4-lite'],
      ['voyage-code-3', 'voyage-4-large'],
    ]) {
      const other = await vaiTools({ home, env: hosted, flags: { model: configured } });
      const { structured } = await other.call('vai_search', { query: 'heron' });
      assert.equal((structured.metadata as { model: string }).model, used);
      await other.close();
    }
  }));

test('an unknown model is sent with a warning', () =>
  withTools({ env: hosted }, async ({ call, refused }) => {
    const { structured } = await call('vai_embed', { text: 'x', model: 'voyage-9-preview' });
    assert.equal(structured.model, 'voyage-9-preview');
    assert.match(String(structured.warnings), /does not know voyage-9-preview/);
    const ingest = { text: 'x', source: 'x', collection: 'preview', model: 'voyage-9-preview' };
    assert.match(String((await call('vai_ingest', ingest)).structured.warnings), /unchecked/);
    const known = await call('vai_ingest', { text: 'x', source: 'x', collection: 'known' });
    assert.equal(known.structured.warnings, undefined);
    fake.play('wrong-length');
    const error = await refused('vai_embed', { text: 'x', model: 'voyage-9-preview' });
    assert.match(error.hint!, /name `dimensions` as 1025/);
  }));

test('a reranker that fails or is too slow leaves the first order, with a warning', () =>
  withTools({ env: hosted }, async ({ call }) => {
    for (const text of ['red apple pie', 'green apple tart', 'blue plum cake'])
      await call('vai_ingest', { text, source: text.replaceAll(' ', '-') });
    const good = (await call('vai_query', { query: 'apple' })).structured;
    assert.equal((good.metadata as { reranked: boolean }).reranked, true);
    fake.play('ok', { status: 400, body: '{"detail": "no"}' });
    const failed = (await call('vai_query', { query: 'apple tart' })).structured;
    assert.equal((failed.metadata as { reranked: boolean }).reranked, false);
    assert.match(String(failed.warnings), /Not reranked by rerank-2\.5/);
    assert.equal((failed.results as object[]).length, 3);
    fake.play('ok', 'hang');
    const slow = (await call('vai_query', { query: 'plum cake', deadlineMs: 3_000 })).structured;
    assert.equal((slow.metadata as { reranked: boolean }).reranked, false);
    assert.match(String(slow.warnings), /deadline/);
    assert.equal((slow.results as object[]).length, 3);
  }));

test('a failed ingest leaves the previous version whole', () =>
  withTools({ env: hosted }, async ({ call, refused }) => {
    const text = (word: string): string =>
      Array.from({ length: 300 }, (_, at) => `${word} paragraph ${at} ${'x'.repeat(380)}`).join('\n\n');
    const first = (await call('vai_ingest', { text: text('otter'), source: 'long.md' })).structured;
    fake.play('ok', { status: 400, body: '{"detail": "stop"}' });
    const error = await refused('vai_ingest', { text: text('beaver'), source: 'long.md' });
    assert.equal(error.code, 'PROVIDER_BAD_REQUEST');
    const row = (
      (await call('vai_collections', {})).structured.collections as { documentCount: number }[]
    )[0]!;
    assert.equal(row.documentCount, first.chunksCreated);
    assert.equal(
      ((await call('vai_search', { query: 'beaver', mode: 'words' })).structured.results as object[]).length,
      0,
    );
    assert.ok(
      ((await call('vai_search', { query: 'otter', mode: 'words' })).structured.results as object[]).length >
        0,
    );
    const calls = fake.calls.length;
    const again = (await call('vai_ingest', { text: text('beaver'), source: 'long.md' })).structured;
    assert.equal(again.removed, first.chunksCreated);
    const paid = fake.calls.slice(calls).reduce((sum, entry) => sum + entry.texts, 0);
    assert.ok(paid < (again.chunksCreated as number), 'what the failed run had embedded is not sent again');
    assert.equal(
      ((await call('vai_search', { query: 'otter', mode: 'words' })).structured.results as object[]).length,
      0,
    );
  }));

test('usage is reported: tokens of embedding and reranking', () =>
  withTools({ env: hosted }, async ({ call }) => {
    const before = fake.tokens;
    const added = (await call('vai_ingest', { text: 'one two three', source: 'a' })).structured;
    await call('vai_ingest', { text: 'four five six', source: 'b' });
    const asked = (await call('vai_query', { query: 'one' })).structured.metadata as {
      tokens: { embed: number; rerank: number };
    };
    assert.ok((added.tokens as number) > 0);
    assert.ok(asked.tokens.embed > 0 && asked.tokens.rerank > 0);
    assert.ok(fake.tokens - before >= (added.tokens as number) + asked.tokens.embed + asked.tokens.rerank);
  }));
