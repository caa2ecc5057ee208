// Ollama on loopback: embeddings, extraction, what is installed, faults.

import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { DEFAULT_SCHEMA } from '../../../src/domain/graph-settings.ts';
import { createModels } from '../../../src/models/index.ts';
import { createProvider } from '../../../src/models/ollama/provider.ts';
import type { HttpHooks } from '../../../src/models/shared/http.ts';
import { failure } from '../../support/failure.ts';
import { testFaults } from '../../support/provider-faults.ts';
import { startProvider, type FakeProvider, type ProviderRequest } from '../../support/provider-server.ts';

let fake: FakeProvider;
let chat: unknown;

const INSTALLED: Record<string, object> = {
  'nomic-embed-text:latest': {
    capabilities: ['embedding'],
    model_info: {
      'general.architecture': 'nomic-bert',
      'nomic-bert.embedding_length': 768,
      'nomic-bert.context_length': 2048,
    },
  },
  'llama3.2:3b': { capabilities: ['completion', 'tools'], model_info: {} },
};

function answer({ path, body }: ProviderRequest): unknown {
  if (path === '/api/embed')
    return {
      model: body['model'],
      embeddings: (body['input'] as string[]).map(() => [3, 4, 0, 0]),
      prompt_eval_count: 5,
    };
  if (path === '/api/tags') return { models: Object.keys(INSTALLED).map((name) => ({ name, model: name })) };
  if (path === '/api/show') return INSTALLED[body['model'] as string];
  if (path === '/api/version') return { version: '0.12.0' };
  return chat;
}

before(async () => {
  fake = await startProvider(answer);
});
after(() => fake.close());

const provider = (hooks: HttpHooks = {}) =>
  createProvider({ settings: { baseUrl: fake.base }, env: {}, fetch, now: () => new Date() }, hooks);
const models = (providers = { ollama: { baseUrl: fake.base } } as Record<string, Record<string, string>>) =>
  createModels({ settings: { providers }, env: {}, fetch, now: () => new Date() });
const request = {
  ...{ model: 'ollama/m', modelId: 'm', dimensions: 4 },
  ...{ sendDimensions: false, hosted: false, trust: 0.6 },
};
const input = { text: 'The Auth Service uses Redis.', headingPath: [], startLine: 1, path: 'a.md' };

testFaults({ fake: () => fake, provider, request, wrongLength: { embeddings: [[1, 2, 3]] } });

test('embeddings: the body, unit length, and nothing stored is cut', async () => {
  fake.requests.length = 0;
  const embedder = await models().embedder('ollama/nomic-embed-text', 4);
  const { vectors, tokens } = await embedder.embed(['a', 'b'], { role: 'document' });
  await embedder.embed(['q'], { role: 'query' });
  assert.ok(Math.abs(vectors[1]![1]! - 0.8) < 1e-6);
  assert.equal(tokens, 5);
  assert.deepEqual(
    fake.requests.map(({ path, body }) => ({ path, ...body })),
    [
      {
        path: '/api/embed',
        model: 'nomic-embed-text',
        input: ['search_document: a', 'search_document: b'],
        truncate: false,
        dimensions: 4,
      },
      {
        path: '/api/embed',
        model: 'nomic-embed-text',
        input: ['search_query: q'],
        truncate: true,
        dimensions: 4,
      },
    ],
  );
});

test('a text that is too long is named', async () => {
  const embedder = await provider().embedder!(request);
  const refusal = { status: 400, body: { error: 'input length exceeds maximum context length' } };
  fake.play(refusal, refusal);
  const error = await failure(embedder.embed(['a'.repeat(40), 'b'], { role: 'document' }));
  fake.clear();
  assert.equal(error.code, 'TOO_LARGE');
  assert.match(error.message, /Text 1 /);
});

test('a model that is not there says how to get it', async () => {
  const embedder = await provider().embedder!(request);
  fake.play({ status: 404, body: { error: 'model "m" not found, try pulling it first' } });
  const error = await failure(embedder.embed(['a'], { role: 'query' }));
  assert.equal(error.code, 'MODEL_UNSUPPORTED');
  assert.match(error.hint!, /ollama pull/);
});

test('extraction: the schema is the format; an answer that was cut is no answer', async () => {
  fake.requests.length = 0;
  const graph = {
    entities: [{ name: 'Redis', type: 'DATABASE', description: '' }],
    relations: [],
  };
  chat = {
    message: { content: JSON.stringify(graph) },
    done_reason: 'stop',
    prompt_eval_count: 11,
    eval_count: 7,
  };
  const extractor = await models().extractor('ollama', 'llama3.2:3b');
  assert.equal(extractor.hosted, false);
  const found = await extractor.extract(input, DEFAULT_SCHEMA, {});
  assert.deepEqual([found.entities[0]!.name, found.inputTokens, found.outputTokens], ['Redis', 11, 7]);
  const { path, body } = fake.requests[0]!;
  assert.equal(path, '/api/chat');
  assert.equal(body['stream'], false);
  assert.ok('properties' in (body['format'] as object));
  chat = { message: { content: '{"entities"' }, done_reason: 'length' };
  assert.equal((await failure(extractor.extract(input, DEFAULT_SCHEMA, {}))).code, 'PROVIDER_BAD_ANSWER');
});

test('what embeds is listed once the address is set, with its length', async () => {
  const served = await models().served();
  assert.deepEqual(
    served.map(({ name, dimensions, contextTokens }) => [name, dimensions, contextTokens]),
    [['ollama/nomic-embed-text', [768], 2048]],
  );
  assert.deepEqual(await models({}).served(), []);
  assert.equal(models().traits('ollama/x').hosted, false);
  assert.equal(models({ ollama: { baseUrl: 'http://10.0.0.7:11434' } }).traits('ollama/x').hosted, true);
});

test('an Ollama that is away lists nothing and fails nothing', async () => {
  assert.deepEqual(await models({ ollama: { baseUrl: 'http://127.0.0.1:9' } }).served(), []);
});
