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
  for (const count of [1, 3, 5]) assert.equal(pack(page, { maxTokens: one * count + 1 }).hits.length, count);
  assert.equal(pack(page, {}).hits.length, 6);
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

test('hits below the relevance that was asked for are dealt with, not shown', () => {
  const rated = page.map((hit, n) => ({ ...hit, relevance: n % 2 }));
  const { hits, done } = pack(rated, { minRelevance: 0.5 });
  assert.deepEqual([hits.map(({ id }) => id), done], [['1', '3', '5'], 6]);
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
