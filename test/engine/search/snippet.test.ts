import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { linesAround } from '../../../src/engine/search/snippet.ts';

const numbered = (count: number): string =>
  Array.from({ length: count }, (_, n) => `line ${n + 1}`).join('\n');

describe('lines around a place', () => {
  it('begin one before it and are as many as asked for', () => {
    assert.equal(linesAround(numbered(9), 3, 3), 'line 3\nline 4\nline 5');
    assert.equal(linesAround(numbered(9), 0, 2), 'line 1\nline 2');
    assert.equal(linesAround(numbered(9), 8, 5), 'line 8\nline 9');
    assert.equal(linesAround('only', 0, 5), 'only');
  });

  it('leave out returns, and empty lines at the beginning', () => {
    assert.equal(linesAround('a\r\nb\r\nc', 0, 3), 'a\nb\nc');
    assert.equal(linesAround('\n  \na\n\nb', 1, 5), 'a\n\nb');
    assert.equal(linesAround('\na', 0, 2), 'a');
    assert.equal(linesAround('a\r\r\nb\r', 0, 2), 'a\r\nb');
    assert.equal(linesAround('\n\n', 0, 2), '');
    assert.equal(linesAround('\n  ', 0, 2), '  ', 'one line is always left');
  });

  it('end after 600 characters, with whole lines', () => {
    const long = ['x'.repeat(700), 'b'].join('\n');
    assert.equal(linesAround(long, 0, 5), 'x'.repeat(700));
    const line = 'y'.repeat(199);
    assert.equal(linesAround(Array(9).fill(line).join('\n'), 0, 9), Array(3).fill(line).join('\n'));
    const [under, full] = ['y'.repeat(198), 'y'.repeat(199)];
    assert.equal(linesAround([full, full, under, 'b', 'c'].join('\n'), 0, 9), [full, full, under, 'b'].join('\n')); // prettier-ignore
    const short = 'y'.repeat(198);
    assert.equal(linesAround(Array(9).fill(short).join('\n'), 0, 9), Array(4).fill(short).join('\n'));
  });
});

describe('a code fence', () => {
  const fenced = (lines: number, mark = '```'): string[] => [mark, ...Array(lines).fill('code'), mark];

  it('that is short is taken whole, wherever it is cut', () => {
    const text = ['before', ...fenced(5), 'after', 'end'].join('\n');
    assert.equal(linesAround(text, 0, 3), ['before', ...fenced(5)].join('\n'));
    assert.equal(linesAround(text, 4, 5), fenced(5).join('\n'));
    assert.equal(linesAround(text, 4, 6), [...fenced(5), 'after'].join('\n'));
    assert.equal(linesAround(text, 9, 2), 'after\nend');
    assert.equal(linesAround(text, 0, 1), 'before', 'one that begins after the end is not cut');
  });

  it('of 24 lines is short, one of 25 is not', () => {
    const short = ['before', ...fenced(22)].join('\n');
    assert.equal(linesAround(short, 0, 3), short);
    const long = ['before', ...fenced(23)].join('\n');
    assert.equal(linesAround(long, 0, 3), 'before');
  });

  it('that is long is left out, or looked at from inside', () => {
    const text = ['before', ...fenced(40), 'after', 'end'].join('\n');
    assert.equal(linesAround(text, 10, 3), 'code\ncode\ncode');
    assert.equal(linesAround(text, 2, 3), 'code\ncode');
    assert.equal(linesAround(text, 42, 4), 'after\nend');
    assert.equal(linesAround(text, 41, 3), 'code\ncode', 'its last line is not code');
    assert.equal(linesAround(text, 42, 3), 'after', 'the end of it says nothing');
  });

  it('that is long and all there is room for stays', () => {
    const long = fenced(30).join('\n');
    assert.equal(linesAround(`before\n${long}\nafter`, 0, 40), `before\n${long}\nafter`);
    assert.equal(linesAround(`${long}\nafter`, 0, 40), `${long}\nafter`);
    assert.equal(linesAround(`before\n${long}`, 0, 33), `before\n${long}`);
    assert.equal(linesAround(long, 32, 1), '```', 'one line is always left');
  });

  it('ends at its own mark, or with the text', () => {
    const other = ['~~~', 'a', '```', 'b', '~~~~', 'out', 'more'].join('\n');
    assert.equal(linesAround(other, 2, 1), ['~~~', 'a', '```', 'b', '~~~~'].join('\n'));
    const open = ['a', '```js', 'b', '``` js', 'c'].join('\n');
    assert.equal(linesAround(open, 3, 1), ['```js', 'b', '``` js', 'c'].join('\n'));
    const longer = ['````', 'a', '```', 'b', '````', 'c'].join('\n');
    assert.equal(linesAround(longer, 2, 1), ['````', 'a', '```', 'b', '````'].join('\n'));
  });
});
