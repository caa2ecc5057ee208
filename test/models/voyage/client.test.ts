// What is Voyage's own. What it shares with every provider over HTTP (attempts, refusals, lengths) is in provider-faults.ts.

import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { createModels } from '../../../src/models/index.ts';
import { createProvider } from '../../../src/models/voyage/provider.ts';
import type { Embedder } from '../../../src/ports/embedder.ts';
import { failure } from '../../support/failure.ts';
import {
  fakeTokens,
  startVoyage,
  type Behaviour,
  type FakeOptions,
  type FakeVoyage,
} from '../../support/voyage-server.ts';
import { until } from '../../support/wait.ts';

const KEY = 'pa-test-key-0123456789';
const NOW = new Date('2026-03-01T12:00:00Z');
const open: FakeVoyage[] = [];
after(() => Promise.all(open.map((server) => server.close())));

interface Rig {
  server: FakeVoyage;
  waits: number[];
  embedder: (model?: string) => Promise<Embedder>;
  reranker: (
    model?: string,
  ) => Promise<Awaited<ReturnType<NonNullable<ReturnType<typeof createProvider>['reranker']>>>>;
}

async function rig(options: FakeOptions = {}, ...script: Behaviour[]): Promise<Rig> {
  const server = await startVoyage(options);
  open.push(server);
  server.play(...script);
  const waits: number[] = [];
  const provider = createProvider(
    { settings: { apiKey: KEY, baseUrl: server.base }, env: {}, fetch, now: () => NOW },
    {
      random: () => 0.5,
      wait: async (ms, signal) => {
        signal?.throwIfAborted();
        waits.push(Math.round(ms));
      },
    },
  );
  const models = createModels({
    settings: { providers: { voyage: { apiKey: KEY } } },
    env: {},
    fetch,
    now: () => NOW,
  });
  return {
    server,
    waits,
    embedder: (model = 'voyage-4-large') =>
      provider.embedder!({
        ...{ model, modelId: model, hosted: true, trust: 1 },
        ...(models.info(model) ? { info: models.info(model)! } : {}),
        dimensions: 1024,
        sendDimensions: true,
      }) as Promise<Embedder>,
    reranker: async (model = 'rerank-2.5') =>
      provider.reranker!({
        model,
        modelId: model,
        hosted: true,
        ...(models.info(model) ? { info: models.info(model)! } : {}),
      }),
  };
}

test('request body and headers', async () => {
  const { server, embedder } = await rig();
  const answer = await (await embedder()).embed(['SECRET text'], { role: 'document' });
  assert.equal(answer.vectors[0]!.length, 1024);
  assert.ok(Math.abs(Math.hypot(...answer.vectors[0]!) - 1) < 1e-5);
  assert.equal(answer.tokens, fakeTokens('SECRET text'));
  assert.equal(answer.requests, 1);
  assert.deepEqual(server.calls[0]!.body, {
    input: ['SECRET text'],
    model: 'voyage-4-large',
    input_type: 'document',
    output_dimension: 1024,
    truncation: false,
  });
  assert.equal(server.calls[0]!.authorization, `Bearer ${KEY}`);
  await (await embedder()).embed(['q'], { role: 'query' });
  assert.equal(server.calls[1]!.body.truncation, true);
  assert.equal(server.calls[1]!.body.input_type, 'query');
});

test('a multimodal model gets its text at its own address', async () => {
  const { server, embedder } = await rig();
  await (await embedder('voyage-multimodal-3.5')).embed(['a', 'b'], { role: 'document' });
  assert.equal(server.calls[0]!.path, '/v1/multimodalembeddings');
  assert.deepEqual(server.calls[0]!.body.inputs, [
    { content: [{ type: 'text', text: 'a' }] },
    { content: [{ type: 'text', text: 'b' }] },
  ]);
});

test('200 chunks of 8,000 characters stay under the cap of voyage-4-large', async () => {
  const { server, embedder } = await rig({ together: 2 });
  const texts = Array.from({ length: 200 }, (_, at) => `${at} ${'word '.repeat(1600)}`.slice(0, 8000));
  const progress: number[] = [];
  const answer = await (
    await embedder()
  ).embed(texts, {
    role: 'document',
    onProgress: (done) => progress.push(done),
  });
  assert.equal(answer.vectors.length, 200);
  assert.ok(server.calls.every((call) => call.tokens <= 120_000 && call.status === 200));
  assert.ok(server.calls.length >= 4, `${server.calls.length} calls`);
  assert.equal(server.maxInFlight, 2);
  assert.equal(progress.at(-1), 200);
});

