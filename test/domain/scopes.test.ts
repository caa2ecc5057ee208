import assert from 'node:assert/strict';
import { test } from 'node:test';
import { isScope, SCOPES } from '../../src/domain/scopes.ts';

test('nothing else is a scope', () => {
  assert.deepEqual([...SCOPES, 'Read', 'own', '', undefined, 1].filter(isScope), SCOPES);
});
