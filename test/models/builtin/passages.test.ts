// What the reranker remembers of passages changes no number: whatever was read before, in whatever order.

import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { test } from 'node:test';
import fc from 'fast-check';
import { createFeatures, featuresOf } from '../../../src/models/builtin/features.ts';
import { createLexicon, type Lexicon } from '../../../src/models/builtin/lexicon.ts';
import { matchesOf, wanted } from '../../../src/models/builtin/matches.ts';
import { createNearest } from '../../../src/models/builtin/nearest.ts';
import { blankPassage, createPassageReader, type Passage } from '../../../src/models/builtin/passage.ts';
import { createPassages } from '../../../src/models/builtin/passages.ts';
import { rerankBuiltin } from '../../../src/models/builtin/reranker.ts';
import { queryTerms, wordsOf } from '../../../src/models/builtin/terms.ts';
import { builtinWeights } from '../../../src/models/builtin/weights.ts';
import type { RerankCandidate, Reranked } from '../../../src/ports/reranker.ts';

interface Golden {
  candidates: RerankCandidate[];
  queries: { query: string; rows: number[][]; order: Reranked['order'] }[];
}

const DOCS = new URL('../../../docs/', import.meta.url);
const weights = builtinWeights();

/** Sections of this project's pages, some of them too long to be read whole. */
function sections(): Required<Omit<RerankCandidate, 'words'>>[] {
  return readdirSync(DOCS)
    .filter((name) => name.endsWith('.md'))
    .flatMap((title) => {
      const parts = readFileSync(new URL(title, DOCS), 'utf8').split(/^##+ /m);
      return parts.map((text) => ({ text, title, headingPath: [title, text.split('\n', 1)[0]!] }));
    });
}

function readAlone(candidate: RerankCandidate, lexicon: Lexicon): Passage {
  const passage = blankPassage(weights.dimensions);
  createPassageReader(weights, lexicon)(candidate, passage);
  return passage;
}

test('features and scores are those the weights were learned with', () => {
  const golden = JSON.parse(readFileSync(new URL('./rerank-golden.json', import.meta.url), 'utf8')) as Golden;
  const close = (a: number, b: number): void => assert.ok(Math.abs(a - b) < 1e-9, `${a} is not ${b}`);
  for (const { query, rows, order } of golden.queries) {
    const found = featuresOf(weights, query, golden.candidates).rows;
    rows.forEach((row, at) => row.forEach((value, feature) => close(found[at]![feature]!, value)));
    const ranked = rerankBuiltin(query, golden.candidates).order;
    order.forEach(({ index, score }, at) => {
      assert.equal(ranked[at]!.index, index);
      close(ranked[at]!.score, score);
    });
  }
});

test('passages of the docs, asked again and again, are judged as if read for the first time', () => {
  const all = sections();
  assert.ok(all.length > 100);
  const warm = createFeatures(weights);
  for (let at = 0; at < all.length; at += 3) {
    const query = all[at]!.headingPath[1]!;
    const candidates = Array.from({ length: 20 }, (_, step) => ({
      ...all[(at + step * step) % all.length]!,
      ...(step % 3 ? { words: 1 / (step + 1) } : {}),
    }));
    assert.deepEqual(warm(query, candidates), featuresOf(weights, query, candidates));
  }
});

test('any texts, also the same one at several places', () => {
  const warm = createFeatures(weights);
  const word = fc.constantFrom(
    'Pool',
    'idle',
    'ΟΔΟΣ',
    'é',
    'e\u0301',
    '\u0301x',
    'İ',
    '接続',
    '\ud800',
    'ﷺ',
    '½',
  );
  const words = fc.array(fc.oneof(word, fc.string({ unit: 'binary', maxLength: 4 })), { maxLength: 12 });
  const text = fc.tuple(words, fc.constantFrom('', ' ', '-')).map(([parts, between]) => parts.join(between));
  const candidate = fc.record(
    { text, title: text, headingPath: fc.array(text, { maxLength: 2 }) },
    { requiredKeys: ['text'] },
  );
  fc.assert(
    fc.property(text, fc.array(candidate, { minLength: 1, maxLength: 4 }), text, (query, some, title) => {
      const candidates = [...some, { ...some[0]!, title }, some[0]!];
      assert.deepEqual(warm(query, candidates), featuresOf(weights, query, candidates));
    }),
    { numRuns: 150 },
  );
});

test('words of a place and of a text are those of both together', () => {
  const text = fc.string({ unit: 'binary', maxLength: 12 });
  fc.assert(
    fc.property(text, text, (place, body) => {
      assert.deepEqual([...wordsOf(place), ...wordsOf(body)], wordsOf(`${place} ${body}`));
    }),
    { numRuns: 500 },
  );
});

test('more words than are numbered: found all the same, in this call and in the next', () => {
  const passages = createPassages(weights);
  const texts = Array.from({ length: 60 }, (_, text) =>
    Array.from({ length: 1_000 }, (_, word) => `w${text}x${word}s`).join(' '),
  );
  for (const query of ['w59x7 w59x8s', 'w1x1 w58x999s w3']) {
    passages.begin();
    const terms = queryTerms(passages.lexicon, query, 8);
    const read = texts.map((text) => passages.read({ text, title: 'w59x8s and others' }));
    const shares = terms.map(() => 1 / terms.length);
    const asked = wanted(terms, shares, passages.lexicon.stems);
    for (const [at, text] of texts.entries()) {
      const lexicon = createLexicon();
      const own = queryTerms(lexicon, query, 8);
      const alone = readAlone({ text, title: 'w59x8s and others' }, lexicon);
      const expected = matchesOf(alone, wanted(own, shares, lexicon.stems));
      assert.deepEqual(matchesOf(read[at]!, asked), expected);
      assert.equal(read[at]!.titleStems.length, alone.titleStems.length);
    }
  }
});

test('what was longest unused is forgotten; a passage that moved is read anew', () => {
  const passages = createPassages(weights);
  const text = (number: number): string => `passage ${number} ${'about pools and timeouts '.repeat(200)}`;
  const read = (number: number) => {
    const known = passages.read({ text: text(number) });
    assert.ok(known.windows.length > 20 && known.windows.every((at) => at + 256 <= passages.vectors.length));
    return { known, vectors: known.windows.map((at) => passages.vectors.slice(at, at + 256)) };
  };
  const [first, second] = [read(0), read(1)];
  for (let number = 2; number < 1_000; number++) {
    if (number % 50 === 0) passages.begin();
    read(number);
    assert.equal(read(0).known, first.known);
  }
  assert.deepEqual(read(0), first);
  const again = read(1);
  assert.deepEqual(again.vectors, second.vectors);
  assert.equal(again.known.text, text(1));
  assert.notEqual(again.known, second.known);
  assert.notEqual(passages.read({ text: text(0), title: 'Elsewhere' }), first.known);
});

test('nearest tokens: SIMD or not, the same to the last bit', () => {
  const { fast, ...plain } = weights;
  assert.ok(fast, 'this platform has SIMD');
  const [quick, slow] = [createNearest(weights), createNearest(plain)];
  const passages = sections().map((candidate) => readAlone(candidate, createLexicon()));
  const ids = fc.array(fc.nat(weights.scales.length - 1), { maxLength: 48 });
  fc.assert(
    fc.property(ids, fc.nat(passages.length), (asked, from) => {
      const some = passages.slice(from, from + 30);
      assert.deepEqual(quick(asked, some), slow(asked, some));
    }),
    { numRuns: 20, examples: [[Array.from({ length: 48 }, (_, at) => at * 999), 0]] },
  );
});
