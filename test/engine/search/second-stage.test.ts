// Providers that are slow, silent or wrong: the first-stage order is returned with a warning, never an error or a wait.

import assert from 'node:assert/strict';
import { after, before, beforeEach, it } from 'node:test';
import { composeParts } from '../../../src/compose.ts';
import { resolveSettings } from '../../../src/config/index.ts';
import { VaiError } from '../../../src/domain/errors.ts';
import { localCall } from '../../../src/engine/call.ts';
import { createEngine, type Engine } from '../../../src/engine/engine.ts';
import type { SearchRequest } from '../../../src/engine/search/types.ts';
import type { Embedder } from '../../../src/ports/embedder.ts';
import type { Reranker } from '../../../src/ports/reranker.ts';
import { tempFolder } from '../../support/temp-folder.ts';

const home = tempFolder('second');
let engine: Engine;
let rerank: Reranker['rerank'];
let share: number | undefined;
let embedQuery: Embedder['embed'] | undefined;

const never = (): Promise<never> => new Promise(() => undefined);

before(async () => {
  const env = { VAI_HOME: home };
  const parts = await composeParts({ settings: resolveSettings({ env, cwd: home, home }), env, cwd: home });
  const embedder: typeof parts.models.embedder = async (...asked) => {
    const real = await parts.models.embedder(...asked);
    const { model, dimensions, hosted, trust } = real;
    const embed: Embedder['embed'] = (texts, options) =>
      options.role === 'query' && embedQuery ? embedQuery(texts, options) : real.embed(texts, options);
    return { model, dimensions, hosted, trust, embed };
  };
  const reranker: typeof parts.models.reranker = (name) =>
    name === 'no-such-model'
      ? Promise.reject(new VaiError('MODEL_UNSUPPORTED', 'There is no such model.'))
      : Promise.resolve({
          ...{ model: 'slow-rerank', hosted: true, rerank: (...asked) => rerank(...asked) },
          ...(share === undefined ? {} : { share }),
        });
  engine = createEngine({ ...parts, models: { ...parts.models, embedder, reranker } });
  for (const name of ['red', 'green', 'blue'])
    await engine.ingest.text(localCall(), {
      source: name,
      text: `A ${name} buoy marks the ${name} channel.`,
    });
});
after(() => engine.close());
beforeEach(() => {
  embedQuery = undefined;
  share = undefined;
  rerank = () => Promise.reject(new Error('not set'));
});

const search = (request: Partial<SearchRequest> = {}) =>
  engine.search.run(localCall(), { query: 'buoy channel', limit: 5, ...request });

const order = (hits: { path: string }[]): string[] => hits.map(({ path }) => path);

it('a reranker decides the order, and says its name', async () => {
  const first = await search();
  rerank = (_query, candidates) =>
    Promise.resolve({
      order: candidates.map((_, index) => ({ index, score: index / 10 })).reverse(),
      tokens: 7,
    });
  const second = await search({ rerank: true });
  assert.deepEqual(order(second.hits), order(first.hits).reverse());
  assert.deepEqual([second.reranked, second.rerankModel, second.tokens.rerank], [true, 'slow-rerank', 7]);
});

it('one that asks for a share of the say is tempered by the first stage', async () => {
  const asked = { query: 'the green buoy', mode: 'words' } as const;
  const first = order((await search(asked)).hits);
  // The last one best, the first one worst.
  rerank = (_query, candidates) =>
    Promise.resolve({
      order: candidates.map((_, index) => ({ index, score: 10 + index })).reverse(),
      tokens: 0,
    });
  for (const [given, expected] of [
    [0.2, first],
    [0.9, first.toReversed()],
  ] as const) {
    share = given;
    const { hits } = await search({ ...asked, rerank: true });
    assert.equal(order(hits)[0], expected[0], `share ${given}`);
    assert.ok(Math.abs(hits[0]!.score - Math.max(given, 1 - given)) < 0.01, `${hits[0]!.score}`);
  }
});

it('one that fails or passes its deadline leaves the first order, with a warning', async () => {
  const first = order((await search()).hits);
  rerank = () => Promise.reject(new VaiError('PROVIDER_UNAVAILABLE', 'The provider is away.'));
  const failed = await search({ rerank: true });
  assert.deepEqual([order(failed.hits), failed.reranked], [first, false]);
  assert.match(failed.warnings.join(' '), /The provider is away/);
  rerank = never;
  const late = await search({ rerank: true, deadlineMs: 20 });
  assert.deepEqual([order(late.hits), late.reranked], [first, false]);
  assert.match(late.warnings.join(' '), /the deadline passed/);
});

it('one that names only some candidates loses none', async () => {
  rerank = () => Promise.resolve({ order: [{ index: 2, score: 0.01 }], tokens: 0 });
  const { hits } = await search({ rerank: true });
  assert.equal(new Set(order(hits)).size, 3);
  assert.ok(hits.every((hit, at) => hit.score <= (hits[at - 1]?.score ?? 1)));
});

it('one that somebody named must exist', async () => {
  await assert.rejects(search({ rerank: 'no-such-model' }), { code: 'MODEL_UNSUPPORTED' });
});

it('an embedder that does not answer in time leaves the words', async () => {
  embedQuery = (_texts, { signal }) =>
    new Promise((_, reject) => signal!.addEventListener('abort', () => reject(signal!.reason as Error)));
  for (const mode of ['hybrid', 'meaning'] as const) {
    const result = await search({ mode, deadlineMs: 20 });
    assert.equal(result.hits.length, 3);
    assert.match(result.warnings.join(' '), /by words only .* did not answer within 20 ms/);
  }
});

it('a caller that went away is not served', async () => {
  rerank = never;
  const call = localCall({ signal: AbortSignal.timeout(20) });
  await assert.rejects(engine.search.run(call, { query: 'buoy', limit: 3, rerank: true }), {
    name: 'VaiError',
  });
});
