import assert from 'node:assert/strict';
import { test } from 'node:test';
import { editDistance, nearest } from '../../src/domain/nearest.ts';

test('edit distance, given up beyond the limit', () => {
  assert.equal(editDistance('kitten', 'sitting'), 3);
  assert.equal(editDistance('same', 'same'), 0);
  assert.equal(editDistance('short', 'much longer'), 4);
});

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
