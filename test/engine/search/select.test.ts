// Which candidates become hits: said once, joined with their neighbours, few of each document.

import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { Candidate } from '../../../src/engine/search/rerank.ts';
import { selector, type Selection } from '../../../src/engine/search/select.ts';
import type { CollectionView } from '../../../src/engine/scope.ts';

const collection = (name: string, documents: number): CollectionView =>
  ({ name, stats: { documents } }) as CollectionView;

const base: Selection = { collections: [collection('docs', 9)], blocks: false, join: true };

let unique = 0;
/** Five words that no other candidate has, so that no two say the same. */
const words = (): string => Array.from({ length: 12 }, () => `word${unique++}`).join(' ');

function candidate(
  ordinal: number,
  more: { path?: string; text?: string; score?: number; block?: [number, number]; collection?: string } = {},
): Candidate {
  const { path = 'a.md', text = words(), score = 1, block = [1, 100], collection = 'docs' } = more;
  const chunk = {
    id: `${path}${ordinal}`,
    collection,
    path,
    ordinal,
    text,
    startLine: ordinal * 10 + 1,
    endLine: ordinal * 10 + 10,
    block: { start: block[0], end: block[1] },
    headingPath: [],
    title: '',
    metadata: {},
  };
  return { chunk, score } as unknown as Candidate;
}

function choose(selection: Partial<Selection>, ...batches: Candidate[][]) {
  const chosen = selector({ ...base, ...selection });
  for (const batch of batches) chosen.add(batch);
  return chosen.chosen.map(({ candidates, lines, score }) => ({
    at: candidates.map(({ chunk }) => `${chunk.path}#${chunk.ordinal}`).join(' '),
    lines: `${lines.start}-${lines.end}`,
    score,
  }));
}

const places = (hits: { at: string }[]): string[] => hits.map(({ at }) => at);

describe('hits', () => {
  it('join passages beside each other in one section, and only those', () => {
    const hits = choose({}, [candidate(5), candidate(6), candidate(4), candidate(8)]);
    assert.deepEqual(hits, [
      { at: 'a.md#5 a.md#6 a.md#4', lines: '41-70', score: 1 },
      { at: 'a.md#8', lines: '81-90', score: 1 },
    ]);
    assert.deepEqual(places(choose({ join: false }, [candidate(5), candidate(6)])), ['a.md#5', 'a.md#6']);
    const otherSection = candidate(6, { block: [61, 100] });
    assert.deepEqual(places(choose({}, [candidate(5), otherSection])), ['a.md#5', 'a.md#6']);
    const elsewhere = candidate(6, { path: 'b.md' });
    assert.deepEqual(places(choose({}, [candidate(5), elsewhere])), ['a.md#5', 'b.md#6']);
    assert.deepEqual(places(choose({}, [candidate(5)], [candidate(6)])), ['a.md#5', 'a.md#6']);
  });

  it('join four passages and 1,500 characters at most', () => {
    const five = [1, 2, 3, 4, 5].map((ordinal) => candidate(ordinal));
    assert.deepEqual(places(choose({}, five)), ['a.md#1 a.md#2 a.md#3 a.md#4', 'a.md#5']);
    const long = (length: number) => words().padEnd(length, 'x');
    const fits = [candidate(1, { text: long(750) }), candidate(2, { text: long(750) })];
    assert.equal(choose({}, fits).length, 1);
    const over = [candidate(1, { text: long(750) }), candidate(2, { text: long(751) })];
    assert.equal(choose({}, over).length, 2);
  });

  it('of one document are three, unless it is the only one or more are asked for', () => {
    const apart = [1, 3, 5, 7].map((ordinal) => candidate(ordinal));
    assert.deepEqual(places(choose({}, apart)), ['a.md#1', 'a.md#3', 'a.md#5']);
    assert.equal(choose({ perDocument: 1 }, apart).length, 1);
    assert.equal(choose({ collections: [collection('docs', 1)] }, apart).length, 4);
    assert.equal(choose({ collections: [collection('docs', 2)] }, apart).length, 3);
    const beside = [...apart.slice(0, 3), candidate(6)];
    assert.deepEqual(places(choose({}, beside)), ['a.md#1', 'a.md#3', 'a.md#5 a.md#6']);
  });

  it('that say the same are shown once', () => {
    const text = words();
    const hits = choose({}, [candidate(1, { text }), candidate(9, { text, path: 'copy.md' })]);
    assert.deepEqual(places(hits), ['a.md#1']);
  });

  it('never score above the one before, nor above 1', () => {
    assert.equal(choose({}, [candidate(1, { score: 1.5 })])[0]!.score, 1);
    const scores = [0.9, 0.95, 0.4].map((score, at) => candidate(at * 2, { score, path: `${at}.md` }));
    assert.deepEqual(
      choose({}, scores).map(({ score }) => score),
      [0.9, 0.9, 0.4],
    );
  });

  it('are widened to their block where asked, each block once and none too long', () => {
    const block: [number, number] = [11, 40];
    const hits = choose({ blocks: true, join: false }, [candidate(1, { block }), candidate(3, { block })]);
    assert.deepEqual(hits, [{ at: 'a.md#1', lines: '11-40', score: 1 }]);
    const just = choose({ blocks: true }, [candidate(1, { block: [1, 120] })]);
    assert.equal(just[0]!.lines, '1-120');
    const long = choose({ blocks: true }, [candidate(1, { block: [1, 121] })]);
    assert.equal(long[0]!.lines, '11-20');
  });
});
