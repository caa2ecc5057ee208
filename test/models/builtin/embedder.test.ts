import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import fc from 'fast-check';
import { VaiError } from '../../../src/domain/errors.ts';
import { embedIds } from '../../../src/models/builtin/embed.ts';
import { createBuiltinEmbedder } from '../../../src/models/builtin/embedder.ts';
import { builtinWeights, parseWeights, readWeights } from '../../../src/models/builtin/weights.ts';

interface Golden {
  text: string;
  ids: number[];
  '256': number[];
  '64': number[];
}

const golden = JSON.parse(readFileSync(new URL('./golden.json', import.meta.url), 'utf8')) as Golden[];
const length = (vector: Float32Array): number => Math.hypot(...vector);
const embed = async (text: string, dimensions = 256): Promise<Float32Array> =>
  (await createBuiltinEmbedder(dimensions).embed([text], { role: 'document' })).vectors[0]!;
const cosine = (a: Float32Array, b: Float32Array): number => a.reduce((sum, x, d) => sum + x * b[d]!, 0);

test('token ids and vectors are those of training', async () => {
  assert.ok(golden.length > 15);
  const { tokenizer } = builtinWeights();
  for (const example of golden) {
    assert.deepEqual(tokenizer.encode(example.text), example.ids, example.text);
    for (const dimensions of [256, 64] as const) {
      const vector = await embed(example.text, dimensions);
      vector.forEach((value, d) => assert.ok(Math.abs(value - example[`${dimensions}`][d]!) < 1e-5));
    }
  }
});

test('any text embeds to a finite vector of length one, or to zero when it has no token', () => {
  const weights = builtinWeights();
  const strings = fc.oneof(fc.string(), fc.string({ unit: 'binary' }), fc.string({ unit: 'grapheme' }));
  fc.assert(
    fc.property(strings, fc.constantFrom(64, 128, 256), (text, dimensions) => {
      const ids = weights.tokenizer.encode(text);
      const rows = weights.scales.length;
      assert.ok(ids.every((id) => Number.isInteger(id) && id >= 0 && id < rows));
      const vector = new Float32Array(dimensions);
      embedIds(weights, ids, vector);
      assert.ok(Math.abs(length(vector) - (ids.length ? 1 : 0)) < 1e-5);
    }),
    { numRuns: 500 },
  );
});

test('the SIMD sum and the one without it agree, whatever the ids and their number', () => {
  const { fast, ...plain } = builtinWeights();
  assert.ok(fast, 'this platform has SIMD');
  const rows = plain.scales.length;
  const sizes = fc.oneof(fc.integer({ min: 0, max: 9 }), fc.constantFrom(700, 2_048, 40_000));
  fc.assert(
    fc.property(fc.nat(rows - 1), fc.nat(rows - 1), sizes, (first, step, count) => {
      const ids = Array.from({ length: count }, (_, at) => (first + at * step) % rows);
      for (const dimensions of [64, 128, 256]) {
        const [quick, slow] = [new Float32Array(dimensions).fill(7), new Float32Array(dimensions)];
        embedIds({ ...plain, fast }, ids.slice(0, count), quick);
        embedIds(plain, ids.slice(0, count), slow);
        quick.forEach((value, d) => assert.ok(Math.abs(value - slow[d]!) < 1e-5));
      }
    }),
    { numRuns: 60, examples: [[rows - 1, 0, 1]] },
  );
});

test('without WebAssembly the weights still load and embed', () => {
  const platform = Object.getOwnPropertyDescriptor(globalThis, 'WebAssembly')!;
  Reflect.deleteProperty(globalThis, 'WebAssembly');
  try {
    const weights = readWeights(new URL('../../../src/models/builtin/weights.bin', import.meta.url));
    assert.ok(weights.fast === undefined);
    const example = golden.at(-1)!;
    const vector = new Float32Array(256);
    embedIds(weights, weights.tokenizer.encode(example.text), vector);
    vector.forEach((value, d) => assert.ok(Math.abs(value - example['256'][d]!) < 1e-5));
  } finally {
    Object.defineProperty(globalThis, 'WebAssembly', platform);
  }
});

test('every ASCII word has tokens; case and camelCase do not hide a known word', () => {
  const { tokenizer } = builtinWeights();
  fc.assert(fc.property(fc.stringMatching(/^[a-z0-9]{1,40}$/), (word) => tokenizer.encode(word).length > 0));
  assert.deepEqual(tokenizer.encode('JavaScript'), tokenizer.encode('javascript'));
  const parts = tokenizer.encode('get element by id');
  assert.deepEqual(tokenizer.encode('getElementById').slice(0, parts.length), parts);
  assert.deepEqual(tokenizer.encode('naïve café'), tokenizer.encode('NAIVE cafe'));
});

