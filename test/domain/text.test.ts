import assert from 'node:assert/strict';
import { test } from 'node:test';
import { plural } from '../../src/domain/text.ts';

test('a number of things', () => {
  assert.equal(plural(1, 'document'), '1 document');
  assert.equal(plural(0, 'document'), '0 documents');
  assert.equal(plural(1200, 'entity', 'entities'), '1,200 entities');
});
