import assert from 'node:assert/strict';
import { test } from 'node:test';
import { cachedEmbedder, embeddingKey } from '../../../src/engine/index/cached-embedder.ts';
import type { Embedder } from '../../../src/ports/embedder.ts';
import type { Cache } from '../../../src/ports/store.ts';

function memoryCache(): Cache & { entries: Map<string, Uint8Array> } {
  const entries = new Map<string, Uint8Array>();
  return {
    entries,
    get: async (_, keys) =>
      new Map(keys.flatMap((key) => (entries.has(key) ? [[key, entries.get(key)!]] : []))),
    put: async (_, added) => added.forEach((value, key) => entries.set(key, value)),
    trim: async () => entries.clear(),
  };
}

interface CountingEmbedder extends Embedder {
  sent: string[];
  requests: number;
  /** Requests that were under way together. */
  mostAtOnce: number;
}

function countingEmbedder(failAfter = Infinity): CountingEmbedder {
  let under = 0;
  const embedder: CountingEmbedder = {
    sent: [],
    requests: 0,
    mostAtOnce: 0,
    model: 'voyage-4-large',
    dimensions: 3,
    hosted: true,
    trust: 1,
    embed: async (texts) => {
      const { sent } = embedder;
      embedder.requests += 1;
      if (sent.length + texts.length > failAfter) throw new Error('provider gone');
      sent.push(...texts);
      under += 1;
      embedder.mostAtOnce = Math.max(embedder.mostAtOnce, under);
      await Promise.resolve();
      under -= 1;
      const vectors = texts.map((text) => Float32Array.of(text.length, 0.1, -1));
      return { vectors, tokens: texts.length * 10, requests: 1 };
    },
  };
  return embedder;
}

test('a text is sent once, whatever the order and however often it stands there', async () => {
  const inner = countingEmbedder();
  const cached = cachedEmbedder(inner, memoryCache());
  const first = await cached.embed(['a', 'bb', 'a'], { role: 'document' });
  assert.deepEqual(inner.sent, ['a', 'bb']);
  assert.equal(first.tokens, 20);
  const second = await cached.embed(['bb', 'ccc', 'a'], { role: 'document' });
  assert.deepEqual(inner.sent, ['a', 'bb', 'ccc']);
  assert.equal(second.tokens, 10);
  assert.deepEqual(
    second.vectors.map((vector) => vector[0]),
    [2, 3, 1],
  );
  assert.deepEqual([...second.vectors[2]!], [...first.vectors[0]!]);
});

test('role, model and dimensions are part of the key', () => {
  const base = { model: 'm', dimensions: 3 };
  const keys = new Set([
    embeddingKey(base, 'document', 'x'),
    embeddingKey(base, 'query', 'x'),
    embeddingKey({ ...base, dimensions: 4 }, 'document', 'x'),
    embeddingKey({ ...base, model: 'n' }, 'document', 'x'),
    embeddingKey(base, 'document', 'y'),
  ]);
  assert.equal(keys.size, 5);
});

test('what was answered before a failure is not paid for again', async () => {
  const cache = memoryCache();
  const texts = Array.from({ length: 500 }, (_, at) => `text ${at}`);
  const failing = countingEmbedder(300);
  await assert.rejects(cachedEmbedder(failing, cache).embed(texts, { role: 'document' }), /provider gone/);
  assert.equal(failing.sent.length, 256);
  const healthy = countingEmbedder();
  const answer = await cachedEmbedder(healthy, cache).embed(texts, { role: 'document' });
  assert.equal(healthy.sent.length, 244);
  assert.equal(answer.vectors.length, 500);
  assert.equal(new Set([...failing.sent, ...healthy.sent]).size, 500);
});

test('a damaged entry is made again', async () => {
  const cache = memoryCache();
  const inner = countingEmbedder();
  cache.entries.set(embeddingKey(inner, 'document', 'a'), new Uint8Array(5));
  const answer = await cachedEmbedder(inner, cache).embed(['a'], { role: 'document' });
  assert.equal(answer.vectors[0]![0], 1);
  assert.deepEqual(inner.sent, ['a']);
});

test('progress reaches the number of texts; a cancelled call sends nothing', async () => {
  const seen: number[] = [];
  const inner = countingEmbedder();
  const cached = cachedEmbedder(inner, memoryCache());
  await cached.embed(
    Array.from({ length: 300 }, (_, at) => `${at}`),
    { role: 'document', onProgress: (done) => seen.push(done) },
  );
  assert.equal(seen.at(-1), 300);
  const before = inner.sent.length;
  await assert.rejects(cached.embed(['new'], { role: 'document', signal: AbortSignal.abort() }), {
    code: 'CANCELLED',
  });
  assert.equal(inner.sent.length, before);
});

test('what is known is told at once, and costs no request', async () => {
  const cache = memoryCache();
  const inner = countingEmbedder();
  const cached = cachedEmbedder(inner, cache);
  const seen: number[] = [];
  const onProgress = (done: number): unknown => seen.push(done);
  const first = await cached.embed(['a'], { role: 'document', onProgress });
  assert.deepEqual([seen, first.requests], [[1], 1], 'nothing is told before the first answer');
  seen.length = 0;
  const both = await cached.embed(['a', 'b'], { role: 'document', onProgress });
  assert.deepEqual([seen, both.requests], [[1, 2], 1]);
  const asked = inner.requests;
  const known = await cached.embed(['a', 'b'], { role: 'document' });
  assert.deepEqual([known.requests, known.tokens, inner.requests], [0, 0, asked]);
});

test('two groups of texts are under way at once', async () => {
  const inner = countingEmbedder();
  const texts = Array.from({ length: 128 * 4 }, (_, at) => `${at}`);
  await cachedEmbedder(inner, memoryCache()).embed(texts, { role: 'document' });
  assert.deepEqual([inner.requests, inner.mostAtOnce], [4, 2]);
});

test('the cache is asked for five hundred texts at a time', async () => {
  const cache = memoryCache();
  const asked: number[] = [];
  const get = cache.get.bind(cache);
  cache.get = (namespace, keys) => {
    asked.push(keys.length);
    return get(namespace, keys);
  };
  const texts = Array.from({ length: 1000 }, (_, at) => `${at}`);
  await cachedEmbedder(countingEmbedder(), cache).embed([...texts, 'x'], { role: 'document' });
  await cachedEmbedder(countingEmbedder(), cache).embed(texts, { role: 'document' });
  assert.deepEqual(asked, [500, 500, 1, 500, 500]);
});

test('the cache is kept within a gigabyte, after every fifty groups', async () => {
  const cache = memoryCache();
  const trims: number[] = [];
  cache.trim = async (_, maxBytes) => void trims.push(maxBytes);
  const cached = cachedEmbedder(countingEmbedder(), cache);
  const embed = async (count: number, name: string): Promise<void> => {
    for (let at = 0; at < count; at++) await cached.embed([`${name} ${at}`], { role: 'document' });
  };
  await embed(49, 'first');
  assert.deepEqual(trims, []);
  await embed(1, 'fiftieth');
  assert.deepEqual(trims, [1_000_000_000]);
  await embed(50, 'next');
  assert.equal(trims.length, 2);
});
