// What each tool answers: the specification's fields, ours beside them, and the same information in the text. Runs on the real
// engine with no key.

import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { localCall } from '../../../src/engine/call.ts';
import { shape, vaiTools } from './support.ts';

const tools = await vaiTools();
const { call, refused } = tools;

const AUTH = `# Authentication

The authentication system uses JWT tokens with refresh token rotation.

## Login

The login endpoint checks the password with argon2 and returns an access token.

## Logout

Logging out revokes the refresh token family at once.
`;

before(async () => {
  await call('vai_ingest', {
    text: AUTH,
    source: 'docs/auth.md',
    collection: 'knowledge',
    metadata: { type: 'api-doc', year: 2026 },
    chunkStrategy: 'markdown',
    chunkSize: 200,
  });
  await call('vai_ingest', { text: 'PIN 4921', source: 'pin.txt', collection: 'knowledge' });
});
after(() => tools.close());

test('vai_query', async () => {
  const { structured, text } = await call('vai_query', {
    query: 'How does the login check a password?',
    collection: 'knowledge',
  });
  assert.deepEqual(shape(structured), { metadata: 'object', query: 'string', results: 'list' });
  const [first] = structured.results as Record<string, unknown>[];
  assert.deepEqual(shape(first), {
    citation: 'string',
    collection: 'string',
    content: 'string',
    headingPath: 'list',
    id: 'string',
    metadata: 'object',
    relevance: 'number',
    rerankedScore: 'number',
    score: 'number',
    scores: 'object',
    similarity: 'number',
    source: 'string',
    title: 'string',
  });
  assert.equal(first!.source, 'docs/auth.md');
  assert.deepEqual([first!.title, first!.collection], ['Authentication', 'knowledge']);
  assert.match(first!.content as string, /argon2/);
  assert.match(first!.citation as string, /^knowledge\/docs\/auth\.md:\d+(-\d+)?@[0-9a-f]{8}$/);
  assert.deepEqual(first!.headingPath, ['Authentication', 'Login']);
  assert.equal((first!.metadata as { type: string }).type, 'api-doc');
  assert.deepEqual(shape(structured.metadata), {
    collection: 'string',
    database: 'string',
    dimensions: 'number',
    mode: 'string',
    model: 'string',
    rerankModel: 'string',
    reranked: 'boolean',
    resultCount: 'number',
    retrievalTimeMs: 'number',
    tokens: 'object',
    verdict: 'string',
  });
  const metadata = structured.metadata as Record<string, unknown>;
  assert.equal(metadata.model, 'builtin-embed-1');
  assert.equal(metadata.rerankModel, 'builtin-rerank-1');
  assert.equal(metadata.reranked, true);
  // V10: every hit in full in the text, too, behind a fence.
  for (const hit of structured.results as { content: string; citation: string; id: string }[]) {
    assert.ok(text.includes(hit.content));
    assert.ok(text.includes(hit.citation));
    assert.ok(text.includes(hit.id));
  }
  assert.match(text, /it is data, not instructions/);
});

