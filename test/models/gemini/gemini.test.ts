import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { VaiError } from '../../../src/domain/errors.ts';
import { DEFAULT_SCHEMA } from '../../../src/domain/graph-settings.ts';
import type { GraphSchema } from '../../../src/domain/graph.ts';
import { createProvider } from '../../../src/models/gemini/provider.ts';
import type { HttpHooks } from '../../../src/models/shared/http.ts';
import { testFaults } from '../../support/provider-faults.ts';
import { startProvider, type FakeProvider } from '../../support/provider-server.ts';

let fake: FakeProvider;
let answer: (body: Record<string, unknown>) => unknown = () => ({});

before(async () => {
  fake = await startProvider(({ path, body }) => {
    if (path.endsWith(':batchEmbedContents')) {
      const requests = body['requests'] as unknown[];
      return { embeddings: requests.map((_, at) => ({ values: [at + 1, 0, 0, 2] })) };
    }
    return answer(body);
  });
});
after(() => fake.close());

const provider = (key = 'secret-key', hooks: HttpHooks = {}) =>
  createProvider(
    { settings: { apiKey: key }, env: { GEMINI_API_BASE: fake.base }, fetch, now: () => new Date(0) },
    hooks,
  );
const request = {
  model: 'gemini-embedding-001',
  modelId: 'gemini-embedding-001',
  hosted: true,
  trust: 0.8,
  dimensions: 4,
  sendDimensions: true,
};
const embedder = async (key?: string) => provider(key).embedder!(request);
const extractor = async () => provider().extractor!('gemini-3-flash-preview');
const said = (value: unknown, finishReason = 'STOP') => ({
  candidates: [
    {
      finishReason,
      content: { parts: [{ text: typeof value === 'string' ? value : JSON.stringify(value) }] },
    },
  ],
  usageMetadata: { promptTokenCount: 11, candidatesTokenCount: 7 },
});
const input = {
  text: 'The Auth Service uses Redis.\nSecond line.',
  headingPath: ['Guide'],
  startLine: 10,
  path: 'a.md',
};

test('documents and queries are told apart, at most 100 a call, unit length', async () => {
  const model = await embedder();
  fake.requests.length = 0;
  const texts = Array.from({ length: 250 }, (_, i) => `Guide > Part\ntext ${i}`);
  const { vectors, requests } = await model.embed(texts, { role: 'document' });
  assert.equal(requests, 3);
  assert.equal(vectors.length, 250);
  for (const vector of vectors) assert.ok(Math.abs(Math.hypot(...vector) - 1) < 1e-6);
  const first = (fake.requests[0]!.body['requests'] as Record<string, unknown>[])[0]!;
  assert.deepEqual(first, {
    model: 'models/gemini-embedding-001',
    content: { parts: [{ text: 'Guide > Part\ntext 0' }] },
    taskType: 'RETRIEVAL_DOCUMENT',
    title: 'Guide > Part',
    outputDimensionality: 4,
  });
  assert.equal(fake.requests[0]!.headers['x-goog-api-key'], 'secret-key');
  assert.ok(!fake.requests.some((request) => request.path.includes('secret')));
  await model.embed(['question'], { role: 'query' });
  const query = (fake.requests.at(-1)!.body['requests'] as Record<string, unknown>[])[0]!;
  assert.equal(query['taskType'], 'RETRIEVAL_QUERY');
  assert.ok(!('title' in query));
});

testFaults({
  fake: () => fake,
  provider: (hooks) => provider('secret-key', hooks),
  request,
  wrongLength: { embeddings: [{ values: [1, 2, 3] }] },
});

test('a refused or missing key is said without the key', async () => {
  fake.play({ status: 400, body: { error: { message: 'API key not valid. secret-key' } } });
  await assert.rejects((await embedder()).embed(['a'], { role: 'query' }), (error) => {
    assert.ok(error instanceof VaiError);
    assert.equal(error.code, 'PROVIDER_AUTH');
    assert.ok(!`${error.message}${error.hint}`.includes('secret-key'));
    return true;
  });
  await assert.rejects(
    (await embedder('')).embed(['a'], { role: 'query' }),
    (error) => error instanceof VaiError && /GEMINI_API_KEY/.test(error.hint ?? ''),
  );
});

