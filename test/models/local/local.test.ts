// The local provider over a stand-in package that the test writes, which shows what is asked of the package. The package
// itself is in `model.test.ts`, where it is installed.

import assert from 'node:assert/strict';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { pathToFileURL } from 'node:url';
import { VaiError } from '../../../src/domain/errors.ts';
import { createProvider, type TransformersModule } from '../../../src/models/local/provider.ts';

const STAND_IN = `
export const env = { cacheDir: undefined, allowRemoteModels: true };
export const seen = [];
export async function pipeline(task, model, options) {
  if (!env.allowRemoteModels) throw new Error(\`Could not locate file: "models/\${model}/onnx/model_quantized.onnx"\`);
  for (const status of ['initiate', 'progress'])
    options.progress_callback({ status, file: 'onnx/model_quantized.onnx', progress: 50 });
  return async (texts, call) => {
    seen.push({ task, model, dtype: options.dtype, texts, call });
    const data = new Float32Array(texts.length * 4);
    texts.forEach((text, at) => { data[at * 4] = text.length; data[at * 4 + 1] = 1; });
    return { dims: [texts.length, 4], data };
  };
}
`;

interface StandIn extends TransformersModule {
  seen: { task: string; model: string; dtype: string; texts: string[]; call: Record<string, unknown> }[];
}

async function using(work: (load: () => Promise<StandIn>, folder: string) => Promise<void>): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), 'vai-local-'));
  try {
    const place = join(folder, 'node_modules/@huggingface/transformers');
    mkdirSync(place, { recursive: true });
    writeFileSync(
      join(place, 'package.json'),
      '{"name":"@huggingface/transformers","type":"module","exports":"./index.js"}',
    );
    writeFileSync(join(place, 'index.js'), STAND_IN);
    await work(async () => (await import(pathToFileURL(join(place, 'index.js')).href)) as StandIn, folder);
  } finally {
    rmSync(folder, { recursive: true });
  }
}

const deps = (env: Record<string, string>) => ({ settings: {}, env, fetch, now: () => new Date() });
const request = {
  model: 'Xenova/e5-small-v2',
  modelId: 'Xenova/e5-small-v2',
  hosted: false,
  trust: 0.6,
  dimensions: 4,
  sendDimensions: false,
  space: 'Xenova/e5-small-v2',
};

test('prefixes, pooling, real batches, unit length, precision in the space', () =>
  using(async (load, folder) => {
    const told: string[] = [];
    const provider = createProvider(deps({ HF_HOME: folder }), {
      load,
      notify: (message) => void told.push(message),
    });
    const embedder = await provider.embedder!(request);
    assert.match(embedder.space, /@q8$/);
    const { vectors } = await embedder.embed(
      Array.from({ length: 70 }, (_, i) => `text ${i}`),
      { role: 'document' },
    );
    const module = await load();
    assert.equal(vectors.length, 70);
    assert.ok(Math.abs(Math.hypot(...vectors[5]!) - 1) < 1e-6);
    assert.deepEqual(
      module.seen.map((one) => one.texts.length),
      [32, 32, 6],
    );
    assert.equal(module.seen[0]!.texts[0], 'passage: text 0');
    assert.deepEqual(module.seen[0]!.call, { pooling: 'mean', normalize: true });
    assert.equal(module.env.cacheDir, folder);
    await embedder.embed(['who'], { role: 'query' });
    assert.equal(module.seen.at(-1)!.texts[0], 'query: who');
    assert.match(told[0]!, /50 %/);
  }));

test('offline without the model names the file and what to do', () =>
  using(async (load) => {
    const provider = createProvider(deps({ HF_HUB_OFFLINE: '1' }), { load });
    const embedder = await provider.embedder!(request);
    await assert.rejects(embedder.embed(['a'], { role: 'query' }), (error) => {
      assert.ok(error instanceof VaiError);
      assert.equal(error.code, 'PROVIDER_UNAVAILABLE');
      assert.match(error.message, /model_quantized\.onnx/);
      assert.match(error.hint ?? '', /HF_HOME/);
      return true;
    });
  }));

test('without the package the error says what to install', async () => {
  const provider = createProvider(deps({}), { load: () => Promise.reject(new Error('Cannot find package')) });
  await assert.rejects(
    async () => provider.embedder!(request),
    (error) => error instanceof VaiError && /npm install @huggingface\/transformers/.test(error.hint ?? ''),
  );
});