test('a batch-cap refusal is split, not repeated', async () => {
  const { server, waits, embedder } = await rig({ tokenCap: 600 });
  const texts = Array.from({ length: 16 }, (_, at) => `${at} `.padEnd(400, 'x'));
  const answer = await (await embedder()).embed(texts, { role: 'document' });
  assert.equal(answer.vectors.length, 16);
  assert.deepEqual(waits, []);
  const sizes = server.calls.map((call) => call.texts);
  assert.deepEqual(sizes.slice(0, 3), [16, 8, 4]);
  assert.equal(answer.requests, server.calls.length);
  assert.equal(answer.tokens, 1600);
});

test('a single text over the limit is named by its place', async () => {
  const { embedder } = await rig({ tokenCap: 50 });
  const error = await failure(
    (await embedder()).embed(['short', 'SECRET '.repeat(100)], { role: 'document' }),
  );
  assert.equal(error.code, 'TOO_LARGE');
  assert.match(error.message, /Text 2 /);
});

test('an empty text costs nothing and becomes a zero vector', async () => {
  const { server, embedder } = await rig();
  const answer = await (await embedder()).embed(['', 'real', '  \n'], { role: 'document' });
  assert.equal(server.calls[0]!.texts, 1);
  assert.ok(answer.vectors[0]!.every((value) => value === 0));
  assert.ok(answer.vectors[1]!.some((value) => value !== 0));
  assert.equal((await (await embedder()).embed([''], { role: 'query' })).requests, 0);
});

test('429 with Retry-After in seconds is waited for', async () => {
  const { waits, embedder } = await rig({}, { status: 429, headers: { 'retry-after': '7' } });
  const told: number[] = [];
  await (await embedder()).embed(['x'], { role: 'query', onWait: (seconds) => told.push(seconds) });
  assert.equal(waits.length, 1);
  assert.ok(waits[0]! >= 7_000 && waits[0]! <= 7_250);
  assert.deepEqual(told, [8]);
});

test('Retry-After as a date is waited for, a huge one is capped', async () => {
  const dated = await rig({}, { status: 429, headers: { 'retry-after': 'Sun, 01 Mar 2026 12:00:12 GMT' } });
  await (await dated.embedder()).embed(['x'], { role: 'query' });
  assert.ok(dated.waits[0]! >= 12_000 && dated.waits[0]! <= 12_250);
  const huge = { status: 429, headers: { 'retry-after': '86400' } };
  const capped = await rig({}, huge, huge, huge, huge);
  const error = await failure((await capped.embedder()).embed(['x'], { role: 'query' }));
  assert.deepEqual(capped.waits, [30_000, 15_000]);
  assert.equal(error.code, 'PROVIDER_RATE_LIMIT');
  assert.equal(error.data?.retryAfterSeconds, 86_400);
  assert.equal(error.retryable, true);
});

test('an HTML 502 is retried, then PROVIDER_UNAVAILABLE with its status', async () => {
  const html = { status: 502, body: '<html>SECRET gateway</html>', headers: { 'content-type': 'text/html' } };
  const twice = await rig({}, html, html);
  await (await twice.embedder()).embed(['x'], { role: 'query' });
  assert.deepEqual(twice.waits, [1_000, 2_000]);
  const always = await rig({}, html, html, html, html, html);
  const error = await failure((await always.embedder()).embed(['x'], { role: 'query' }));
  assert.deepEqual(always.waits, [1_000, 2_000, 4_000]);
  assert.equal(error.code, 'PROVIDER_UNAVAILABLE');
  assert.equal(error.data?.status, 502);
});

test('a refusal is never retried, never echoed', async () => {
  const body = JSON.stringify({ detail: `SECRET text was refused for Bearer ${KEY}` });
  const { server, embedder } = await rig({}, { status: 403, body });
  const error = await failure((await embedder()).embed(['SECRET text'], { role: 'query' }));
  assert.equal(error.code, 'PROVIDER_AUTH');
  assert.equal(error.data?.status, 403);
  assert.equal(server.calls.length, 1);
});

for (const field of ['detail', 'message', 'error'] as const) {
  test(`the reason is found at ${field}`, async () => {
    const text = "Model 'x' is not supported";
    const body = JSON.stringify(field === 'error' ? { error: { message: text } } : { [field]: text });
    const { embedder } = await rig({}, { status: 400, body });
    const error = await failure((await embedder()).embed(['x'], { role: 'query' }));
    assert.match(error.message, /does not serve this model/);
  });
}

