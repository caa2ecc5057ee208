import assert from 'node:assert/strict';
import { test } from 'node:test';
import { excerptFrom } from '../../../src/engine/search/excerpt.ts';

const excerpt = (text: string, word: string, { line = 0, length = 40 } = {}): string =>
  excerptFrom(text, {
    ...{ line, length },
    matches: [...text.matchAll(new RegExp(word, 'g'))].map(({ index }) => ({ at: index, term: 0 })),
  });

test('a short text is shown whole, as one line', () => {
  assert.equal(excerpt('One  two\n\tthree', 'two'), 'One two three');
});

test('of a long text the words around the match are shown, whole words, and dots where more is', () => {
  const words = Array.from({ length: 60 }, (_, at) => `w${at}`);
  const text = `${words.join(' ')} needle ${words.join(' ')}`;
  const shown = excerpt(text, 'needle');
  assert.match(shown, /^\.\.\..*\bneedle\b.*\.\.\.$/);
  assert.ok(shown.length > 30 && shown.length <= 40 + 6, shown);
  const wide = excerpt(text, 'needle', { length: 200 });
  assert.ok(wide.length > 180 && wide.length <= 200 + 6, wide);
  assert.ok(wide.indexOf('needle') > 50 && wide.indexOf('needle') < 70, 'some words lead to the match');
  for (const word of shown.replaceAll('...', '').split(' '))
    assert.ok(word === 'needle' || words.includes(word), `${word} in ${shown}`);
  assert.match(excerpt(text, 'w0'), /^w0 w1 /, 'from its beginning where the match is there');
  assert.match(excerpt(text, 'w59'), /^\.\.\./);
});

test('it begins at its line, and goes on over a few', () => {
  const text = Array.from({ length: 20 }, (_, at) => `line${at}`).join('\n');
  assert.equal(excerpt(text, 'line3', { line: 3 }), '...line3 line4');
  assert.equal(excerpt(text, 'line0'), 'line0 line1');
  assert.equal(excerpt(text, 'absent', { line: 19 }), '...line19');
  assert.equal(excerpt(text, 'absent', { line: 50 }), '...');
});

test('a single word longer than the excerpt is cut', () => {
  assert.equal(excerpt('x'.repeat(200), 'x'), `${'x'.repeat(40)}...`);
});
