// An OpenAI-compatible endpoint on loopback: embeddings, rerank in both shapes, chat with and without schemas, faults.

import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { DEFAULT_SCHEMA } from '../../../src/domain/graph-settings.ts';
import { createModels } from '../../../src/models/index.ts';
import { createProvider } from '../../../src/models/openai/provider.ts';
import type { HttpHooks } from '../../../src/models/shared/http.ts';
import { failure } from '../../support/failure.ts';
import { testFaults } from '../../support/provider-faults.ts';
import { startProvider, type FakeProvider, type ProviderRequest } from '../../support/provider-server.ts';

let fake: FakeProvider;
let rerank: (body: Record<string, unknown>) => unknown = () => ({});
let chat: unknown;

function answer({ path, body }: ProviderRequest): unknown {
  if (path === '/v1/embeddings') {
    const length = (body['dimensions'] as number | undefined) ?? 4;
    const data = (body['input'] as string[]).map((_, index) => ({
      object: 'embedding',
      index,
      embedding: Array.from({ length }, (_, at) => (at === 0 ? 3 : at === 1 ? 4 : 0)),
    }));
    return { object: 'list', data: data.reverse(), usage: { prompt_tokens: 9, total_tokens: 9 } };
  }
  if (path === '/v1/rerank') return rerank(body);
  if (path === '/v1/models')
    return {
      object: 'list',
      data: ['text-embedding-3-small', 'bge-reranker-v2', 'chat-1'].map((id) => ({ id })),
    };
  return chat;
}

before(async () => {
  fake = await startProvider(answer);
});
after(() => fake.close());

const settings = () => ({ baseUrl: `${fake.base}/v1/`, apiKey: 'SECRET-key' });
const provider = (hooks: HttpHooks = {}, over: Record<string, string> = {}) =>
  createProvider({ settings: { ...settings(), ...over }, env: {}, fetch, now: () => new Date() }, hooks);
const models = (env: Record<string, string> = {}) =>
  createModels({ settings: { providers: { openai: settings() } }, env, fetch, now: () => new Date() });
const request = {
  ...{ model: 'openai/m', modelId: 'm', dimensions: 4 },
  ...{ sendDimensions: false, hosted: true, trust: 0.7 },
};
const input = { text: 'The Auth Service uses Redis.', headingPath: [], startLine: 1, path: 'a.md' };
const graph = {
  entities: [
    { name: 'Auth Service', type: 'SERVICE', description: '' },
    { name: 'Redis', type: 'DATABASE', description: '' },
  ],
  relations: [
    { source: 'Auth Service', target: 'Redis', type: 'USES', description: '', keywords: ['cache'] },
  ],
};
const saying = (content: string, finish_reason = 'stop') => ({
  choices: [{ finish_reason, message: { role: 'assistant', content } }],
  usage: { prompt_tokens: 11, completion_tokens: 7 },
});

testFaults({
  fake: () => fake,
  provider,
  request,
  wrongLength: { data: [{ index: 0, embedding: [1, 2, 3] }], usage: { total_tokens: 1 } },
});

test('embeddings: the body, the key, places by index, unit length', async () => {
  fake.requests.length = 0;
  const embedder = await provider().embedder!(request);
  const { vectors, tokens, requests } = await embedder.embed(['a', 'b'], { role: 'document' });
  assert.deepEqual(fake.requests[0]!.body, { model: 'm', input: ['a', 'b'] });
  assert.equal(fake.requests[0]!.headers['authorization'], 'Bearer SECRET-key');
  assert.ok(Math.abs(vectors[1]![0]! - 0.6) < 1e-6);
  assert.deepEqual([tokens, requests], [9, 1]);
});

test('a model that nobody lists is measured by one request; a listed one is not', async () => {
  fake.requests.length = 0;
  const measured = await models().embedder('openai/some-model');
  assert.deepEqual([measured.dimensions, fake.requests.length], [4, 1]);
  const listed = await models().embedder('openai/text-embedding-3-small', 512);
  assert.equal(listed.dimensions, 512);
  assert.equal(fake.requests.length, 1);
  await listed.embed(['x'], { role: 'query' });
  assert.deepEqual(fake.requests[1]!.body, {
    model: 'text-embedding-3-small',
    input: ['x'],
    dimensions: 512,
  });
});

