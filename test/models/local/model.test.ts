// The local provider over the real package and a tiny ONNX model that the test writes: what the vectors are made of is
// computed by hand from the model's table.

import assert from 'node:assert/strict';
import { existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, test } from 'node:test';
import { VaiError } from '../../../src/domain/errors.ts';
import { createProvider } from '../../../src/models/local/provider.ts';
import type { Embedder } from '../../../src/ports/embedder.ts';
import { tinyModelFiles, tokenId, tokenRow, writeTinyModel, type TinyModel } from '../../support/onnx.ts';
import { loadTransformers, WITHOUT_TRANSFORMERS } from '../../support/transformers.ts';

const MODEL: TinyModel = {
  words: ['query', 'passage', ':', 'red', 'green', 'blue'],
  dimensions: 8,
  maxTokens: 512,
};
const E5 = 'Xenova/e5-small-v2';
const WEIGHTS = 'onnx/model_quantized.onnx';

interface EmbedderOptions {
  env?: Record<string, string>;
  model?: string;
  dimensions?: number;
}

interface Place {
  folder: string;
  told: string[];
  embedder: (options?: EmbedderOptions) => Promise<Embedder>;
}

async function using(work: (place: Place) => Promise<void>): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), 'vai-onnx-'));
  const module = await loadTransformers();
  const before = { ...module.env };
  const told: string[] = [];
  try {
    await work({
      folder,
      told,
      async embedder({ env = { HF_HUB_OFFLINE: '1' }, model = E5, dimensions = MODEL.dimensions } = {}) {
        const given = { settings: {}, env: { HF_HOME: folder, ...env }, fetch, now: () => new Date() };
        const hooks = { load: loadTransformers, notify: (message: string) => void told.push(message) };
        const request = {
          ...{ model, modelId: model, space: model, dimensions },
          ...{ sendDimensions: false, hosted: false, trust: 0.6 },
        };
        return createProvider(given, hooks).embedder!(request);
      },
    });
  } finally {
    Object.assign(module.env, before);
    rmSync(folder, { recursive: true });
  }
}

/** The mean of the tokens' rows, at length one. */
function expected(tokens: readonly string[]): number[] {
  const sum = new Array<number>(MODEL.dimensions).fill(0);
  for (const token of tokens)
    tokenRow(tokenId(token, MODEL.words), MODEL.dimensions).forEach((value, at) => (sum[at]! += value));
  const length = Math.hypot(...sum);
  return sum.map((value) => value / length);
}

function assertNear(actual: Float32Array | undefined, wanted: readonly number[]): void {
  assert.equal(actual?.length, wanted.length);
  wanted.forEach((value, at) =>
    assert.ok(Math.abs(actual[at]! - value) < 1e-5, `${at}: ${actual[at]} ${value}`),
  );
}

async function failure(work: Promise<unknown>): Promise<VaiError> {
  const thrown = await work.then(
    () => assert.fail('it should have failed'),
    (error: unknown) => error,
  );
  assert.ok(thrown instanceof VaiError);
  return thrown;
}

