// Models on this machine, over the real runtime and tiny models that the test writes: what vectors and scores are made
// of is computed by hand from the model's table.

import assert from 'node:assert/strict';
import { existsSync, mkdirSync, readdirSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, test } from 'node:test';
import { createModels } from '../../../src/models/index.ts';
import { openModel } from '../../../src/models/local/model.ts';
import { createProvider } from '../../../src/models/local/provider.ts';
import { failure } from '../../support/failure.ts';
import { asking, E5, MODEL, using } from '../../support/local-models.ts';
import { tokenId, tokenRow, writeTinyModel } from '../../support/onnx.ts';
import { WITHOUT_RUNTIME } from '../../support/onnxruntime.ts';

const rowOf = (token: string, width: number) => tokenRow(tokenId(token, MODEL.words), width);

/** The mean of the tokens' rows, at length one. */
function mean(...tokens: string[]): number[] {
  const sum = new Array<number>(MODEL.dimensions).fill(0);
  for (const token of tokens) rowOf(token, MODEL.dimensions).forEach((value, at) => (sum[at]! += value));
  return atLengthOne(sum);
}

function atLengthOne(values: readonly number[]): number[] {
  const length = Math.hypot(...values);
  return values.map((value) => value / length);
}

function assertNear(actual: ArrayLike<number> | undefined, wanted: readonly number[]): void {
  assert.equal(actual?.length, wanted.length);
  wanted.forEach((value, at) =>
    assert.ok(Math.abs(actual[at]! - value) < 1e-5, `${at}: ${actual[at]} ${value}`),
  );
}

test('without the package the error says what to install, and nothing is copied', () =>
  using(async ({ kept, own }) => {
    const provider = createProvider(
      { settings: {}, env: {}, home: join(kept, '..'), fetch, now: () => new Date() },
      { load: () => Promise.reject(new Error('Cannot find package')) },
    );
    for (const work of [
      provider.added!.add({ name: 'mine', from: own }),
      Promise.resolve(provider.embedder!(asking(E5, 384))),
    ]) {
      const error = await failure(work);
      assert.equal(error.code, 'CONFIG_MISSING');
      assert.match(error.message, /onnxruntime-node, which is not installed/);
      assert.match(error.hint ?? '', /npm install onnxruntime-node/);
    }
    assert.ok(!existsSync(kept));
  }));

test('`logits` of other networks are no scores of a passage', async () => {
  const score = (...dims: number[]) => {
    const data = new Float32Array(dims.reduce((product, size) => product * size, 1));
    const tokens = { padId: 0, encode: () => ({ ids: [1, 2], types: [0, 0] }) };
    const run = async () => ({ logits: { dims, type: 'float32', data } });
    const model = openModel({ outputs: ['logits'], run, close: async () => {} }, tokens, 'mean');
    return model.score('red', ['blue'], {});
  };
  for (const width of [1, 2]) assert.deepEqual((await score(1, width)).scores, [0.5]);
  for (const dims of [
    [1, 3],
    [1, 2, 30],
  ])
    // prettier-ignore
    assert.equal((await failure(score(...dims))).code, 'MODEL_UNSUPPORTED');
});

test('an open model is closed once what it is doing has ended', async () => {
  const steps: string[] = [];
  const answer = Promise.withResolvers<void>();
  const model = openModel(
    {
      outputs: ['sentence_embedding'],
      async run() {
        await answer.promise;
        steps.push('ran');
        return { sentence_embedding: { dims: [1, 2], type: 'float32', data: [1, 0] } };
      },
      close: async () => void steps.push('closed'),
    },
    { padId: 0, encode: () => ({ ids: [1], types: [0] }) },
    'mean',
  );
  const work = model.embed(['red'], {});
  const closed = model.close();
  answer.resolve();
  await Promise.all([work, closed]);
  assert.deepEqual(steps, ['ran', 'closed']);
});

test('names that are no names, and models that are not there, have no revision', () =>
  using(async ({ kept }) => {
    const models = createModels({
      settings: { home: join(kept, '..') },
      env: {},
      fetch,
      now: () => new Date(),
    });
    for (const name of ['local/../../etc', 'local/tiny', E5])
      assert.equal(models.traits(name).revision, undefined);
    mkdirSync(join(kept, 'tiny'), { recursive: true });
    writeFileSync(join(kept, 'tiny/vai-model.json'), '{');
    assert.equal(models.traits('local/tiny').revision, undefined);
  }));