test('open models get the words that tell a question from a passage', async () => {
  const embedder = await provider().embedder!({ ...request, modelId: 'intfloat/e5-base-v2' });
  fake.requests.length = 0;
  await embedder.embed(['x'], { role: 'query' });
  await embedder.embed(['x'], { role: 'document' });
  const sent = fake.requests.map(({ body }) => (body['input'] as string[])[0]);
  assert.deepEqual(sent, ['query: x', 'passage: x']);
});

const candidates = [{ text: 'pear' }, { text: 'apple', title: 'Fruit' }, { text: '' }];
const ordered = async (over = {}) => {
  const reranker = await provider({}, over).reranker!({ model: 'openai/r', modelId: 'r', hosted: true });
  return (await reranker.rerank('apple', candidates, {})).order.map(({ index, score }) => [index, score]);
};

test("rerank in Jina's shape, as vLLM speaks it", async () => {
  rerank = () => ({
    results: [
      { index: 1, relevance_score: 0.9 },
      { index: 0, relevance_score: 0.2 },
    ],
  });
  fake.requests.length = 0;
  assert.deepEqual(await ordered(), [
    [1, 0.9],
    [0, 0.2],
    [2, 0],
  ]);
  assert.deepEqual(fake.requests[0]!.body, {
    model: 'r',
    query: 'apple',
    documents: ['pear', 'Fruit\napple'],
  });
});

test("rerank in TEI's shape, after the first was refused", async () => {
  fake.requests.length = 0;
  fake.play({ status: 422, body: { error: 'missing field texts' } });
  rerank = () => [
    { index: 1, score: 0.9 },
    { index: 0, score: 0.2 },
  ];
  assert.deepEqual(await ordered(), [
    [1, 0.9],
    [0, 0.2],
    [2, 0],
  ]);
  assert.deepEqual(fake.requests[1]!.body, {
    query: 'apple',
    texts: ['pear', 'Fruit\napple'],
    truncate: true,
  });
});

test("a model's own numbers become probabilities", async () => {
  rerank = () => ({
    results: [
      { index: 1, relevance_score: 4 },
      { index: 0, relevance_score: -4 },
    ],
  });
  const scores = (await ordered()).map(([, score]) => score!);
  assert.ok(scores[0]! > 0.9 && scores[0]! < 1 && scores[1]! > 0 && scores[1]! < 0.1);
});

test('a server without /rerank is told from one that fails; another address may have it', async () => {
  rerank = () => ({ error: 'Unexpected endpoint or method. (POST /v1/rerank)' });
  assert.equal((await failure(ordered())).code, 'MODEL_UNSUPPORTED');
  fake.play({ status: 404 });
  assert.equal((await failure(ordered())).code, 'MODEL_UNSUPPORTED');
  rerank = () => ({ results: [{ index: 0, relevance_score: Number.NaN }] });
  assert.equal((await failure(ordered())).code, 'PROVIDER_BAD_ANSWER');
  const other = await startProvider(() => ({
    results: [
      { index: 0, relevance_score: 1 },
      { index: 1, relevance_score: 0 },
    ],
  }));
  assert.deepEqual(await ordered({ rerankUrl: other.base }), [
    [0, 1],
    [1, 0],
    [2, 0],
  ]);
  assert.equal(other.requests[0]!.path, '/rerank');
  await other.close();
});

test('extraction: the schema goes with the request; marks and thoughts around the answer do no harm', async () => {
  fake.requests.length = 0;
  chat = saying(`<think>{hm}</think>\n\`\`\`json\n${JSON.stringify(graph)}\n\`\`\``);
  const extractor = await provider().extractor!('gpt');
  const found = await extractor.extract(input, DEFAULT_SCHEMA, {});
  assert.deepEqual(
    found.entities.map(({ name }) => name),
    ['Auth Service', 'Redis'],
  );
  assert.deepEqual([found.inputTokens, found.outputTokens], [11, 7]);
  const { body } = fake.requests[0]!;
  const format = body['response_format'] as { type: string; json_schema: { schema: object } };
  assert.equal(format.type, 'json_schema');
  assert.ok('properties' in format.json_schema.schema);
});

