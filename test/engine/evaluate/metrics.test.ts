import assert from 'node:assert/strict';
import { test } from 'node:test';
import { measure, ndcg, pairedP, recall, reciprocalRank } from '../../../src/engine/evaluate/metrics.ts';

const relevant = new Map([
  ['a', 3],
  ['b', 1],
]);

test('nDCG with linear gain, worked by hand', () => {
  assert.equal(ndcg(['a', 'b'], relevant), 1);
  const worked = (1 / Math.log2(2) + 3 / Math.log2(4)) / (3 / Math.log2(2) + 1 / Math.log2(3));
  assert.ok(Math.abs(ndcg(['b', 'x', 'a'], relevant) - worked) < 1e-12);
  assert.equal(ndcg(['x'], relevant), 0);
  assert.equal(ndcg(['a'], new Map()), 0);
});

test('recall and reciprocal rank', () => {
  assert.equal(recall(['a', 'x', 'b'], relevant, 2), 0.5);
  assert.equal(reciprocalRank(['x', 'b'], relevant), 0.5);
  assert.equal(measure(['x'], relevant).mrr, 0);
});

test('the paired test sees a clear difference and none where there is none', () => {
  const base = Array.from({ length: 60 }, (_, at) => (at % 5) / 5);
  assert.ok(
    pairedP(
      base.map((value) => value + 0.1),
      base,
    ) < 0.001,
  );
  assert.equal(pairedP(base, base), 1);
});
