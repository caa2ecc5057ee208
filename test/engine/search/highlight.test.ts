import assert from 'node:assert/strict';
import { test } from 'node:test';
import { STOPWORDS } from '../../../src/domain/stopwords.ts';
import { highlight } from '../../../src/engine/search/highlight.ts';
import { termsOf } from '../../../src/engine/search/terms.ts';

const terms = (...words: string[]) =>
  termsOf(
    {
      should: words.map((text) => ({ kind: 'term' as const, text })),
      must: [],
      not: [],
      headings: false,
      notices: [],
    },
    STOPWORDS,
  );

test('lines match by whole words and stems, never by a substring of another word', () => {
  const text = 'the bundles\nstateless\nuse state here\nuseState hook\nBundling';
  assert.deepEqual(highlight(text, 10, terms('state')).matchLines, [12, 13]);
  assert.deepEqual(highlight(text, 1, terms('bundle')).matchLines, [1, 5]);
});

test('a stopword is marked only when the query has nothing else', () => {
  assert.deepEqual(highlight('the\nstate', 1, terms('the', 'state')).matchLines, [2]);
  assert.deepEqual(highlight('the\nstate', 1, terms('the')).matchLines, [1]);
});

test('a snippet never cuts a short fence open', () => {
  const text = ['intro', '```js', 'const a = 1;', 'const needle = 2;', 'const c = 3;', '```', 'after'].join(
    '\n',
  );
  const { snippet } = highlight(text, 1, terms('needle'));
  assert.equal((snippet.match(/```/g) ?? []).length % 2, 0);
  assert.match(snippet, /needle/);
});

test('inside a long fence the snippet shows no fence mark at all', () => {
  const code = Array.from({ length: 80 }, (_, at) => (at === 40 ? 'needle();' : `line${at}();`));
  const { snippet } = highlight(['```', ...code, '```'].join('\n'), 1, terms('needle'));
  assert.ok(!snippet.includes('```'));
  assert.match(snippet, /needle/);
});

test('the excerpt is short, holds the words and says where it was cut', () => {
  const line = `${'word '.repeat(80)}needle ${'tail '.repeat(80)}`;
  const excerpt = highlight(line, 1, terms('needle'), 200).snippet;
  assert.ok(excerpt.length <= 210 && excerpt.includes('needle'));
  assert.ok(excerpt.startsWith('...') && excerpt.endsWith('...'));
});

/** Lines with so many different words of the question each. */
const lines = (counts: number[]): string =>
  counts
    .map((count, at) => [`line${at}`, 'anchor', 'buoy', 'cleat'].slice(0, count + 1).join(' '))
    .join('\n');
const shown = (counts: number[], characters?: number): string =>
  highlight(lines(counts), 1, terms('anchor', 'buoy', 'cleat'), characters).snippet;

test('fifty lines that match are named', () => {
  const { matchLines } = highlight(lines(Array<number>(60).fill(1)), 5, terms('anchor'));
  assert.deepEqual(
    matchLines,
    Array.from({ length: 50 }, (_, at) => at + 5),
  );
});

test('the snippet is the eight lines with the most different words, from the one before them', () => {
  const first = (counts: number[]): string => shown(counts).split('\n')[0]!;
  const none = Array<number>(9).fill(0);
  assert.equal(shown([...none, ...none]).split('\n').length, 8);
  assert.equal(first([...none, 1, ...none]), 'line8');
  assert.equal(first([...none, 1, ...none, 2, ...none]), 'line18', 'the most');
  assert.equal(first([...none, 2, ...none, 2, ...none]), 'line8', 'of equal ones the first');
  assert.equal(
    first([0, 0, 0, 1, 0, 0, 0, 0, 0, 0, 1, 0, ...none, 1]),
    'line2',
    'eight lines belong together',
  );
  assert.equal(
    first([0, 0, 0, 1, 0, 0, 0, 0, 0, 0, 0, 1, 1, ...none]),
    'line10 anchor'.slice(0, 6),
    'nine do not',
  );
  assert.equal(first([...none, 1]), 'line8', 'at the end');
});

test('the excerpt begins with the line of the most words among them', () => {
  assert.equal(shown([0, 1, 0, 2, 3, 3, 0], 20), '...line4 anchor buoy...');
  assert.equal(shown([0, 1, 0, 0], 20), '...line1 anchor');
  assert.equal(shown([0, 0, 0], 20), 'line0', 'and with the first where none is there');
});

test('a prefix may hold any punctuation', () => {
  for (const prefix of ['foo-b', 'a.b', "it's-x", 'a/b', 'c++', 'a[b', 'x{1,}', '\\d', '^$|', '(((']) {
    const query = { should: [{ kind: 'term' as const, text: prefix, prefix: true }], must: [], not: [] };
    assert.doesNotThrow(() => termsOf({ ...query, headings: false, notices: [] }, STOPWORDS), prefix);
  }
});
