import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import type { List } from '../../../../src/stores/sqlite/words/lists.ts';
import { inAny, inEvery } from '../../../../src/stores/sqlite/words/merge.ts';
import type { Hit } from '../../../../src/stores/sqlite/words/select.ts';

const list = fc
  .uniqueArray(fc.tuple(fc.integer({ min: 1, max: 80 }), fc.integer({ min: 1, max: 9 })), {
    selector: ([id]) => id,
    maxLength: 60,
  })
  .map((pairs): List => {
    const rising = pairs.sort((a, b) => a[0] - b[0]);
    return {
      ids: Float64Array.from(rising, ([id]) => id),
      scores: Float64Array.from(rising, ([, score]) => score),
      highest: Math.max(0, ...rising.map(([, score]) => score)),
    };
  });

/** The plain way: add everything up, then sort. */
function plainly(lists: readonly List[]): { any: Hit[]; complete: Hit[] } {
  const sums = new Map<number, { score: number; words: number }>();
  for (const { ids, scores } of lists)
    ids.forEach((id, at) => {
      const { score, words } = sums.get(id) ?? { score: 0, words: 0 };
      sums.set(id, { score: score + scores[at]!, words: words + 1 });
    });
  const sorted = [...sums].sort(([a, one], [b, two]) => two.score - one.score || a - b);
  const hits = (entries: typeof sorted) => entries.map(([id, { score }]) => ({ id, score }));
  return { any: hits(sorted), complete: hits(sorted.filter(([, { words }]) => words === lists.length)) };
}

test('merging skips what cannot win and nothing else', () => {
  fc.assert(
    fc.property(
      fc.array(list, { minLength: 1, maxLength: 5 }),
      fc.integer({ min: 1, max: 12 }),
      (lists, size) => {
        const expected = plainly(lists);
        assert.deepEqual(inEvery(lists, size), expected.complete.slice(0, size));
        assert.deepEqual(inAny(lists, size), expected.any.slice(0, size));
      },
    ),
    { numRuns: 2000 },
  );
});