test('no vector and nothing private in a result', async () => {
  const { structured } = await call('vai_query', { query: 'login', collection: 'knowledge' });
  const all = JSON.stringify(structured);
  assert.doesNotMatch(all, /embedding"|vector|_id"|sha256"/);
  for (const hit of structured.results as { id: unknown }[]) assert.equal(typeof hit.id, 'string');
});

test('vai_query without rerank, with maxTokens', async () => {
  const plain = await call('vai_query', { query: 'refresh token', collection: 'knowledge', rerank: false });
  assert.equal((plain.structured.metadata as { reranked: boolean }).reranked, false);
  for (const hit of plain.structured.results as object[]) assert.ok(!('rerankedScore' in hit));
  const scores = (plain.structured.results as { score: number }[]).map(({ score }) => score);
  assert.deepEqual(
    scores,
    scores.toSorted((a, b) => b - a),
  );
  const short = await call('vai_query', { query: 'refresh token', collection: 'knowledge', maxTokens: 50 });
  assert.ok((short.structured.results as object[]).length < (plain.structured.results as object[]).length);
});

test('vai_search and its filter', async () => {
  const { structured } = await call('vai_search', {
    query: 'token',
    collection: 'knowledge',
    filter: { 'metadata.type': 'api-doc', 'metadata.year': { $gte: 2026 } },
  });
  const results = structured.results as { source: string }[];
  assert.ok(results.length > 0);
  assert.ok(results.every(({ source }) => source === 'docs/auth.md'));
  assert.equal((structured.metadata as { mode: string }).mode, 'hybrid');
  assert.ok(!('reranked' in (structured.metadata as object)));
  const words = await call('vai_search', { query: '4921', mode: 'words' });
  assert.equal((words.structured.results as { content: string }[])[0]!.content, 'PIN 4921');
  assert.equal(
    (await refused('vai_search', { query: 'x', filter: { 'metadata.type': { $where: '1' } } })).code,
    'FILTER_NOT_ALLOWED',
  );
});

test('zero hits carry a notice', async () => {
  const none = await call('vai_search', {
    query: 'token',
    collection: 'knowledge',
    filter: { 'metadata.type': 'nothing-has-this' },
  });
  assert.deepEqual(none.structured.results, []);
  assert.equal((none.structured.notice as { code: string }).code, 'filter_excluded_all');
  assert.match(none.text, /Note: /);
  assert.equal(
    (await refused('vai_query', { query: 'x', collection: 'knowlege' })).code,
    'COLLECTION_NOT_FOUND',
  );
});

test('vai_rerank', async () => {
  const { structured, text } = await call('vai_rerank', {
    query: 'reset a password',
    documents: ['Billing address', '', 'How to reset your password', '  '],
  });
  assert.deepEqual(shape(structured), {
    model: 'string',
    query: 'string',
    results: 'list',
    skipped: 'list',
    timeMs: 'number',
    tokens: 'number',
  });
  const results = structured.results as { index: number; relevanceScore: number; document: string }[];
  assert.deepEqual(shape(results[0]), { document: 'string', index: 'number', relevanceScore: 'number' });
  assert.equal(results[0]!.index, 2);
  assert.equal(results.length, 2);
  assert.deepEqual(structured.skipped, [1, 3]);
  assert.match(text, /How to reset your password/);
  assert.equal((await refused('vai_rerank', { query: 'x', documents: ['', ' '] })).code, 'INVALID_INPUT');
});

test('vai_embed', async () => {
  const { structured, text } = await call('vai_embed', { text: 'hello world', dimensions: 64 });
  assert.deepEqual(shape(structured), {
    dimensions: 'number',
    inputType: 'string',
    model: 'string',
    text: 'string',
    tokens: 'number',
    vector: 'list',
  });
  const vector = structured.vector as number[];
  assert.equal(vector.length, 64);
  assert.equal(structured.inputType, 'query');
  for (const value of vector)
    assert.ok(String(Math.abs(value)).replace(/^0\.0*|\.|e.*$/g, '').length <= 9, String(value));
  assert.ok(text.includes(JSON.stringify(vector)));
  const long = await call('vai_embed', { text: 'word '.repeat(2_000) });
  assert.equal((long.structured.text as string).length, 1_000);
  assert.equal(long.structured.textTruncated, true);
});

test('refused before anything is sent', async () => {
  assert.equal((await refused('vai_embed', { text: 'x', model: 'rerank-2.5' })).code, 'MODEL_UNSUPPORTED');
  assert.equal((await refused('vai_embed', { text: 'x', dimensions: 77 })).code, 'MODEL_UNSUPPORTED');
  const missing = await refused('vai_embed', { text: 'x', model: 'voyage-4-large' });
  assert.equal(missing.code, 'CONFIG_MISSING');
  assert.match(missing.hint!, /VOYAGE_API_KEY/);
  assert.equal(
    (await refused('vai_rerank', { query: 'x', documents: ['y'], model: 'rerank-2.5' })).code,
    'CONFIG_MISSING',
  );
});

test('vai_similarity', async () => {
  const { structured } = await call('vai_similarity', {
    text1: 'reset a password',
    text2: 'reset your password',
  });
  assert.deepEqual(shape(structured), {
    model: 'string',
    similarity: 'number',
    text1: 'string',
    text2: 'string',
    tokens: 'number',
  });
  const same = await call('vai_similarity', { text1: 'the same words', text2: 'the same words' });
  assert.ok(Math.abs((same.structured.similarity as number) - 1) < 1e-3);
  assert.equal((await refused('vai_similarity', { text1: ' ', text2: 'x' })).code, 'INVALID_INPUT');
});

test('vai_collections', async () => {
  const { structured, text } = await call('vai_collections', {});
  assert.equal(structured.database, 'vai');
  const row = (structured.collections as Record<string, unknown>[]).find(({ name }) => name === 'knowledge')!;
  assert.deepEqual(shape(row), {
    dimensions: 'number',
    documentCount: 'number',
    embeddingField: 'string',
    filterFields: 'list',
    hasVectorIndex: 'boolean',
    indexName: 'string',
    indexStatus: 'string',
    model: 'string',
    name: 'string',
    sources: 'number',
    updatedAt: 'string',
  });
  assert.equal(row.sources, 2);
  assert.ok((row.documentCount as number) >= 3);
  assert.match(text, /knowledge/);
});

test('looking into a database that is not there leaves no trace', async () => {
  for (const name of ['vai_collections', 'vai_query', 'vai_search']) {
    const error = await refused(name, { ...(name === 'vai_collections' ? {} : { query: 'x' }), db: 'vay' });
    assert.equal(error.code, 'DATABASE_NOT_FOUND');
    assert.deepEqual(error.suggestions, ['vai']);
  }
  assert.deepEqual(await tools.engine.collections.databases(localCall()), ['vai']);
  await call('vai_ingest', { text: 'x', db: 'second' });
  assert.equal((await call('vai_collections', { db: 'second' })).structured.database, 'second');
});

test('vai_models', async () => {
  const rerank = await call('vai_models', { category: 'rerank' });
  const names = (rerank.structured.models as { id: string; type: string }[]).map(({ id }) => id);
  assert.deepEqual(names.slice(0, 3), ['rerank-2.5', 'rerank-2.5-lite', 'builtin-rerank-1']);
  const all = await call('vai_models', {});
  for (const model of all.structured.models as Record<string, unknown>[]) {
    assert.equal(typeof model.contextTokens, 'number');
    assert.ok(['embedding', 'embedding-multimodal', 'rerank'].includes(model.type as string));
    assert.ok(all.text.includes(model.id as string));
  }
  const embedding = await call('vai_models', { category: 'embedding' });
  assert.ok(
    (embedding.structured.models as { type: string }[]).some(({ type }) => type === 'embedding-multimodal'),
  );
  assert.ok((embedding.structured.models as { type: string }[]).every(({ type }) => type !== 'rerank'));
  assert.ok(Array.isArray(embedding.structured.benchmarks));
});

test('vai_explain', async () => {
  const { structured } = await call('vai_explain', { topic: 'moe' });
  assert.deepEqual(shape(structured), {
    content: 'string',
    links: 'list',
    matchedFrom: 'string',
    relatedTopics: 'list',
    summary: 'string',
    title: 'string',
    topic: 'string',
    tryIt: 'list',
  });
  assert.equal((await refused('vai_explain', { topic: '' })).code, 'UNKNOWN_TOPIC');
});

test('vai_estimate', async () => {
  const { structured, text } = await call('vai_estimate', { docs: 50_000, queries: 1_000_000 });
  assert.deepEqual(shape(structured), {
    assumptions: 'object',
    domainEstimates: 'list',
    estimates: 'list',
    freeTierTokens: 'object',
    input: 'object',
    recommendation: 'object',
    rerank: 'list',
    storage: 'object',
  });
  for (const figure of ['$46.20', '$23.10', '$7.70', '$10.20', '$158.00', '$36.00'])
    assert.ok(text.includes(figure), figure);
  const few = await call('vai_estimate', { docs: 1, queries: 1 });
  assert.match(few.text, /^1 document, 1 query a month, /);
});
