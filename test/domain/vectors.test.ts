import assert from 'node:assert/strict';
import { test } from 'node:test';
import { cosine, dot } from '../../src/domain/vectors.ts';

test('a cosine is of directions, whatever the lengths, and 0 without one', () => {
  const [east, north, none] = [Float32Array.of(2, 0), Float32Array.of(0, 3), Float32Array.of(0, 0)];
  assert.deepEqual([cosine(east, Float32Array.of(5, 0)), cosine(east, north), cosine(east, none)], [1, 0, 0]);
  assert.equal(dot(east, Float32Array.of(4, 1)), 8);
});