describe('a real model through the real package', { skip: WITHOUT_TRANSFORMERS }, () => {
  test('a text is the mean of its tokens, prefix and markers included, at length one', () =>
    using(async ({ folder, embedder, told }) => {
      writeTinyModel(join(folder, E5), MODEL);
      const e5 = await embedder();
      const [asked] = (await e5.embed(['red green'], { role: 'query' })).vectors;
      assertNear(asked, expected(['[CLS]', 'query', ':', 'red', 'green', '[SEP]']));
      const [stored] = (await e5.embed(['red green'], { role: 'document' })).vectors;
      assertNear(stored, expected(['[CLS]', 'passage', ':', 'red', 'green', '[SEP]']));
      assert.deepEqual(told, [], 'nothing was downloaded');
    }));

  test('in a batch of many lengths the padding weighs nothing', () =>
    using(async ({ folder, embedder }) => {
      writeTinyModel(join(folder, E5), MODEL);
      const texts = Array.from({ length: 40 }, (_, at) => 'blue '.repeat(1 + (at % 7)).trim());
      const { vectors } = await (await embedder()).embed(texts, { role: 'document' });
      assert.equal(vectors.length, 40);
      texts.forEach((text, at) =>
        assertNear(vectors[at], expected(['[CLS]', 'passage', ':', ...text.split(' '), '[SEP]'])),
      );
    }));

  test('512 tokens are read, the rest is not', () =>
    using(async ({ folder, embedder }) => {
      writeTinyModel(join(folder, E5), MODEL);
      // Two markers and two tokens of prefix leave room for 508; the package cuts the end marker like any token.
      const full = 'red '.repeat(508);
      const texts = [full, `${full} green`, `${full} green ${'blue '.repeat(300)}`];
      const { vectors } = await (await embedder()).embed(texts, { role: 'query' });
      const tokens = ['[CLS]', 'query', ':', ...new Array<string>(508).fill('red')];
      assertNear(vectors[0], expected([...tokens, '[SEP]']));
      assertNear(vectors[1], expected([...tokens, 'green']));
      assertNear(vectors[2], expected([...tokens, 'green']));
    }));

  test('a model that is no E5 gets no prefix', () =>
    using(async ({ folder, embedder }) => {
      writeTinyModel(join(folder, 'Xenova/all-MiniLM-L6-v2'), MODEL);
      const plain = await embedder({ model: 'Xenova/all-MiniLM-L6-v2' });
      const { vectors } = await plain.embed(['red'], { role: 'query' });
      assertNear(vectors[0], expected(['[CLS]', 'red', '[SEP]']));
    }));

  test('another number of dimensions than the catalogue says is refused', () =>
    using(async ({ folder, embedder }) => {
      writeTinyModel(join(folder, E5), MODEL);
      const error = await failure((await embedder({ dimensions: 384 })).embed(['red'], { role: 'query' }));
      assert.match(error.message, /8.*384|384.*8/);
    }));

  test('the first use downloads with a bar, the second needs no network', () =>
    using(async ({ folder, embedder, told }) => {
      const files = tinyModelFiles(MODEL);
      const asked: string[] = [];
      const server = createServer((request, response) => {
        const path = request.url!.split(`/${E5}/resolve/main/`)[1] ?? '';
        const bytes = files.get(path);
        asked.push(path);
        response.writeHead(bytes ? 200 : 404, { 'content-length': bytes?.length ?? 0 });
        response.end(bytes);
      });
      await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
      try {
        const { port } = server.address() as AddressInfo;
        const online = await embedder({ env: { HF_ENDPOINT: `http://127.0.0.1:${port}` } });
        await online.embed(['red'], { role: 'query' });
      } finally {
        server.closeAllConnections();
        server.close();
      }
      assert.ok(asked.includes(WEIGHTS));
      assert.ok(existsSync(join(folder, E5, WEIGHTS)));
      assert.ok(told.includes(`${E5}: ${WEIGHTS} [##########] 100 %`), told.join('\n'));
      told.length = 0;
      const module = await loadTransformers();
      module.env.allowRemoteModels = false;
      await (await embedder()).embed(['red'], { role: 'query' });
      assert.deepEqual(told, []);
    }));

  test('offline, with nothing or with half a model, the missing file is named and no path of this machine', () =>
    using(async ({ folder, embedder }) => {
      const nothing = await failure((await embedder()).embed(['red'], { role: 'query' }));
      assert.equal(nothing.code, 'PROVIDER_UNAVAILABLE');
      assert.match(nothing.message, /could not be downloaded \([a-z_]+\.json\)/);
      assert.match(nothing.hint ?? '', /HF_HOME/);
      writeTinyModel(join(folder, E5), MODEL);
      rmSync(join(folder, E5, WEIGHTS));
      const half = await failure((await embedder()).embed(['red'], { role: 'query' }));
      assert.match(half.message, /could not be downloaded \(onnx\/model_quantized\.onnx\)/);
      for (const { message, hint } of [nothing, half]) assert.ok(!`${message}${hint}`.includes(folder));
    }));

  test('a host that does not answer is the same error, and the next call tries again', () =>
    using(async ({ folder, embedder }) => {
      const away = await embedder({ env: { HF_ENDPOINT: 'http://127.0.0.1:1' } });
      const error = await failure(away.embed(['red'], { role: 'query' }));
      assert.equal(error.code, 'PROVIDER_UNAVAILABLE');
      assert.match(error.message, /not on this machine/);
      writeTinyModel(join(folder, E5), MODEL);
      assert.equal((await away.embed(['red'], { role: 'query' })).vectors.length, 1);
    }));

  test('damaged weights are called damaged, not missing', () =>
    using(async ({ folder, embedder }) => {
      writeTinyModel(join(folder, E5), MODEL);
      writeFileSync(join(folder, E5, WEIGHTS), 'not a model');
      const error = await failure((await embedder()).embed(['red'], { role: 'query' }));
      assert.match(error.message, /is here but cannot be loaded/);
      assert.match(error.hint ?? '', /downloaded again/);
    }));
});