describe('a real model through the real runtime', { skip: WITHOUT_RUNTIME }, () => {
  test('a folder is copied, tried, listed and removed', () =>
    using(async ({ kept, own, provider }) => {
      writeFileSync(join(own, 'README.md'), '---\ntags: [a]\nlicense: apache-2.0\n---\n# Tiny\n');
      // The home is the settings' business, and an empty variable no folder.
      const local = provider({ VAI_HOME: '' });
      const model = await local.added!.add({ name: 'tiny', from: own });
      assert.deepEqual(readdirSync(kept), ['tiny']);
      const { bytes, ...facts } = model;
      assert.ok(bytes > 1_000);
      assert.deepEqual(facts, {
        name: 'tiny',
        model: 'local/tiny',
        type: 'embedding',
        dimensions: 8,
        contextTokens: 16,
        licence: 'apache-2.0',
        source: 'folder own',
        addedAt: '2026-11-16T12:00:00.000Z',
      });
      assert.deepEqual(await local.added!.list(), [model]);
      assert.deepEqual(
        (await local.served!()).map(({ name, type, dimensions }) => ({ name, type, dimensions })),
        [{ name: 'local/tiny', type: 'embedding', dimensions: [8] }],
      );
      rmSync(own, { recursive: true });
      const tiny = await provider().embedder!(asking('tiny'));
      assert.equal((await tiny.embed(['red'], { role: 'query' })).vectors.length, 1);
      assert.match((await failure(local.added!.add({ name: 'tiny', from: kept }))).message, /already/);
      assert.equal(await local.added!.remove('tiny'), true);
      assert.equal(await local.added!.remove('tiny'), false);
      assert.deepEqual(readdirSync(kept), []);
      assert.match(
        (await failure(Promise.resolve(provider().embedder!(asking('tiny'))))).hint ?? '',
        /vai models add/,
      );
    }));

  test('a text is the mean of its tokens or its first one, prefix and markers included, at length one', () =>
    using(async ({ kept, own, provider }) => {
      const local = provider();
      await local.added!.add({ name: E5, from: own });
      const e5 = await local.embedder!(asking(E5, 8));
      const [asked] = (await e5.embed(['red green'], { role: 'query' })).vectors;
      assertNear(asked, mean('[CLS]', 'query', ':', 'red', 'green', '[SEP]'));
      const [stored] = (await e5.embed(['red green'], { role: 'document' })).vectors;
      assertNear(stored, mean('[CLS]', 'passage', ':', 'red', 'green', '[SEP]'));
      mkdirSync(join(own, '1_Pooling'));
      writeFileSync(
        join(own, '1_Pooling/config.json'),
        '{"pooling_mode_cls_token": true, "pooling_mode_mean_tokens": false}',
      );
      writeFileSync(
        join(own, 'config_sentence_transformers.json'),
        '{"prompts": {"query": "blue ", "document": ""}}',
      );
      await local.added!.add({ name: 'first', from: own });
      const first = await local.embedder!(asking('first'));
      assertNear(
        (await first.embed(['red'], { role: 'query' })).vectors[0],
        atLengthOne(rowOf('[CLS]', MODEL.dimensions)),
      );
      await local.added!.add({ name: 'averaged', from: own, pooling: 'mean' });
      const averaged = await local.embedder!(asking('averaged'));
      assertNear(
        (await averaged.embed(['red'], { role: 'query' })).vectors[0],
        mean('[CLS]', 'blue', 'red', '[SEP]'),
      );
      const models = createModels({
        settings: { home: join(kept, '..') },
        env: {},
        fetch,
        now: () => new Date(),
      });
      const revisions = [E5, 'local/first', 'local/averaged'].map((name) => models.traits(name).revision);
      assert.ok(revisions.every(Number.isSafeInteger), revisions.join());
      assert.equal(new Set(revisions).size, 3, 'prefixes and pooling count');
    }));

  test('one that was added anew under its name is opened anew', () =>
    using(async ({ own, provider }) => {
      const [here, elsewhere] = [provider(), provider()];
      const vectorOf = async () => {
        const tiny = await here.embedder!(asking('tiny'));
        return (await tiny.embed(['red'], { role: 'query' })).vectors[0];
      };
      await here.added!.add({ name: 'tiny', from: own });
      assertNear(await vectorOf(), mean('[CLS]', 'red', '[SEP]'));
      const before = await here.embedder!(asking('tiny'));
      await elsewhere.added!.remove('tiny');
      // What was the id of another word is now that of `red`.
      const words = MODEL.words.map((word) => ({ red: 'blue', blue: 'red' })[word] ?? word);
      writeTinyModel(own, { ...MODEL, words });
      await elsewhere.added!.add({ name: 'tiny', from: own });
      assertNear(await vectorOf(), mean('[CLS]', 'blue', '[SEP]'));
      const error = await failure(before.embed(['red'], { role: 'query' }));
      assert.match(error.message, /removed or replaced while it was in use/);
    }));

  test('in a run of many lengths the padding weighs nothing; what is too long loses its end, not its marker', () =>
    using(async ({ own, provider }) => {
      const local = provider();
      await local.added!.add({ name: 'tiny', from: own });
      const tiny = await local.embedder!(asking('tiny'));
      const texts = Array.from({ length: 90 }, (_, at) => 'blue '.repeat(1 + (at % 20)).trim());
      const done: number[] = [];
      const { vectors } = await tiny.embed(texts, { role: 'document', onProgress: (n) => done.push(n) });
      texts.forEach((text, at) =>
        assertNear(vectors[at], mean('[CLS]', ...text.split(' ').slice(0, 14), '[SEP]')),
      );
      assert.equal(done.at(-1), 90);
      assert.ok(done.length > 1, 'many texts are several runs');
      const stopped = new AbortController();
      const work = tiny.embed(texts, {
        role: 'document',
        signal: stopped.signal,
        onProgress: () => stopped.abort(),
      });
      await assert.rejects(work, { name: 'AbortError' });
    }));

  test('a cross-encoder reranks, and is no embedder', () =>
    using(async ({ own, provider }) => {
      writeTinyModel(own, { ...MODEL, reranks: true });
      const local = provider();
      const model = await local.added!.add({ name: 'judge', from: own });
      assert.equal(model.type, 'rerank');
      assert.equal(model.dimensions, undefined);
      const judge = await local.reranker!({ ...asking('judge') });
      const passages = ['red', 'green', 'blue', 'red red'];
      const { order } = await judge.rerank('red', passages.map((text) => ({ text })), {}); // prettier-ignore
      const weight = (token: string) => rowOf(token, 1)[0]!;
      const expected = passages.map((text) => {
        const tokens = ['[CLS]', 'red', '[SEP]', ...text.split(' '), '[SEP]'];
        return 1 / (1 + Math.exp(-tokens.reduce((sum, token) => sum + weight(token), 0)));
      });
      for (const { index, score } of order) assert.ok(Math.abs(score - expected[index]!) < 1e-5);
      assert.deepEqual(order.map(({ score }) => score), order.map(({ score }) => score).sort((a, b) => b - a)); // prettier-ignore
      assert.match(
        (await failure(Promise.resolve(local.embedder!(asking('judge'))))).message,
        /makes no vectors/,
      );
    }));

  test('files with names of their own and nothing beside them', () =>
    using(async ({ own, provider }) => {
      renameSync(join(own, 'onnx/model_quantized.onnx'), join(own, 'bge-small-en-v1.5-q.onnx'));
      renameSync(join(own, 'tokenizer.json'), join(own, 'bge-small-en-v1.5-q-tokenizer.json'));
      for (const file of ['config.json', 'tokenizer_config.json']) rmSync(join(own, file));
      const local = provider();
      const model = await local.added!.add({ name: 'bge-small-en-v1.5-q', from: own });
      assert.equal(model.contextTokens, 512);
      const bge = await local.embedder!(asking('bge-small-en-v1.5-q'));
      const [vector] = (await bge.embed(['red'], { role: 'document' })).vectors;
      assertNear(vector, atLengthOne(rowOf('[CLS]', MODEL.dimensions)));
    }));

  test('files that changed since they were added are called damaged', () =>
    using(async ({ kept, own, provider }) => {
      await provider().added!.add({ name: 'tiny', from: own });
      writeFileSync(join(kept, 'tiny/model.onnx'), 'something else');
      const tiny = await provider().embedder!(asking('tiny'));
      const error = await failure(tiny.embed(['red'], { role: 'query' }));
      assert.match(error.message, /damaged on this machine \(model\.onnx\)/);
      assert.match(error.hint ?? '', /vai models remove tiny/);
    }));

  test('another number of dimensions than the catalogue says is refused', () =>
    using(async ({ own, provider }) => {
      const local = provider();
      await local.added!.add({ name: E5, from: own });
      const error = await failure((await local.embedder!(asking(E5, 384))).embed(['red'], { role: 'query' }));
      assert.match(error.message, /8.*384|384.*8/);
    }));
});