test('extraction: a server that refuses the schema gets it in words, from then on', async () => {
  fake.requests.length = 0;
  fake.play({ status: 400, body: { error: { message: 'response_format is not supported' } } });
  chat = saying(JSON.stringify(graph));
  const extractor = await provider().extractor!('gpt');
  for (let n = 0; n < 2; n += 1)
    assert.equal((await extractor.extract(input, DEFAULT_SCHEMA, {})).relations.length, 1);
  const formats = fake.requests.map(({ body }) => 'response_format' in body);
  assert.deepEqual(formats, [true, false, false]);
  assert.match(JSON.stringify(fake.requests[1]!.body['messages']), /follows this JSON schema/);
});

test('extraction: an answer that was cut is no answer', async () => {
  chat = saying('{"entities": [', 'length');
  const extractor = await provider().extractor!('gpt');
  assert.equal((await failure(extractor.extract(input, DEFAULT_SCHEMA, {}))).code, 'PROVIDER_BAD_ANSWER');
});

test('what it serves is listed: what embeds or reranks, with what is known of it', async () => {
  const served = await models().served();
  assert.deepEqual(
    served.map(({ name, type, dimensions }) => [name, type, dimensions[0]]),
    [
      ['openai/text-embedding-3-small', 'embedding', 1536],
      ['openai/bge-reranker-v2', 'rerank', undefined],
    ],
  );
  const [state] = await models().probe();
  assert.deepEqual([state?.id, state?.state], ['openai', 'connected']);
});

test('a key of another program in the environment changes nothing', async () => {
  const bare = createModels({
    settings: {},
    env: { OPENAI_API_KEY: 'sk-SECRET', OPENAI_BASE_URL: `${fake.base}/v1` },
    fetch: () => Promise.reject(new Error('the network was touched')),
    now: () => new Date(),
  });
  assert.equal(bare.defaults().embedding, 'builtin-embed-1');
  assert.deepEqual(await bare.served(), []);
  assert.deepEqual(await bare.probe(), []);
  assert.ok(bare.list().every(({ provider }) => provider !== 'openai'));
  const refused = await failure(bare.embedder('openai/text-embedding-3-small'));
  assert.equal(refused.code, 'CONFIG_MISSING');
  assert.match(refused.hint!, /openai-base-url/);
});

test("OpenAI's own key goes to OpenAI's own address and nowhere else", async () => {
  const seen: [string, string | null][] = [];
  const spy = (async (url: string, init?: RequestInit) => {
    seen.push([url, new Headers(init?.headers).get('authorization')]);
    return new Response('{"data": []}');
  }) as typeof fetch;
  const env = { OPENAI_API_KEY: 'sk-SECRET' };
  for (const baseUrl of ['https://api.openai.com/v1', 'https://api.openai.com.evil.example/v1'])
    await createProvider({ settings: { baseUrl }, env, fetch: spy, now: () => new Date() }).served!();
  assert.deepEqual(seen, [
    ['https://api.openai.com/v1/models', 'Bearer sk-SECRET'],
    ['https://api.openai.com.evil.example/v1/models', null],
  ]);
});

test('texts stay on this machine where the address does, and a key on a plain road is warned of', () => {
  const at = (baseUrl: string) =>
    createModels({
      settings: { providers: { openai: { baseUrl, apiKey: 'k' } } },
      env: {},
      fetch,
      now: () => new Date(),
    });
  assert.equal(at('http://127.0.0.1:1234/v1').traits('openai/m').hosted, false);
  assert.equal(at('http://[::1]:1234/v1').traits('openai/m').hosted, false);
  assert.equal(at('https://api.openai.com/v1').traits('openai/m').hosted, true);
  assert.deepEqual(at('http://127.0.0.1:1234/v1').warnings(), []);
  assert.deepEqual(at('https://api.openai.com/v1').warnings(), []);
  assert.match(at('http://10.0.0.7:8080/v1').warnings()[0]!, /unencrypted/);
});
