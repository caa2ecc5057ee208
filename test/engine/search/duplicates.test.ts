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

test('a word more or less leaves a page the same, half of the words changed does not', () => {
  assert.ok(nearlySame(sketch(page), sketch(`${page} addendum`)));
  const changed = page.replaceAll(/word(\d*[02468])\b/g, 'other$1');
  assert.ok(!nearlySame(sketch(page), sketch(changed)));
});

test('short texts are the same only when their words are', () => {
  const words = Array.from({ length: 60 }, (_, at) => `name${at}`);
  for (const one of words)
    for (const other of words) assert.equal(nearlySame(sketch(one), sketch(other)), one === other);
});

test('a text longer than is read, in letters of three bytes', () => {
  const long = '語'.repeat(20_000);
  assert.ok(nearlySame(sketch(long), sketch(long)));
});
