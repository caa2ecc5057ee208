import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import fc from 'fast-check';
import { alignLines } from '../../../src/engine/cite/align.ts';

const lines = fc.array(fc.constantFrom('a', 'b', 'c', 'd', 'e', 'f', 'g', 'h'), { maxLength: 12 });
const aligned = (before: readonly string[], after: readonly string[]): number[] => [
  ...alignLines(before, after).to,
];

test('pairs are equal lines, in order', () => {
  fc.assert(
    fc.property(lines, lines, (before, after) => {
      let last = -1;
      aligned(before, after).forEach((now, old) => {
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
  const to = aligned(before, after);
  kept.forEach((_, at) => assert.deepEqual([to[at * 2], to[at * 2 + 1]], [at * 2 + 1, -1]));
});

test('repeated lines follow their neighbours', () => {
  assert.deepEqual(aligned(['x', '', 'y', '', 'z'], ['', 'x', '', 'z']), [1, 2, -1, -1, 3]);
  assert.deepEqual(aligned(['a', 'a', 'a'], ['a', 'a']), [0, 1, -1]);
  assert.deepEqual(aligned(['q', 'a', 'a'], ['a', 'a']), [-1, 0, 1]);
});

test('of several equal lines the one beside a unique line is taken', () => {
  assert.deepEqual(aligned(['-', 'x', '-'], ['!', '-', '-', 'x']), [2, 3, -1]);
  assert.deepEqual(
    aligned(['-', 'x', '?', '-', '+', '-', 'y'], ['!', 'x', '-', 'y']),
    [-1, 1, -1, -1, -1, 2, 3],
  );
  assert.deepEqual(aligned(['-', 'x', '-', '+', '-', 'y'], ['!', 'x', '-', 'y']), [-1, 1, 2, -1, -1, 3]);
});

test('where no line is unique as many as possible are kept', () => {
  const letters = ['a', 'b', 'c'];
  const gap = fc.array(fc.constantFrom(...letters), { maxLength: 9 });
  // Below, so that every letter is repeated and only the line between is unique.
  const below = ['unique', ...letters, ...letters];
  fc.assert(
    fc.property(gap, gap, (one, other) => {
      const to = aligned([...one, ...below], [...other, ...below]);
      const kept = to.filter((now) => now !== -1).length;
      assert.equal(kept, mostInCommon(one, other) + below.length);
    }),
    { numRuns: 500 },
  );
  // Of two ways to keep as many, the one that gives up the first old line.
  const crossed = aligned(['x', 'p', 'q', 'y', 'p', 'q'], ['x', 'q', 'p', 'y']);
  assert.deepEqual(crossed, [0, -1, 1, 3, -1, -1]);
});

/** Length of the longest common subsequence, by its definition. */
function mostInCommon(before: readonly string[], after: readonly string[]): number {
  const known = new Map<string, number>();
  const most = (old: number, now: number): number => {
    if (old === before.length || now === after.length) return 0;
    const key = `${old} ${now}`;
    if (!known.has(key))
      known.set(
        key,
        before[old] === after[now]
          ? 1 + most(old + 1, now + 1)
          : Math.max(most(old + 1, now), most(old, now + 1)),
      );
    return known.get(key)!;
  };
  return most(0, 0);
}

describe('between two texts that are too different to be compared line by line', () => {
  const only = (where: string, count = 1001): string[] =>
    Array.from({ length: count }, (_, at) => `only ${where} ${at}`);
  const [old, now] = [only('before'), only('after')];
  const none = old.map(() => -1);

  test('a unique line is found wherever it went', () => {
    assert.deepEqual(aligned(['x', ...old], [...now, 'x']), [1001, ...none]);
    assert.deepEqual(aligned([...old, 'x'], ['x', ...now]), [...none, 0]);
    assert.deepEqual(aligned(['x', ...old, 'y'], [...now, 'x', 'y']), [1001, ...none, 1002]);
  });

  test('a line that is repeated in one of them is not', () => {
    assert.deepEqual(aligned(['x', ...old], [...now, 'x', ...now, 'x', ...now]), [-1, ...none]);
    assert.deepEqual(
      aligned([...old, 'x', ...old, 'x', ...old], ['x', ...now]).filter((line) => line !== -1),
      [],
    );
    assert.deepEqual(aligned(['x', ...old], [...now, 'x', 'x', 'x', ...now]), [-1, ...none]);
  });

  test('of unique lines in another order the longest run is kept', () => {
    const order = (...names: string[]): string[] => names.flatMap((name) => [name, ...only(`after ${name}`)]);
    const kept = (after: string[]): string => {
      const before = ['a', 'b', 'c', 'd', 'e'].flatMap((name) => [name, ...only(`before ${name}`)]);
      const to = aligned(before, after);
      return before.filter((_, at) => to[at] !== -1).join('');
    };
    assert.equal(kept(order('a', 'b', 'c', 'd', 'e')), 'abcde');
    assert.equal(kept(order('b', 'c', 'd', 'e', 'a')), 'bcde');
    assert.equal(kept(order('e', 'a', 'b', 'c', 'd')), 'abcd');
    assert.equal(kept(order('a', 'd', 'b', 'c', 'e')), 'abce');
    assert.equal(kept(order('d', 'e', 'a', 'b', 'c')), 'abc');
    assert.equal(kept(order('a', 'b', 'd', 'e', 'c')), 'abde');
  });

  test('repeated lines belong to the unique one beside them', () => {
    const to = aligned(['-', '=', 'x', '=', '-', ...old], ['!', '', '-', '=', 'x', '=', '-', ...now]);
    assert.deepEqual(to, [2, 3, 4, 5, 6, ...none]);
    // Only as far as they are equal, and without a gap.
    const above = aligned([...old, '-', '+', '=', 'x', '=', '-'], [...now, '-', '!', '=', 'x']);
    assert.deepEqual(above, [...none, -1, -1, 1003, 1004, -1, -1]);
    const below = aligned(['-', '=', 'x', '=', '+', '-', ...old], ['x', '=', '!', '-', ...now]);
    assert.deepEqual(below, [-1, -1, 0, 1, -1, -1, ...none]);
  });

  test('equal beginnings and ends belong together', () => {
    assert.deepEqual(aligned(['-', '-', ...old], ['-', '-', '!', ...now, '-']), [0, 1, ...none]);
    assert.deepEqual(aligned([...old, '-', '-'], ['-', ...now, '!', '-', '-']), [...none, 1003, 1004]);
  });

  test('a line is taken once, however often it is repeated', () => {
    assert.deepEqual(aligned(['x', '-', ...old, '-', 'y'], [...now, 'x', '-', 'y']), [
      1001,
      1002,
      ...none,
      -1,
      1003,
    ]);
    assert.deepEqual(aligned(['x', ...old, '-', 'y'], [...now, 'x', '-', 'y']), [1001, ...none, 1002, 1003]);
  });
});

test('up to a million pairs of lines are compared', () => {
  const only = (where: string, count: number): string[] =>
    Array.from({ length: count }, (_, at) => `${where} ${at}`);
  const same = only('same', 5);
  // The repeated line stands in another place, so that only a comparison finds it.
  const isFound = (rows: number, columns: number): boolean => {
    const before = [...same, '-', ...only('before', rows - 1), 'end'];
    const after = [...same, 'start', '-', ...only('after', columns - 2), 'end', '-'];
    return aligned(before, after)[5] === 6;
  };
  assert.equal(isFound(1000, 1000), true);
  assert.equal(isFound(1000, 1001), false);
  assert.equal(isFound(1001, 1000), false);
});
