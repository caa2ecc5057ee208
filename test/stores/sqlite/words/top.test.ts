import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Top } from '../../../../src/stores/sqlite/words/top.ts';

test('the best of many are kept, of equal scores those of lower ids', () => {
  for (const count of [0, 3, 5, 9, 10, 11, 500]) {
    // Scores repeat, and neither they nor the ids come in order.
    const hits = Array.from({ length: count }, (_, at) => ({
      id: (at * 7919) % 1009,
      score: (at * 31) % 17,
    }));
    const top = new Top(5);
    for (const { id, score } of hits) if (top.takes(id, score)) top.add(id, score);
    const sorted = hits.toSorted((a, b) => b.score - a.score || a.id - b.id);
    assert.deepEqual(top.best(), sorted.slice(0, 5), String(count));
  }
});

test('what comes after the best is not taken', () => {
  const top = new Top(2);
  for (let id = 0; id < 4; id += 1) top.add(id, 1);
  assert.equal(top.takes(9, 1), false);
  assert.equal(top.takes(9, 1.1), true);
});
