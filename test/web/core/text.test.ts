// The pure parts of the page: citations, hashes, marks, outlines, event streams.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { citationKey, parseCitation } from '../../../src/web/core/citation.ts';
import { ago, duration, milliseconds, plural } from '../../../src/web/core/format.ts';
import { formatHash, parseHash, VIEWS } from '../../../src/web/core/hash.ts';
import { bestLines, pieces, queryWords } from '../../../src/web/core/highlight.ts';
import { headingAt, headingsIn, mergeOutline, parseOutline } from '../../../src/web/core/outline.ts';
import { createEventParser } from '../../../src/web/core/sse.ts';

test('citations are taken apart from the right', () => {
  assert.deepEqual(parseCitation('bun:304-324@9f3c1a27'), {
    name: 'bun',
    collection: 'bun',
    path: '',
    start: 304,
    end: 324,
  });
  assert.deepEqual(parseCitation('a/b:c/d.md:7'), {
    name: 'a/b:c/d.md',
    collection: 'a',
    path: 'b:c/d.md',
    start: 7,
    end: 7,
  });
  assert.equal(parseCitation('a:3-5,9-12')?.end, 12);
  for (const wrong of ['', 'bun', 'bun:', ':1-2', 'bun:x-y']) assert.equal(parseCitation(wrong), undefined);
  assert.equal(citationKey('a/b.md:1-2@0123abcd'), citationKey('a/b.md:1-2'));
});

test('a place survives the hash, whatever its parameters hold', () => {
  fc.assert(
    fc.property(fc.constantFrom(...VIEWS), fc.string({ minLength: 1 }), (view, value) => {
      const place = parseHash(formatHash(view, { q: value, empty: '' }));
      assert.deepEqual(place, { view, params: { q: value.toWellFormed() } });
    }),
  );
  assert.deepEqual(parseHash('#/nonsense'), { view: 'search', params: {} });
  assert.deepEqual(parseHash(''), { view: 'search', params: {} });
});

test('marks cover the words of the query and lose no text', () => {
  const words = queryWords('How do payments FAIL? -refund');
  assert.deepEqual(words, ['payments', 'fail']);
  const found = pieces('A payment failed; the refund of Payments', words);
  assert.deepEqual(
    found.filter((piece) => piece.hit).map((piece) => piece.text),
    ['payment', 'failed', 'Payments'],
  );
  assert.deepEqual(
    queryWords('to be or not to be').length > 0,
    true,
    'only common words are words after all',
  );
  fc.assert(
    fc.property(fc.string(), fc.string(), (text, query) => {
      const parts = pieces(text, queryWords(query));
      assert.equal(parts.map((piece) => piece.text).join(''), text);
    }),
  );
});

test('the densest lines are shown with their own numbers', () => {
  const content = ['intro', '', 'nothing', 'the cat sat', 'a cat and a dog', 'end', ''].join('\n');
  const lines = bestLines(content, { start: 10, words: ['cat', 'dog'], count: 3 });
  assert.deepEqual(
    lines.map(({ number, hit }) => [number, hit]),
    [
      [12, false],
      [13, true],
      [14, true],
    ],
  );
  assert.equal(bestLines('one', { start: 5, words: [], count: 4 })[0]?.number, 5);
});

test('the outline of a report, completed by the headings of loaded lines', () => {
  const report =
    'x\n  Title: x\nOutline:\n  Guide  [a/b.md:1-40]\n    Part [1]  [a/b.md:5-9]\nnot a heading\n  One file  [1-3]';
  const items = parseOutline(report);
  assert.deepEqual(items[0], { title: 'Guide', depth: 1, path: 'a/b.md', start: 1, end: 40 });
  assert.deepEqual(items[1], { title: 'Part [1]', depth: 2, path: 'a/b.md', start: 5, end: 9 });
  assert.deepEqual(items[2], { title: 'One file', depth: 1, path: '', start: 1, end: 3 });
  assert.deepEqual(parseOutline('no outline here'), []);

  const lines = new Map([
    [5, '## Part [1]'],
    [6, '```sh'],
    [7, '# a comment, not a heading'],
    [8, '```'],
    [9, '### `deep` [link](x) {/*deep-link*/}'],
  ]);
  const seen = headingsIn(lines, 'a/b.md');
  assert.deepEqual(
    seen.map(({ title, start }) => [title, start]),
    [
      ['Part [1]', 5],
      ['deep link', 9],
    ],
  );
  const merged = mergeOutline(
    items.filter((item) => item.path === 'a/b.md'),
    seen,
  );
  assert.deepEqual(
    merged.map((item) => item.start),
    [1, 5, 9],
  );
  assert.equal(headingAt(merged, 8)?.start, 5);
});

test('events arrive whole however the stream is cut', () => {
  const stream = 'event: message\ndata: {"a":1}\n\n: comment\ndata: x\ndata: y\r\n\r\ndata:z\n\n';
  fc.assert(
    fc.property(fc.array(fc.nat(stream.length)), (cuts) => {
      const got: string[] = [];
      const feed = createEventParser((data) => got.push(data));
      let from = 0;
      for (const cut of [...cuts.sort((a, b) => a - b), stream.length]) {
        feed(stream.slice(from, cut));
        from = Math.max(from, cut);
      }
      assert.deepEqual(got, ['{"a":1}', 'x\ny', 'z']);
    }),
  );
});

test('numbers and times in words', () => {
  const now = Date.parse('2026-11-15T12:00:00Z');
  assert.equal(ago('2026-11-15T11:59:40Z', now), 'just now');
  assert.equal(ago('2026-11-14T11:00:00Z', now), 'yesterday');
  assert.equal(ago('nonsense', now), 'at an unknown time');
  assert.equal(duration(90_061), '1 d 1 h');
  assert.equal(duration(59), '59 s');
  assert.equal(milliseconds(3.24), '3.2 ms');
  assert.equal(milliseconds(12_300), '12.3 s');
  assert.equal(plural(1, 'line'), '1 line');
  assert.equal(plural(1200, 'line'), '1,200 lines');
});
