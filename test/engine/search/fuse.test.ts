import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { fuse, scale } from '../../../src/engine/search/fuse.ts';

const hits = (...pairs: [string, number][]) => pairs.map(([id, score]) => ({ id, score }));

test('scores are scaled between the last candidate and the best', () => {
  assert.deepEqual(scale(hits(['a', 9], ['b', 5], ['c', 1])), [1, 0.5, 0]);
  assert.deepEqual(scale(hits(['a', 3])), [1]);
});

test('shares of one sum are scaled from nothing, so that the least keeps its share', () => {
  const hits = [
    { id: 'a', score: 4 },
    { id: 'b', score: 1 },
  ];
  assert.deepEqual(scale(hits, true), [1, 0.25]);
  const list = { retriever: 'relations' as const, weight: 1, hits };
  assert.deepEqual(
    fuse([{ ...list, fromZero: true }]).map(({ score }) => score),
    [1, 0.25],
  );
  assert.deepEqual(
    fuse([list]).map(({ score }) => score),
    [1, 0],
  );
});

test('what lies below the hundredth candidate is worth nothing, in whatever order they come', () => {
  const many = Array.from({ length: 150 }, (_, at) => ({ id: `c${at}`, score: 150 - at }));
  const values = scale(many);
  assert.deepEqual([values[0], values[98]! > 0, values[99], values[149]], [1, true, 0, 0]);
  assert.deepEqual(scale(many.toReversed()), values.toReversed());
  const even = scale(many.map(({ id }) => ({ id, score: 2 })));
  assert.deepEqual([even[99], even[100]], [1, 0]);
});

test('a list with nothing to say changes nothing', () => {
  const words = { retriever: 'words' as const, weight: 1, hits: hits(['a', 9], ['b', 5], ['c', 1]) };
  const alone = fuse([words]);
  assert.deepEqual(fuse([words, { retriever: 'meaning', weight: 3, hits: [] }]), alone);
  assert.deepEqual(
    alone.map(({ score }) => score),
    [1, 0.5, 0],
  );
  assert.deepEqual(fuse([]), []);
  assert.equal(fuse([{ ...words, weight: 0 }])[0]!.score, 0, 'nor does one that is not trusted at all');
});

test('weights decide between retrievers, and each hit says what each of them gave', () => {
  const lists = (weight: number) => [
    { retriever: 'words' as const, weight: 1, hits: hits(['a', 9], ['b', 1]) },
    { retriever: 'meaning' as const, weight, hits: hits(['b', 0.9], ['a', 0.1]) },
  ];
  assert.equal(fuse(lists(0.2))[0]!.id, 'a');
  assert.equal(fuse(lists(4))[0]!.id, 'b');
  assert.deepEqual(fuse(lists(0.2))[0]!.scores, { words: 1, meaning: 0 });
});

test('a score is the share of each retriever times what it gave, and says the score by words as it came', () => {
  const fused = fuse([
    { retriever: 'words', weight: 1, hits: hits(['a', 9], ['b', 5], ['c', 1]) },
    { retriever: 'meaning', weight: 3, hits: hits(['c', 3], ['d', 2], ['b', 1]) },
    { retriever: 'relations', weight: 4, hits: hits(['b', 4], ['e', 3], ['c', 0]) },
  ]);
  assert.deepEqual(
    fused.map(({ id, score, scores, share }) => [id, score, scores, share]),
    [
      ['b', 0.5625, { words: 0.5, meaning: 0, relations: 1 }, 5],
      ['c', 0.375, { words: 0, meaning: 1, relations: 0 }, 1],
      ['e', 0.375, { relations: 0.75 }, undefined],
      ['d', 0.1875, { meaning: 0.5 }, undefined],
      ['a', 0.125, { words: 1 }, 9],
    ],
  );
});

test('equal scores are in the order of the best place that any list gave', () => {
  const even = (...ids: string[]) => ids.map((id) => ({ id, score: 1 }));
  const order = fuse([
    { retriever: 'words', weight: 1, hits: even('a', 'b', 'c', 'd') },
    { retriever: 'meaning', weight: 1, hits: even('d', 'c', 'b', 'a') },
  ]).map(({ id }) => id);
  assert.deepEqual(order, ['a', 'd', 'b', 'c']);
});

test('of several lists of one retriever the best counts', () => {
  const two = (retriever: 'words' | 'meaning' | 'relations') =>
    fuse([
      { retriever, weight: 1, hits: hits(['a', 2], ['b', 1], ['c', 0]) },
      { retriever, weight: 1, hits: hits(['c', 2], ['b', 0]) },
    ]).map(({ id, scores }) => [id, scores[retriever]]);
  for (const retriever of ['words', 'meaning', 'relations'] as const)
    assert.deepEqual(two(retriever), [
      ['a', 1],
      ['c', 1],
      ['b', 0.5],
    ]);
});

test('fused scores stay within 0 and 1', () => {
  const list = fc.array(
    fc.record({
      id: fc.constantFrom('a', 'b', 'c', 'd'),
      score: fc.double({ min: -5, max: 50, noNaN: true }),
    }),
    { maxLength: 4 },
  );
  fc.assert(
    fc.property(list, list, fc.double({ min: 0.01, max: 5, noNaN: true }), (words, meaning, weight) => {
      const unique = (all: typeof words) => [...new Map(all.map((hit) => [hit.id, hit])).values()];
      for (const { score } of fuse([
        { retriever: 'words', weight: 1, hits: unique(words) },
        { retriever: 'meaning', weight, hits: unique(meaning) },
      ])) assert.ok(score >= 0 && score <= 1 + 1e-9); // prettier-ignore
    }),
  );
});
