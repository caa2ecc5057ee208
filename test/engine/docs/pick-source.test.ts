// A source that is not there: what there is instead.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { pickSource } from '../../../src/engine/docs/sources.ts';
import type { CollectionView } from '../../../src/engine/scope.ts';

function hintAmong(count: number): string | undefined {
  const views = Array.from({ length: count }, (_, at) => ({ name: `s${at}` }) as CollectionView);
  try {
    pickSource(views, 'something');
  } catch (thrown) {
    return (thrown as { hint?: string }).hint;
  }
  return undefined;
}

test('ten sources are named, the others are counted', () => {
  assert.equal(hintAmong(2), 'Installed: s0, s1.');
  assert.match(hintAmong(10)!, /, s9\.$/);
  assert.match(hintAmong(12)!, /, s9 and 2 more\.$/);
});
