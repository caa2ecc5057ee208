// The interaction patterns of the specification, section 9, replayed call by call through a real MCP client: no key, no network,
// on whichever store the server is given.

import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import type { VaiClient } from '../support/vai-client.ts';

type Hit = { source: string; content: string; citation: string; score: number; rerankedScore?: number };
const hits = (structured: Record<string, unknown>): Hit[] => structured.results as Hit[];

const AUTH = [
  'The authentication system works with JWT access tokens that live for fifteen minutes.',
  'Refresh tokens rotate: each use of one makes the older one invalid, and a replay revokes the whole family.',
  'The login endpoint is POST /login; it checks the password with argon2 and returns both tokens.',
  'Logging out revokes the refresh token and clears the session cookie of the authentication system.',
  'Service accounts authenticate with signed assertions instead of passwords.',
  'Failed logins are counted per account; after ten the account is locked for an hour.',
];

export function specificationExamples(store: 'sqlite' | 'mongodb', open: () => Promise<VaiClient>): void {
  let vai: VaiClient;
  before(async () => {
    vai = await open();
  });
  after(() => vai.close());

  test(`${store}: 9.1 simple knowledge base query`, async () => {
    for (const [at, text] of AUTH.entries())
      await vai.tool('vai_ingest', {
        text: `# Auth ${at}\n\n${text}`,
        source: `docs/auth/part-${at}.md`,
        collection: 'knowledge',
      });
    const { structured, text } = await vai.tool('vai_query', {
      query: 'How does the authentication system work?',
      collection: 'knowledge',
      limit: 5,
    });
    assert.equal(hits(structured).length, 5);
    assert.ok(
      hits(structured)
        .slice(0, 2)
        .some((hit) => /authentication system works/.test(hit.content)),
    );
    const metadata = structured.metadata as Record<string, unknown>;
    assert.equal(metadata.collection, 'knowledge');
    assert.equal(metadata.model, 'builtin-embed-1');
    assert.equal(metadata.resultCount, 5);
    for (const hit of hits(structured)) {
      assert.match(hit.citation, /^knowledge\/docs\/auth\/part-\d\.md:\d+(-\d+)?@[0-9a-f]{8}$/);
      assert.ok(hit.score >= 0 && hit.score <= 1);
      assert.ok(text.includes(hit.citation));
    }
  });

  test(`${store}: 9.2 multi-collection search`, async () => {
    const add = (collection: string, source: string, text: string) =>
      vai.tool('vai_ingest', { collection, source, text });
    await add(
      'api_docs',
      'limits.md',
      'Rate limiting strategy: clients may send 60 requests a minute per key; beyond it they get 429.',
    );
    await add('api_docs', 'errors.md', 'Errors carry a code, a message and a hint.');
    await add(
      'architecture',
      'gateway.md',
      'The gateway holds the rate limiting strategy: a token bucket per key in shared memory.',
    );
    const listed = await vai.tool('vai_collections', {});
    const names = (listed.structured.collections as { name: string; documentCount: number }[]).map(
      ({ name }) => name,
    );
    for (const name of ['knowledge', 'api_docs', 'architecture']) assert.ok(names.includes(name), name);
    const api = await vai.tool('vai_query', { query: 'rate limiting strategy', collection: 'api_docs' });
    const architecture = await vai.tool('vai_query', {
      query: 'rate limiting strategy',
      collection: 'architecture',
    });
    assert.equal(hits(api.structured)[0]!.source, 'limits.md');
    assert.equal(hits(architecture.structured)[0]!.source, 'gateway.md');
    const everywhere = await vai.tool('vai_query', { query: 'rate limiting strategy' });
    assert.equal((everywhere.structured.metadata as { collection: string }).collection, '*');
    const found = hits(everywhere.structured).map((hit) => hit.source);
    assert.ok(found.includes('limits.md') && found.includes('gateway.md'));
  });

  test(`${store}: 9.3 document ingestion`, async () => {
    const decisions = Array.from(
      { length: 8 },
      (_, at) =>
        `${at + 1}. We decided that service number ${at + 1} moves to the new cluster ${'with care '.repeat(38)}.`,
    );
    const input = {
      text: `Architecture Review - Feb 11, 2026\n\nDecisions:\n${decisions.join('\n\n')}`,
      source: 'meeting-notes-2026-02-11.md',
      collection: 'knowledge',
      metadata: { type: 'meeting-notes', date: '2026-02-11' },
    };
    const { structured, text } = await vai.tool('vai_ingest', input);
    assert.equal(structured.source, 'meeting-notes-2026-02-11.md');
    assert.equal(structured.collection, 'knowledge');
    assert.deepEqual(structured.metadata, { type: 'meeting-notes', date: '2026-02-11' });
    assert.ok((structured.chunksCreated as number) >= 8, String(structured.chunksCreated));
    assert.match(text, /chunks created from meeting-notes-2026-02-11\.md/);
    const found = await vai.tool('vai_query', {
      query: 'what was decided about service number 3',
      filter: { 'metadata.type': 'meeting-notes' },
    });
    assert.ok(hits(found.structured).length > 0);
    assert.ok(hits(found.structured).every((hit) => hit.source === 'meeting-notes-2026-02-11.md'));
    const again = await vai.tool('vai_ingest', input);
    assert.equal(again.structured.chunksCreated, 0);
  });

  test(`${store}: 9.4 comparison and analysis`, async () => {
    await vai.tool('vai_ingest', {
      collection: 'docs',
      source: 'guide.md',
      text: 'Error handling: every failed call returns a code and a hint that says what to do.',
    });
    await vai.tool('vai_ingest', {
      collection: 'api_reference',
      source: 'errors.md',
      text: 'Error handling. A failed call returns `code` and `hint`; the hint says what to do next.',
    });
    const one = hits(
      (await vai.tool('vai_query', { query: 'error handling', collection: 'docs' })).structured,
    )[0]!;
    const two = hits(
      (await vai.tool('vai_query', { query: 'error handling', collection: 'api_reference' })).structured,
    )[0]!;
    const { structured } = await vai.tool('vai_similarity', { text1: one.content, text2: two.content });
    const unrelated = await vai.tool('vai_similarity', {
      text1: one.content,
      text2: 'Bananas ripen faster in a paper bag.',
    });
    assert.ok((structured.similarity as number) > (unrelated.structured.similarity as number) + 0.2);
  });

  test(`${store}: 9.5 cost planning`, async () => {
    const models = await vai.tool('vai_models', { category: 'embedding' });
    assert.ok((models.structured.models as { id: string }[]).some(({ id }) => id === 'voyage-4-large'));
    const { structured } = await vai.tool('vai_estimate', { docs: 50_000, queries: 1_000_000, months: 12 });
    const estimates = structured.estimates as { name: string; totalCost: number }[];
    assert.deepEqual(
      estimates.map(({ name, totalCost }) => [name, totalCost]),
      [
        ['asymmetric-local', 3],
        ['voyage-4-lite', 7.7],
        ['asymmetric', 10.2],
        ['voyage-4', 23.1],
        ['voyage-4-large', 46.2],
      ],
    );
    assert.equal((structured.recommendation as { name: string }).name, 'asymmetric');
  });

  test(`${store}: resources and their completion`, async () => {
    const { resources } = await vai.client.listResources();
    const uris = resources.map(({ uri }) => uri);
    for (const uri of [
      'vai://collections',
      'vai://models',
      'vai://collections/vai/knowledge',
      'vai://explain/rag',
    ])
      assert.ok(uris.includes(uri), uri);
    const { resourceTemplates } = await vai.client.listResourceTemplates();
    assert.deepEqual(resourceTemplates.map(({ uriTemplate }) => uriTemplate).sort(), [
      'skill://{+path}',
      'vai://collections/{db}/{collection}',
      'vai://explain/{topic}',
    ]);
    const read = async (uri: string) => {
      const { contents } = await vai.client.readResource({ uri });
      return (contents[0] as { text: string }).text;
    };
    assert.match(await read('vai://explain/rag'), /# RAG/);
    const one = JSON.parse(await read('vai://collections/vai/knowledge')) as Record<string, unknown>;
    assert.equal(one.name, 'knowledge');
    assert.equal(one.model, 'builtin-embed-1');
    assert.ok(JSON.parse(await read('vai://collections')) && JSON.parse(await read('vai://models')));
    for (const uri of [
      'vai://collections/vai/none',
      'vai://collections/none/knowledge',
      'vai://explain/constructor',
    ])
      await assert.rejects(read(uri), (error: { code?: number }) => error.code === -32602, uri);
    const complete = async (uri: string, name: string, value: string, values: Record<string, string> = {}) =>
      (
        await vai.client.complete({
          ref: { type: 'ref/resource', uri },
          argument: { name, value },
          context: { arguments: values },
        })
      ).completion.values;
    assert.deepEqual(await complete('vai://explain/{topic}', 'topic', 'knowl'), ['knowledge-graphs']);
    assert.deepEqual(
      await complete('vai://collections/{db}/{collection}', 'collection', 'arch', { db: 'vai' }),
      ['architecture'],
    );
    assert.deepEqual(await complete('vai://collections/{db}/{collection}', 'db', 'v'), ['vai']);
  });
}
