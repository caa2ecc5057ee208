// The features against slow and plain ways to the same numbers, and what relevance relies on: most of them mean the same
// in every list.

import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { test } from 'node:test';
import fc from 'fast-check';
import { stem } from '../../../src/domain/stem.ts';
import { STOPWORDS } from '../../../src/domain/stopwords.ts';
import { createFeatures, FEATURES, RELATIVE } from '../../../src/models/builtin/features.ts';
import { createBuiltinEmbedder } from '../../../src/models/builtin/embedder.ts';
import { matchesOf, termsOf } from '../../../src/models/builtin/matches.ts';
import { createPassages } from '../../../src/models/builtin/passage.ts';
import { builtinWeights } from '../../../src/models/builtin/weights.ts';
import type { RerankCandidate } from '../../../src/ports/reranker.ts';

const weights = builtinWeights();
const { tokenizer } = weights;
const features = createFeatures(weights);
const DOCS = new URL('../../../docs/', import.meta.url);

/** Sections of this project's pages, some of them too long to be read whole. */
function sections(): Required<Omit<RerankCandidate, 'words'>>[] {
  return readdirSync(DOCS)
    .filter((name) => name.endsWith('.md'))
    .flatMap((title) => {
      const parts = readFileSync(new URL(title, DOCS), 'utf8').split(/^##+ /m);
      return parts.map((text) => ({ text, title, headingPath: [title, text.split('\n', 1)[0]!] }));
    });
}

const all = sections();
const at = (name: (typeof FEATURES)[number]): number => FEATURES.indexOf(name);
const close = (a: number, b: number): void => assert.ok(Math.abs(a - b) < 1e-5, `${a} is not ${b}`);

test('what is not relative is the same whatever else is in the list, and however often it is asked', () => {
  assert.ok(all.length > 100);
  for (let start = 0; start < all.length; start += 7) {
    const query = all[start]!.headingPath[1]!;
    const some = Array.from({ length: 12 }, (_, step) => all[(start + step * step) % all.length]!);
    const { rows } = features(query, some);
    assert.deepEqual(features(query, some).rows, rows);
    some.forEach((one, place) =>
      assert.deepEqual(features(query, [one]).rows[0]!.slice(RELATIVE), rows[place]!.slice(RELATIVE)),
    );
    for (const row of rows) assert.ok(row.slice(0, RELATIVE).every((value) => value >= 0 && value <= 1));
  }
});

test('the whole passage is compared by its vector, place and text together', async () => {
  const embedder = createBuiltinEmbedder(weights.dimensions);
  const embed = async (text: string) => (await embedder.embed([text], { role: 'query' })).vectors[0]!;
  for (const { text, title, headingPath } of all.slice(0, 20)) {
    const query = 'how are hits ordered and cited';
    const [asked, whole] = [
      await embed(query),
      await embed([title, headingPath[1], text.slice(0, 8_000)].join('\n')),
    ];
    const cosine = asked.reduce((sum, value, d) => sum + value * whole[d]!, 0);
    close(features(query, [{ text, title, headingPath }]).rows[0]![at('whole')]!, cosine);
  }
});

test('words are counted by stem, as a slow reader would', () => {
  const passages = createPassages(tokenizer);
  const slow = (text: string): string[] =>
    (text.slice(0, 8_000).match(/[A-Za-z0-9]+/g) ?? []).map((word) => stem(word.toLowerCase()));
  for (const query of ['rotating the signing keys', 'search by words', 'what is it']) {
    const terms = termsOf(tokenizer, query);
    const own = slow(query).filter((word) => !STOPWORDS.has(word));
    const asked = [...new Set(own.length > 0 ? own : slow(query))];
    assert.equal(terms.count, asked.length);
    for (const one of all.filter(({ text }) => /^[\x20-\x7e\s]*$/.test(text)).slice(0, 40)) {
      const [passage] = passages.read([one]);
      const words = [one.title, one.headingPath[1]!, one.text].flatMap(slow);
      const { counts, length } = matchesOf(passages.words, passage!, terms, asked.map(() => 1 / asked.length)); // prettier-ignore
      assert.deepEqual(counts, asked.map((word) => words.filter((other) => other === word).length)); // prettier-ignore
      assert.equal(length, words.length);
    }
  }
});

test('neighbours, the densest window, and names said', () => {
  const terms = termsOf(tokenizer, 'rotating the signing keys');
  const passages = createPassages(tokenizer);
  const match = (candidate: RerankCandidate) =>
    matchesOf(passages.words, passages.read([candidate])[0]!, terms, [0.5, 0.3, 0.2]);
  const far = match({ text: `Rotate it. ${'word '.repeat(60)} A signing key and other keys.` });
  assert.deepEqual(far.counts, [1, 1, 2]);
  assert.equal(far.pairs, 0.5);
  close(far.window, 0.5);
  close(match({ text: 'Rotate one key, then the signing one.' }).window, 1);
  const named = match({
    text: '',
    title: 'Signing keys',
    headingPath: ['Signing keys', 'Rotate and revoke'],
  });
  assert.deepEqual([named.title, named.heading], [1, 0.5]);
  assert.deepEqual([match({ text: 'x', headingPath: ['Keys'] }).heading, far.heading], [1, 0]);
});

test('with SIMD or without, the same numbers', () => {
  const { fast, ...plain } = weights;
  assert.ok(fast, 'this platform has SIMD');
  const slow = createFeatures(plain);
  for (let start = 0; start < all.length; start += 20) {
    const some = all.slice(start, start + 8);
    const [a, b] = [
      features('rotate keys of the server', some).rows,
      slow('rotate keys of the server', some).rows,
    ];
    a.forEach((row, place) => row.forEach((value, feature) => close(value, b[place]![feature]!)));
  }
});

test('any texts give finite numbers, also long ones and many', () => {
  const text = fc.string({ unit: 'binary', maxLength: 60 });
  const candidate = fc.record(
    { text, title: text, headingPath: fc.array(text, { maxLength: 2 }) },
    { requiredKeys: ['text'] },
  );
  fc.assert(
    fc.property(text, fc.array(candidate, { minLength: 1, maxLength: 4 }), (query, candidates) => {
      const { rows } = features(query, candidates);
      assert.ok(rows.every((row) => row.length === FEATURES.length && row.every(Number.isFinite)));
    }),
    { numRuns: 150 },
  );
  const many = Array.from({ length: 100 }, (_, number) => ({ text: `a${number} b `.repeat(3_000) }));
  const { rows } = features('a99 b', many);
  assert.equal(rows.length, 100);
  assert.equal(rows[99]![at('coverage')], 1);
});
