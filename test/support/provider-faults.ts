// The faults every provider over HTTP has to live with, each met on the embeddings of a server that plays it.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { EmbedderRequest, Provider } from '../../src/models/provider.ts';
import type { HttpHooks } from '../../src/models/shared/http.ts';
import type { FakeProvider, Reply } from './provider-server.ts';
import { failure } from './failure.ts';

export interface Faulty {
  fake(): FakeProvider;
  provider(hooks: HttpHooks): Provider;
  request: EmbedderRequest;
  /** An answer to one text with vectors of a length nobody asked for. */
  wrongLength: unknown;
}

export function testFaults(under: Faulty): void {
  const embed = async (replies: Reply[], hooks: HttpHooks = {}) => {
    const { requests } = under.fake();
    requests.length = 0;
    under.fake().play(...replies);
    const waits: number[] = [];
    const wait = async (ms: number) => void waits.push(ms);
    const provider = under.provider({ random: () => 0.5, wait, ...hooks });
    const embedder = await provider.embedder!(under.request);
    const work = embedder.embed(['SECRET text'], { role: 'document' });
    return { work, requests, waits };
  };

  const passing: [string, Reply, HttpHooks?][] = [
    ['429 with Retry-After', { status: 429, headers: { 'retry-after': '7' } }],
    ['500', { status: 500, body: { error: 'SECRET text' } }],
    ['503', { status: 503 }],
    ['a connection that is reset', 'drop'],
    ['JSON that ends too early', { text: '{"data": [{"index": 0, "embed' }],
    ['a page instead of JSON', { text: '<html>SECRET</html>' }],
    ['an answer that does not come', 'hang', { timeoutMs: 1_000 }],
  ];
  for (const [what, reply, hooks] of passing)
    test(`${what} is tried again`, async () => {
      const { work, requests, waits } = await embed([reply], hooks);
      assert.equal((await work).vectors.length, 1);
      // On a busy machine the second answer may come too late as well.
      assert.ok(requests.length === 2 || (hooks && requests.length > 2));
      assert.equal(waits.length, requests.length - 1);
      if (what.startsWith('429')) assert.ok(waits[0]! >= 7_000 && waits[0]! < 7_500);
    });

  const lasting: [string, Reply, string][] = [
    ['429', { status: 429, headers: { 'retry-after': '20' } }, 'PROVIDER_RATE_LIMIT'],
    ['500', { status: 500 }, 'PROVIDER_BAD_ANSWER'],
    ['a connection that is reset', 'drop', 'PROVIDER_UNAVAILABLE'],
    ['JSON that ends too early', { text: '{"data"' }, 'PROVIDER_UNAVAILABLE'],
  ];
  for (const [what, reply, code] of lasting)
    test(`${what}, again and again: ${code}`, async () => {
      const { work } = await embed(Array.from({ length: 7 }, () => reply));
      assert.equal((await failure(work)).code, code);
      under.fake().clear();
    });

  const refusals: [number, string][] = [
    [401, 'PROVIDER_AUTH'],
    [404, 'MODEL_UNSUPPORTED'],
    [400, 'PROVIDER_BAD_REQUEST'],
    [302, 'PROVIDER_UNAVAILABLE'],
  ];
  for (const [status, code] of refusals)
    test(`${status} is ${code}, said once and never echoed`, async () => {
      // Nobody chose the host that a redirect names.
      const headers = { location: 'http://127.0.0.1:9/' };
      const { work, requests } = await embed([
        { status, headers, body: { error: { message: 'SECRET text' } } },
      ]);
      const error = await failure(work);
      assert.equal(error.code, code);
      assert.ok(error.hint);
      assert.equal(requests.length, 1);
    });

  test('vectors of another length are refused, with the length', async () => {
    const { work } = await embed([{ body: under.wrongLength }]);
    const error = await failure(work);
    assert.equal(error.code, 'MODEL_UNSUPPORTED');
    assert.match(error.hint!, /Nothing was written.*as 3\b/);
  });

  test('a batch that is too large is halved', async () => {
    const { requests } = under.fake();
    requests.length = 0;
    under.fake().play({ status: 413, body: { error: 'SECRET batch size 4 > maximum allowed batch size 2' } });
    const embedder = await under.provider({}).embedder!(under.request);
    const { vectors } = await embedder.embed(['a', 'b', '', 'c', 'd'], { role: 'document' });
    assert.equal(vectors.length, 5);
    assert.ok(vectors[2]!.every((value) => value === 0));
    assert.equal(requests.length, 3);
  });

  test('cancelling ends a call that waits for an answer', async () => {
    const stop = new AbortController();
    under.fake().play('hang');
    const embedder = await under.provider({}).embedder!(under.request);
    const work = failure(embedder.embed(['a'], { role: 'query', signal: stop.signal }));
    setImmediate(() => stop.abort());
    assert.equal((await work).code, 'CANCELLED');
    under.fake().clear();
  });
}
