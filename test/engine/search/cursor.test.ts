import assert from 'node:assert/strict';
import { test } from 'node:test';
import { decodeCursor, encodeCursor, fingerprint } from '../../../src/engine/search/cursor.ts';

test('a cursor leads on in the same search and is refused in another', () => {
  const print = fingerprint(['question', { collections: ['a'] }]);
  assert.equal(decodeCursor(encodeCursor(20, print), print), 20);
  assert.equal(decodeCursor(undefined, print), 0);
  assert.equal(encodeCursor(1001, print), undefined, 'where it would be refused, there is none');
  assert.equal(decodeCursor(encodeCursor(1000, print), print), 1000);
  for (const bad of [
    encodeCursor(20, fingerprint(['other'])),
    'garbage',
    Buffer.from(`1001.${print}`).toString('base64url'),
    'x'.repeat(9999),
  ]) {
    assert.throws(() => decodeCursor(bad, print), { code: 'INVALID_INPUT' });
  }
});

test('a fingerprint is ten characters that stand in an address, and follows from every part', () => {
  assert.match(fingerprint(['question']), /^[\w-]{10}$/);
  const prints = [['a'], ['b'], ['a', undefined, 'c'], ['a', 'b', 'c']].map(fingerprint);
  assert.equal(new Set(prints).size, 4);
});
