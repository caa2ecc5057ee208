import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { editDistance, nearest } from '../../src/domain/nearest.ts';

test('edit distance, given up beyond the limit', () => {
  assert.equal(editDistance('kitten', 'sitting'), 3);
  assert.equal(editDistance('same', 'same'), 0);
  assert.equal(editDistance('short', 'much longer'), 4);
});

test('two letters that changed places are one edit', () => {
  assert.equal(editDistance('teh', 'the'), 1);
  assert.equal(editDistance('serach', 'search', 1), 1);
  assert.equal(editDistance('ca', 'abc'), 3, 'what was swapped is not edited again');
  assert.deepEqual(nearest('teh', ['the', 'tab']), ['the']);
  assert.deepEqual(nearest('qurey', ['query', 'source']), ['query']);
});

test('agrees with the whole table, whatever the limit', () => {
  const word = fc.string({ unit: fc.constantFrom('a', 'b', 'c', 'd'), maxLength: 12 });
  fc.assert(
    fc.property(word, word, fc.integer({ min: 1, max: 5 }), (a, b, limit) => {
      assert.equal(editDistance(a, b, limit), Math.min(wholeTable(a, b), limit + 1));
      assert.equal(editDistance(b, a, limit), editDistance(a, b, limit));
    }),
    { numRuns: 2000 },
  );
});

/** The same by the book. */
function wholeTable(a: string, b: string): number {
  const d = Array.from({ length: a.length + 1 }, (_, i) => [i]);
  for (let j = 0; j <= b.length; j++) d[0]![j] = j;
  for (let i = 1; i <= a.length; i++) {
    for (let j = 1; j <= b.length; j++) {
      const cost = a[i - 1] === b[j - 1] ? 0 : 1;
      d[i]![j] = Math.min(d[i - 1]![j]! + 1, d[i]![j - 1]! + 1, d[i - 1]![j - 1]! + cost);
      if (i > 1 && j > 1 && a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1])
        d[i]![j] = Math.min(d[i]![j]!, d[i - 2]![j - 2]! + 1);
    }
  }
  return d[a.length]![b.length]!;
}

test('nearest names, best first', () => {
  assert.deepEqual(nearest('colection', ['collection', 'collections', 'model']), [
    'collection',
    'collections',
  ]);
  assert.deepEqual(nearest('BUN', ['bun', 'deno']), ['bun']);
  assert.deepEqual(nearest('auth', ['authentication', 'x']), ['authentication']);
  assert.deepEqual(nearest('zzz', ['bun', 'deno']), []);
  assert.deepEqual(nearest('', ['bun']), []);
});
