import assert from 'node:assert/strict';
import { test } from 'node:test';
import { decodeCursor, encodeCursor, fingerprint } from '../../../src/engine/search/cursor.ts';

test('a cursor leads on in the same search and is refused in another', () => {
  const print = fingerprint(['question', { collections: ['a'] }]);
  assert.equal(decodeCursor(encodeCursor(20, print), print), 20);
  assert.equal(decodeCursor(undefined, print), 0);
  for (const bad of [
    encodeCursor(20, fingerprint(['other'])),
    'garbage',
    encodeCursor(5000, print),
    'x'.repeat(9999),
  ]) {
    assert.throws(() => decodeCursor(bad, print), { code: 'INVALID_INPUT' });
  }
});
