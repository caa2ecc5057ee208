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

test('what it holds, to the character', () => {
  // Sixty words of three letters: each begins at a multiple of four.
  const words = Array.from({ length: 60 }, (_, at) => `a${String(at).padStart(2, '0')}`);
  const between = (first: number, last: number): string => words.slice(first, last + 1).join(' ');
  const text = words.join(' ');
  assert.equal(excerpt(text, 'a30'), `...${between(26, 35)}...`, 'half of it before the match');
  assert.equal(excerpt(text, 'a30', { length: 160 }), `...${between(16, 55)}...`, '60 characters before it');
  assert.equal(excerpt(text, 'a59'), `...${between(50, 59)}`, 'more before it where nothing follows');
  assert.equal(excerpt(text, 'a05'), `${between(0, 9)}...`, 'from the beginning where it is near');
  assert.equal(excerpt(text, 'a00', { length: 42 }), `${between(0, 9)}...`, 'no part of a word');
  assert.equal(excerpt(`${between(0, 9)}x`, 'a09'), `${between(0, 9)}x`, 'all of it where it is no longer');
  assert.equal(excerpt(`x${between(0, 12)}`, 'a05'), `...${between(1, 10)}...`, 'begins with a whole word');
});

test('white space counts once, and it looks no further than twice its length', () => {
  assert.equal(excerpt(`needle${' '.repeat(73)}tail`, 'needle'), 'needle t');
  assert.equal(excerpt(`needle${' '.repeat(74)}tail`, 'needle'), 'needle');
  assert.equal(excerpt(`head${' '.repeat(36)}needle`, 'needle'), 'head needle');
  assert.equal(excerpt('\nneedle', 'needle', { line: 1 }), '...needle');
});