for (const behaviour of ['short', 'wrong-length', 'twice', 'not-a-number'] as const) {
  test(`a reply that is ${behaviour} fails clearly`, async () => {
    const { embedder } = await rig({}, behaviour);
    const error = await failure((await embedder()).embed(['a', 'b', 'c'], { role: 'document' }));
    assert.equal(error.code, behaviour === 'wrong-length' ? 'MODEL_UNSUPPORTED' : 'PROVIDER_BAD_ANSWER');
    assert.match(error.hint!, /Nothing was written/);
  });
}

test('reordered vectors are put in their places', async () => {
  const straight = await rig();
  const turned = await rig({}, 'reordered');
  const texts = ['alpha', 'beta', 'gamma'];
  const expected = await (await straight.embedder()).embed(texts, { role: 'document' });
  const got = await (await turned.embedder()).embed(texts, { role: 'document' });
  assert.deepEqual(got.vectors, expected.vectors);
});

test('cancelling ends requests that are never answered, and sends no more of them', async () => {
  const { server, embedder } = await rig({}, 'hang', 'hang');
  const stop = new AbortController();
  const texts = Array.from({ length: 300 }, (_, at) => `text ${at}`);
  const voyage = await embedder();
  const work = failure(voyage.embed(texts, { role: 'document', signal: stop.signal }));
  await until(() => server.calls.length === 2);
  stop.abort();
  assert.equal((await work).code, 'CANCELLED');
  await until(() => server.aborted === 2);
  // First come, first served: what was left of the cancelled work would go before this.
  await voyage.embed(['after'], { role: 'query' });
  assert.deepEqual(
    server.calls.slice(2).map((call) => call.body.input),
    [['after']],
  );
});

test('cancelling stops a wait', async () => {
  const server = await startVoyage();
  open.push(server);
  server.play({ status: 429, headers: { 'retry-after': '20' } });
  const provider = createProvider({
    settings: { apiKey: KEY, baseUrl: server.base },
    env: {},
    fetch,
    now: () => new Date(),
  });
  const embedder = (await provider.embedder!({
    ...{ model: 'voyage-4', modelId: 'voyage-4', hosted: true, trust: 1 },
    dimensions: 1024,
    sendDimensions: true,
  })) satisfies Embedder;
  const stop = new AbortController();
  const error = await failure(
    embedder.embed(['x'], {
      role: 'query',
      signal: stop.signal,
      onWait: () => setImmediate(() => stop.abort()),
    }),
  );
  assert.equal(error.code, 'CANCELLED');
  assert.equal(server.calls.length, 1);
});

test('two requests in flight, first come first served', async () => {
  // Each is answered once another has come, so that two are always under way.
  const { server, embedder } = await rig({ together: 2 });
  const voyage = await embedder();
  await Promise.all(Array.from({ length: 8 }, (_, at) => voyage.embed([`text ${at}`], { role: 'query' })));
  assert.equal(server.maxInFlight, 2);
  const order = server.calls.map((call) => Number((call.body.input as string[])[0]!.slice(5)));
  // Two that are under way together may overtake each other, nothing else.
  const pairs = [0, 2, 4, 6].map((at) => order.slice(at, at + 2).sort((a, b) => a - b));
  assert.deepEqual(pairs.flat(), [0, 1, 2, 3, 4, 5, 6, 7]);
});

test('reranking: order, scores, tokens, no top_n', async () => {
  const { server, reranker } = await rig();
  const answer = await (
    await reranker()
  ).rerank(
    'red apple',
    [
      { text: 'a green pear' },
      { text: 'a red apple', title: 'Fruit', headingPath: ['Fruit', 'Apples'] },
      { text: '' },
    ],
    {},
  );
  assert.deepEqual(
    answer.order.map(({ index }) => index),
    [1, 0, 2],
  );
  assert.equal(answer.order[0]!.score, 1);
  assert.equal(answer.order[2]!.score, 0);
  assert.ok(answer.tokens > 0);
  assert.deepEqual(server.calls[0]!.body, {
    query: 'red apple',
    documents: ['a green pear', 'Fruit > Apples\na red apple'],
    model: 'rerank-2.5',
  });
});

test('reranking: a short reply fails, a cap refusal is split', async () => {
  const short = await rig({}, 'short');
  const candidates = Array.from({ length: 6 }, (_, at) => ({ text: `document ${at} ${'x'.repeat(200)}` }));
  const error = await failure((await short.reranker()).rerank('q', candidates, {}));
  assert.equal(error.code, 'PROVIDER_BAD_ANSWER');
  const split = await rig({ tokenCap: 200 });
  const answer = await (await split.reranker()).rerank('document 3', candidates, {});
  assert.equal(answer.order.length, 6);
  assert.ok(split.server.calls.length > 1);
});
