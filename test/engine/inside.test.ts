import assert from 'node:assert/strict';
import { test } from 'node:test';
import { isInside } from '../../src/engine/inside.ts';

test('a path is inside a folder or not', () => {
  for (const path of ['/a/b', '/a/b/', '/a/b/c', '/a/b/..c', '/a/b/c/../d'])
    assert.equal(isInside('/a/b', path), true, path);
  for (const path of ['/a', '/', '/a/bc', '/a/b/..', '/a/b/../c', '/x'])
    assert.equal(isInside('/a/b', path), false, path);
});
