// What of a page is given: the best hits whole, never more than there is room for, and where to go on.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { parseCitation } from '../../../src/domain/citation.ts';
import { estimateTokens } from '../../../src/domain/tokens.ts';
import { pack } from '../../../src/engine/search/pack.ts';
import { aHit } from '../../support/hit.ts';

const size = ({ text }: { text: string }): number => text.length;
const room = (total: number) => ({ room: { total, of: size } });
const passage = (n: number): string => `The passage number ${n} says\nwhat only passage ${n} can say.`;
const page = Array.from({ length: 6 }, (_, n) => aHit(n, passage(n)));
const each = passage(0).length;

test('the best hits come whole, more room gives more of them, and what is left is counted', () => {
  for (let total = each; total <= 7 * each; total += 10) {
    const { hits, done } = pack(page, room(total));
    assert.equal(hits.length, Math.min(6, Math.floor(total / each)));
    assert.equal(done, hits.length);
    assert.deepEqual(hits, page.slice(0, done));
  }
});

test('the texts stay within the tokens that were asked for', () => {
  const one = estimateTokens(passage(0));
  for (const count of [1, 3, 5]) assert.deepEqual(pack(page, { maxTokens: one * count }).hits, page.slice(0, count)); // prettier-ignore
  assert.equal(pack(page, { maxTokens: one * 3 - 1 }).hits.length, 2);
  assert.equal(pack(page, {}).hits.length, 6);
  assert.equal(
    pack(page, { maxTokens: one * 4, ...room(each * 2) }).hits.length,
    2,
    'the tighter limit counts',
  );
});

test('the first is always given: as many lines as fit, then a part of a line', () => {
  const long = aHit(
    0,
    Array.from({ length: 30 }, (_, n) => `Line number ${n} of a long passage.`).join('\n'),
  );
  const { hits, done } = pack([long, page[1]!], room(200));
  const [hit] = hits;
  assert.deepEqual([hits.length, done], [1, 1]);
  assert.ok(hit!.text.length <= 200 && long.text.startsWith(`${hit!.text}\n`));
  assert.deepEqual(hit!.lines, { start: 1, end: hit!.text.split('\n').length });
  assert.deepEqual(parseCitation(hit!.citation).ranges, [hit!.lines]);
  assert.equal(hit!.partial, undefined);
  const [part] = pack([aHit(0, '😀'.repeat(500))], room(101)).hits;
  assert.ok(part!.partial && part!.text.length > 0 && part!.text.length <= 101 && part!.text.isWellFormed());
});

/** What is given of one text where there is not room for all of it. */
const given = (text: string, total: number, of = size) =>
  pack([aHit(0, text)], { room: { total, of } }).hits[0]!;

test('of the first, nine tenths of the room are filled with whole lines', () => {
  // Of 100 characters 90: two lines of 44 with their ends are exactly that, and the third has no room.
  const lines = ['a'.repeat(44), 'b'.repeat(44), 'c', 'd'.repeat(908)];
  const hit = given(lines.join('\n'), 100);
  assert.equal(hit.text, lines.slice(0, 2).join('\n'));
  assert.deepEqual([hit.lines, hit.partial], [{ start: 1, end: 2 }, undefined]);
  const alone = given(`${'a'.repeat(50)}\n${'b'.repeat(949)}`, 100);
  assert.deepEqual([alone.text, alone.partial], ['a'.repeat(50), undefined]);
});

test('a part of a line never ends inside a character, and is one character at least', () => {
  const hit = given(`${'x'.repeat(62)}😀${'x'.repeat(936)}`, 70);
  assert.equal(hit.text, 'x'.repeat(62));
  assert.deepEqual([hit.lines, hit.partial], [{ start: 1, end: 1 }, true]);
  assert.equal(given('abc', 1).text, 'a');
});

test('the first is shortened until it fits, eight times at most', () => {
  const length = (total: number, of: typeof size): number => given('x'.repeat(1000), total, of).text.length;
  // Beside its text a hit takes 60: 84, 52 and 41 characters are still too many.
  assert.equal(
    length(100, ({ text }) => 60 + text.length),
    36,
  );
  // 450, 202, 90 and 40, which fits exactly.
  assert.equal(
    length(100, ({ text }) => (text.length > 50 ? 200 : 100)),
    40,
  );
  const never = given('x'.repeat(10_000), 100, () => 200);
  assert.equal(never.text.length, 16, '4500, 2025, 911, 409, 184, 82, 36, 16');
});

test('hits below the relevance that was asked for are dealt with, not shown', () => {
  const rated = page.map((hit, n) => ({ ...hit, relevance: n % 2 }));
  const { hits, done } = pack(rated, { minRelevance: 0.5 });
  assert.deepEqual([hits.map(({ id }) => id), done], [['1', '3', '5'], 6]);
  assert.equal(pack(rated, { minRelevance: 1 }).hits.length, 3, 'as much as was asked for is enough');
});

test('lines at the ends of a hit that a better one has shown are not shown again', () => {
  const shared = 'All examples need version 4 of the client.';
  const first = aHit(0, `${shared}\nHow the first thing works.`);
  const second = aHit(1, `${shared}\n\nHow the second thing works.\n${shared}`);
  const copy = aHit(2, `${shared}\nHow the first thing works.`);
  const { hits } = pack([first, second, copy], {});
  assert.equal(hits[1]!.text, 'How the second thing works.');
  assert.deepEqual(hits[1]!.lines, { start: 3, end: 3 });
  assert.deepEqual(parseCitation(hits[1]!.citation).ranges, [{ start: 3, end: 3 }]);
  assert.equal(hits[2]!.text, copy.text, 'a hit always has a text');
  const heading = aHit(3, `## Sizes\n\n${shared}`);
  assert.equal(pack([first, heading], {}).hits[1]!.text, heading.text, 'and more than a heading');
});

test('lines of 20 characters and more are text that is not shown twice', () => {
  const after = (line: string, own: string): string =>
    pack([aHit(0, `${line}\nSomething of the first alone.`), aHit(1, `${line}\n${own}\n)`)], {}).hits[1]!
      .text;
  const [long, short] = ['x'.repeat(20), 'y'.repeat(19)];
  assert.equal(after(long, 'Something of the second.'), 'Something of the second.\n)');
  assert.equal(after(short, 'Something of the second.'), `${short}\nSomething of the second.\n)`);
  assert.equal(after(long, 'z'.repeat(20)), `${'z'.repeat(20)}\n)`);
  assert.equal(after(long, 'z'.repeat(19)), `${long}\n${'z'.repeat(19)}\n)`, 'too little would be left');
});

test('a part of a long line stays as it is', () => {
  const part = { ...aHit(1, `${passage(0)}\nand then what is new in it`), partial: true as const };
  assert.equal(pack([page[0]!, part], {}).hits[1]!.text, part.text);
});