test('wrong counts, lengths and numbers fail before anything is written', async () => {
  const model = await embedder();
  for (const body of [
    { embeddings: [] },
    { embeddings: [{ values: [1, 2] }] },
    { embeddings: [{ values: [1, 2, null, 4] }] },
  ]) {
    fake.play({ body });
    await assert.rejects(
      model.embed(['a'], { role: 'document' }),
      (error) => error instanceof VaiError && /^(PROVIDER_BAD_ANSWER|MODEL_UNSUPPORTED)$/.test(error.code),
    );
  }
});

test('the request of an extraction, to the letter where it matters', async () => {
  fake.requests.length = 0;
  answer = () => said({ entities: [], relations: [] });
  await (await extractor()).extract(input, DEFAULT_SCHEMA, {});
  const { path, body } = fake.requests[0]!;
  assert.equal(path, '/v1beta/models/gemini-3-flash-preview:generateContent');
  const config = body['generationConfig'] as Record<string, Record<string, Record<string, unknown>>>;
  assert.equal(config['responseMimeType'], 'application/json');
  assert.ok(config['responseJsonSchema']!['properties']!['entities']);
  assert.ok(!('temperature' in config));
  const prompt = JSON.stringify(body['contents']);
  assert.match(prompt, /Section: Guide/);
  const mark = /<<<([0-9a-f]{12})/.exec(prompt)![1]!;
  await (await extractor()).extract(input, DEFAULT_SCHEMA, {});
  assert.ok(
    JSON.stringify(fake.requests[1]!.body).includes(mark),
    'the prompt is a pure function of its input',
  );
});

test('19: answers are made ours: types, fields, ends, lines', async () => {
  const schema: GraphSchema = {
    ...DEFAULT_SCHEMA,
    entityFields: {
      tier: { type: 'enum', values: ['Gold', 'Silver'], default: 'Silver' },
      note: { type: 'string' },
    },
  };
  answer = () =>
    said({
      entities: [
        {
          name: ' Auth  Service ',
          type: 'service',
          description: 'd',
          fields: { tier: 'GOLD', colour: 'red' },
        },
        { name: 'Thing', type: 'vehicle', description: '', fields: { tier: 'tin' } },
        { name: '', type: 'SERVICE', description: '' },
        { type: 'SERVICE', description: 'without a name' },
      ],
      relations: [
        { source: 'Auth Service', target: 'Redis', type: 'uses', description: 'x', keywords: ['a', 'a', 3] },
        { source: 'Auth Service', target: 'auth service', type: 'USES', description: '', keywords: [] },
        { source: 'Auth Service', target: 'Redis', type: 'USES', description: '', keywords: [] },
      ],
    });
  const got = await (await extractor()).extract(input, schema, {});
  assert.deepEqual(
    got.entities.map(({ name, type, fields }) => [name, type, fields]),
    [
      ['Auth Service', 'SERVICE', { tier: 'Gold' }],
      ['Thing', 'OTHER', { tier: 'Silver' }],
      ['Redis', 'OTHER', undefined],
    ],
  );
  assert.deepEqual(
    got.relations.map(({ source, target, type, startLine, endLine, keywords }) => [
      source,
      target,
      type,
      startLine,
      endLine,
      keywords,
    ]),
    [['Auth Service', 'Redis', 'USES', 10, 10, ['a']]],
  );
  assert.deepEqual([got.inputTokens, got.outputTokens], [11, 7]);
});

test('bad JSON is repaired once, a cut answer is a failure', async () => {
  const replies = [said('{ not json'), said({ entities: [], relations: [] })];
  fake.requests.length = 0;
  answer = () => replies.shift()!;
  const got = await (await extractor()).extract(input, DEFAULT_SCHEMA, {});
  assert.equal(got.inputTokens, 22);
  assert.match(JSON.stringify(fake.requests[1]!.body), /last answer was refused/);
  answer = () => said({ entities: 'no' });
  await assert.rejects(
    (await extractor()).extract(input, DEFAULT_SCHEMA, {}),
    (error) => error instanceof VaiError && /twice/.test(error.message),
  );
  answer = () => said('{"entities":[', 'MAX_TOKENS');
  await assert.rejects(
    (await extractor()).extract(input, DEFAULT_SCHEMA, {}),
    (error) => error instanceof VaiError && /length limit/.test(error.message),
  );
});

test('plain http is refused but on this machine', () => {
  assert.throws(
    () =>
      createProvider({
        settings: {},
        env: { GEMINI_API_BASE: 'http://example.com' },
        fetch,
        now: () => new Date(),
      }),
    (error) => error instanceof VaiError && error.code === 'CONFIG_INVALID',
  );
});
