import assert from 'node:assert/strict';
import { test } from 'node:test';
import { firstIndex } from '../../src/domain/first-index.ts';

test('the first that holds, wherever it stands among few or many', () => {
  for (let count = 0; count < 20; count += 1)
    for (let first = 0; first <= count; first += 1)
      assert.equal(
        firstIndex(count, (at) => at >= first),
        first,
      );
});
