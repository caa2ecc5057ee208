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

function countingEmbedder(failAfter = Infinity): Embedder & { sent: string[] } {
  const sent: string[] = [];
  return {
    sent,
    model: 'voyage-4-large',
    dimensions: 3,
    space: 'voyage-4',
    hosted: true,
    trust: 1,
    embed: async (texts) => {
      if (sent.length + texts.length > failAfter) throw new Error('provider gone');
      sent.push(...texts);
      const vectors = texts.map((text) => Float32Array.of(text.length, 0.1, -1));
      return { vectors, tokens: texts.length * 10, requests: 1 };
    },
  };
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

test('the cache is kept within its size, now and then', async () => {
  const cache = memoryCache();
  let trims = 0;
  cache.trim = async (_, maxBytes) => {
    trims += 1;
    assert.ok(maxBytes > 0);
  };
  const cached = cachedEmbedder(countingEmbedder(), cache);
  for (let at = 0; at < 120; at++) await cached.embed([`text ${at}`], { role: 'document' });
  assert.equal(trims, 2);
});
