// Bedrock through AWS's own package, against a server on loopback.

import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { VaiError } from '../../../src/domain/errors.ts';
import { DEFAULT_SCHEMA } from '../../../src/domain/graph-settings.ts';
import { createProvider, type BedrockHooks } from '../../../src/models/bedrock/provider.ts';
import { startProvider, type FakeProvider } from '../../support/provider-server.ts';

let fake: FakeProvider;
let converse: unknown;

before(async () => {
  fake = await startProvider(
    ({ path, body }) => {
      if (path.endsWith('/converse')) return converse;
      if (path.includes('cohere'))
        return { embeddings: { float: (body['texts'] as unknown[]).map(() => [0, 3, 4, 0]) } };
      return { embedding: [3, 4, 0, 0], inputTextTokenCount: 5 };
    },
    { http2: true },
  );
});
after(() => fake.close());

const env = () => ({
  AWS_ENDPOINT_URL_BEDROCK_RUNTIME: fake.base,
  AWS_ACCESS_KEY_ID: 'AK',
  AWS_SECRET_ACCESS_KEY: 'SK',
  AWS_REGION: 'eu-west-1',
});
const provider = (hooks: BedrockHooks = {}) =>
  createProvider(
    { settings: {}, env: env(), fetch, now: () => new Date() },
    { random: () => 0.5, wait: async () => undefined, ...hooks },
  );
const embedder = async (model: string) =>
  provider().embedder!({
    ...{ model, modelId: model, dimensions: 4, sendDimensions: true },
    ...{ hosted: true, trust: 0.75 },
  });
const input = { text: 'The Auth Service uses Redis.', headingPath: [], startLine: 1, path: 'a.md' };

test('Titan: one text a call, bounded concurrency, signed', async () => {
  fake.requests.length = 0;
  fake.maxInFlight = 0;
  const { vectors, tokens, requests } = await (
    await embedder('amazon.titan-embed-text-v2:0')
  ).embed(
    Array.from({ length: 12 }, (_, i) => `t${i}`),
    { role: 'document' },
  );
  assert.equal(requests, 12);
  assert.equal(tokens, 60);
  assert.ok(Math.abs(vectors[0]![0]! - 0.6) < 1e-6);
  assert.deepEqual(fake.requests[0]!.body, { inputText: 't0', dimensions: 4, normalize: true });
  assert.match(String(fake.requests[0]!.headers['authorization']), /eu-west-1\/bedrock/);
  assert.ok(fake.maxInFlight <= 4);
});

test('Cohere: 96 texts a call, roles told apart', async () => {
  fake.requests.length = 0;
  const model = await embedder('cohere.embed-english-v3');
  const { requests } = await model.embed(
    Array.from({ length: 100 }, () => 'x'.repeat(5000)),
    { role: 'document' },
  );
  assert.equal(requests, 2);
  const sizes = fake.requests.map((one) => (one.body['texts'] as string[]).length);
  assert.deepEqual(
    sizes.sort((a, b) => a - b),
    [4, 96],
  );
  const { body } = fake.requests[0]!;
  assert.equal((body['texts'] as string[])[0]!.length, 2048);
  assert.deepEqual([body['input_type'], body['truncate']], ['search_document', 'END']);
  await model.embed(['q'], { role: 'query' });
  assert.equal(fake.requests.at(-1)!.body['input_type'], 'search_query');
});

test('extraction forces the tool and reads its input', async () => {
  fake.requests.length = 0;
  converse = {
    stopReason: 'tool_use',
    output: {
      message: {
        role: 'assistant',
        content: [
          {
            toolUse: {
              toolUseId: '1',
              name: 'record_graph',
              input: {
                entities: [{ name: 'Auth Service', type: 'SERVICE', description: '' }],
                relations: [],
              },
            },
          },
        ],
      },
    },
    usage: { inputTokens: 9, outputTokens: 4, totalTokens: 13 },
  };
  const got = await (
    await provider().extractor!('anthropic.claude-haiku-4-5-20251001-v1:0')
  ).extract(input, DEFAULT_SCHEMA, {});
  assert.deepEqual([got.entities.length, got.inputTokens, got.outputTokens], [1, 9, 4]);
  const { body, path } = fake.requests[0]!;
  assert.match(decodeURIComponent(path), /anthropic\.claude-haiku-4-5-20251001-v1:0\/converse/);
  assert.deepEqual((body['toolConfig'] as Record<string, unknown>)['toolChoice'], {
    tool: { name: 'record_graph' },
  });
  assert.ok((body['inferenceConfig'] as Record<string, unknown>)['maxTokens']);
});

test('throttling is waited for; a bare id is told to use a profile; refused keys are said', async () => {
  fake.requests.length = 0;
  fake.play({
    status: 429,
    body: { message: 'slow' },
    headers: { 'x-amzn-errortype': 'ThrottlingException' },
  });
  await (
    await provider().extractor!('anthropic.claude-haiku-4-5-20251001-v1:0')
  ).extract(input, DEFAULT_SCHEMA, {});
  assert.equal(fake.requests.length, 2);
  fake.play({
    status: 400,
    headers: { 'x-amzn-errortype': 'ValidationException' },
    body: {
      message:
        'Invocation of model ID with on-demand throughput isn’t supported. Retry with an inference profile.',
    },
  });
  await assert.rejects(
    (await provider().extractor!('anthropic.claude-haiku-4-5-20251001-v1:0')).extract(
      input,
      DEFAULT_SCHEMA,
      {},
    ),
    (error) => error instanceof VaiError && /us\.anthropic/.test(error.hint ?? ''),
  );
  fake.play({
    status: 403,
    headers: { 'x-amzn-errortype': 'UnrecognizedClientException' },
    body: { message: 'bad token SK' },
  });
  await assert.rejects(
    (await provider().extractor!('anthropic.claude-haiku-4-5-20251001-v1:0')).extract(
      input,
      DEFAULT_SCHEMA,
      {},
    ),
    (error) => {
      assert.ok(error instanceof VaiError && error.code === 'PROVIDER_AUTH');
      return !`${error.message}${error.hint}`.includes('bad token');
    },
  );
});

test('without the package the error says what to install', async () => {
  const missing = provider({ load: () => Promise.reject(new Error('Cannot find package')) });
  const model = await missing.embedder!({
    ...{ model: 'amazon.titan-embed-text-v2:0', modelId: 'amazon.titan-embed-text-v2:0' },
    ...{ dimensions: 4, sendDimensions: true, hosted: true, trust: 0.75 },
  });
  await assert.rejects(
    model.embed(['a'], { role: 'query' }),
    (error) => error instanceof VaiError && /npm install @aws-sdk/.test(error.hint ?? ''),
  );
});
