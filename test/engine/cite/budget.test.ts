import assert from 'node:assert/strict';
import { test } from 'node:test';
import { cutLine, cutToFit, jsonLength } from '../../../src/engine/cite/budget.ts';

test('the length of a text is what it takes inside JSON', () => {
  assert.equal(jsonLength('abc'), 3);
  assert.equal(jsonLength('a"\n'), 5);
});

test('what fits is left alone; else as many whole lines as fit', () => {
  const text = 'one\ntwo\nthree\n';
  assert.equal(cutToFit(text, jsonLength(text)), undefined);
  assert.deepEqual(cutToFit(text, jsonLength(text) - 1), { content: 'one\ntwo', lines: 2 });
  for (const budget of [0, 1, 2]) assert.deepEqual(cutToFit(text, budget), { content: '', lines: 0 });
  for (let budget = 3; budget < jsonLength(text); budget += 1) {
    const cut = cutToFit(text, budget)!;
    assert.ok(jsonLength(cut.content) <= budget);
    assert.equal(cut.lines, budget < jsonLength('one\ntwo') ? 1 : 2, String(budget));
  }
});

test('of many lines exactly those that fit are kept', () => {
  const lines = Array.from({ length: 12 }, (_, at) => `line "${at}"`);
  for (let kept = 0; kept < lines.length; kept += 1) {
    const content = lines.slice(0, kept).join('\n');
    const text = lines.join('\n');
    assert.deepEqual(cutToFit(text, jsonLength(content)), { content, lines: kept });
    const next = jsonLength(lines.slice(0, kept + 1).join('\n'));
    assert.deepEqual(cutToFit(text, next - 1), { content, lines: kept });
  }
});

test('the beginning of an endless line fits, and never ends in half a character', () => {
  assert.equal(cutLine('abcdef', 10), 'abcdef');
  assert.equal(cutLine('abcdef', 4), 'abcd');
  assert.equal(cutLine('abcdef', 0), '');
  assert.equal(cutLine('abcdef', -5), '');
  const quotes = cutLine('"'.repeat(100), 50);
  assert.ok(jsonLength(quotes) <= 50 && quotes.length > 20);
  assert.equal(cutLine('"aaaa', 4), '"aa');
  assert.equal(cutLine('""', 1), '');
  assert.equal(cutLine('ab😀', 3), 'ab');
  assert.equal(cutLine('ab😀c', 4), 'ab😀');
  // Not where a shorter try ends inside of one either.
  const begin = `"${'a'.repeat(88)}`;
  assert.equal(cutLine(`${begin}😀${'a'.repeat(50)}`, 100), begin);
});
