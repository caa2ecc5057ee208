import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { alignLines } from '../../../src/engine/cite/align.ts';

const lines = fc.array(fc.constantFrom('a', 'b', 'c', 'd', 'e', 'f', 'g', 'h'), { maxLength: 12 });

test('pairs are equal lines, in order', () => {
  fc.assert(
    fc.property(lines, lines, (before, after) => {
      const { to } = alignLines(before, after);
      let last = -1;
      to.forEach((now, old) => {
        if (now === -1) return;
        assert.equal(before[old], after[now]);
        assert.ok(now > last);
        last = now;
      });
    }),
  );
});

test('lines that are only in one of the texts lose none of the others', () => {
  const kept = Array.from({ length: 1500 }, (_, at) => `line ${at}`);
  // More of them than are compared line by line: only what is once in both can lead the way.
  const before = kept.flatMap((line, at) => [line, `only before ${at}`]);
  const after = kept.flatMap((line, at) => [`only after ${at}`, line]);
  const { to } = alignLines(before, after);
  kept.forEach((_, at) => assert.deepEqual([to[at * 2], to[at * 2 + 1]], [at * 2 + 1, -1]));
});

test('repeated lines follow their neighbours', () => {
  assert.deepEqual([...alignLines(['x', '', 'y', '', 'z'], ['', 'x', '', 'z']).to], [1, 2, -1, -1, 3]);
  assert.deepEqual([...alignLines(['a', 'a', 'a'], ['a', 'a']).to], [0, 1, -1]);
  assert.deepEqual([...alignLines(['q', 'a', 'a'], ['a', 'a']).to], [-1, 0, 1]);
});
