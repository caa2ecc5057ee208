import assert from 'node:assert/strict';
import { test } from 'node:test';
import { nearlySame, sketch } from '../../../src/engine/search/duplicates.ts';

const page = Array.from({ length: 120 }, (_, at) => `word${at} explains part ${at % 7}`).join('\n');

test('the same page under two titles is one; a page on another subject is not', () => {
  assert.ok(nearlySame(sketch(page), sketch(page)));
  assert.ok(nearlySame(sketch(page), sketch(page.toUpperCase())));
  const other = page.replaceAll('word', 'term');
  assert.ok(!nearlySame(sketch(page), sketch(other)));
});