test('a word that is no piece of its own is told from others by two rows of its own', () => {
  const { tokenizer } = builtinWeights();
  const tail = (word: string): number[] => tokenizer.encode(word).slice(-2);
  assert.deepEqual(tail('getElementById'), tail('getelementbyid'));
  const words = Array.from({ length: 2_000 }, (_, at) => `qz${at.toString(36)}xv`);
  assert.equal(new Set(words.map((word) => tail(word).join())).size, words.length);
});

test('rare words of a query count more, common ones less', async () => {
  const embedder = createBuiltinEmbedder(256);
  const of = async (text: string, rarity?: Map<string, number>) =>
    (await embedder.embed([text], { role: 'query', ...(rarity ? { rarity } : {}) })).vectors[0]!;
  const [plain, heron] = [await of('install heron'), await of('heron')];
  const weighed = await of('install heron', new Map([['install', 0.2], ['heron', 6]])); // prettier-ignore
  const near = (a: Float32Array): number => a.reduce((sum, value, d) => sum + value * heron[d]!, 0);
  assert.ok(near(weighed) > near(plain) + 0.05);
  const alike = await of('install heron', new Map([['install', 3], ['heron', 3]])); // prettier-ignore
  alike.forEach((value, d) => assert.ok(Math.abs(value - plain[d]!) < 1e-5));
});

test('texts of one meaning are nearer than others', async () => {
  const question = await embed('how do I sign in without a password');
  const near = await embed('Authentication: log in with a passkey instead of typing a password');
  const far = await embed('The heap is collected in two generations, the young one by copying');
  assert.ok(cosine(question, near) > cosine(question, far) + 0.2);
});

test('scripts outside the vocabulary still match themselves', async () => {
  const query = await embed('полнотекстовый поиск');
  assert.ok(cosine(query, await embed('настройка: полнотекстовый поиск')) > 0.5);
  assert.ok(cosine(query, await embed('подписка и оплата')) < 0.5);
});

test('many texts: in order, counted, reported, and stopped by a signal', async () => {
  const texts = Array.from({ length: 3000 }, (_, at) =>
    `section ${at} about connection pools and timeouts`.repeat(2),
  );
  const done: number[] = [];
  const embedder = createBuiltinEmbedder(64);
  const answer = await embedder.embed(texts, { role: 'document', onProgress: (count) => done.push(count) });
  assert.equal(answer.vectors.length, 3000);
  assert.equal(answer.requests, 0);
  assert.ok(answer.tokens > 3000 * 12);
  assert.deepEqual(answer.vectors[2999], await embed(texts[2999]!, 64));
  assert.ok(done.length > 1 && done.at(-1) === 3000);
  const stop = new AbortController();
  await assert.rejects(
    embedder.embed(texts, { role: 'document', signal: stop.signal, onProgress: () => stop.abort() }),
    (error) => error instanceof VaiError,
  );
});

test('a missing or damaged file says so', () => {
  const file = new URL('../../../src/models/builtin/weights.bin', import.meta.url);
  assert.throws(() => readWeights(new URL('./no-such.bin', import.meta.url)), /built-in model/);
  assert.throws(() => parseWeights(readFileSync(file).subarray(0, 100_000)), /built-in model/);
  assert.throws(() => parseWeights(Buffer.from('something else entirely, not weights')), /built-in model/);
});

test('rows are read when a text needs them, and are those of the file', () => {
  const file = new URL('../../../src/models/builtin/weights.bin', import.meta.url);
  const weights = readWeights(file);
  const { codes, dimensions, scales, tokenizer } = weights;
  const whole = parseWeights(readFileSync(file)).codes;
  const rowOf = (all: Int8Array, id: number): Int8Array =>
    all.subarray(id * dimensions, (id + 1) * dimensions);
  assert.ok(codes.every((code) => code === 0));
  const ids = tokenizer.encode('A lighthouse keeper');
  embedIds(weights, ids, new Float32Array(dimensions));
  for (const id of ids) assert.deepEqual(rowOf(codes, id), rowOf(whole, id));
  const read = Array.from(scales.keys()).filter((id) => rowOf(codes, id).some((code) => code !== 0)).length;
  assert.ok(read < scales.length / 10, `${read} rows of ${scales.length} were read for ${ids.length}`);
  weights.need(Array.from(scales.keys()), scales.length);
  assert.ok(Buffer.from(codes).equals(Buffer.from(whole)));
});
