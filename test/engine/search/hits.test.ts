// What a hit shows of the passages that were chosen.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { toHits } from '../../../src/engine/search/hits.ts';
import type { Chosen } from '../../../src/engine/search/select.ts';
import type { Store } from '../../../src/ports/store.ts';

const chunk = {
  ...{ id: 'c1', collection: 'docs', path: 'a.md', title: 'A', headingPath: ['A'], text: 'the passage' },
  ...{
    startLine: 12,
    endLine: 13,
    sha256: '0123abcd',
    fetchedAt: '',
    ordinal: 2,
    totalChunks: 5,
    metadata: {},
  },
};

async function hit(
  text: string | undefined,
  { blocks = false, similarity = new Map<string, number>(), ...more }: { blocks?: boolean; similarity?: Map<string, number>; chunk?: object; candidate?: object } = {}, // prettier-ignore
) {
  const store = { documents: { lines: () => Promise.resolve([text]) } } as unknown as Store;
  const candidate = {
    chunk: { ...chunk, ...more.chunk },
    fused: { scores: { words: 0.5 } },
    ...more.candidate,
  };
  const chosen = { candidates: [candidate], lines: { start: 10, end: 14 }, score: 0.7 } as unknown as Chosen;
  const shown = { terms: undefined, excerpt: undefined, relevance: [0.4], similarity, blocks };
  const [found] = await toHits(store, [chosen], shown);
  return found!;
}

test('lines at the ends that say nothing are left out, and the citation follows', async () => {
  for (const [text, start, end, left] of [
    ['a\nb\nc\nd\ne', 10, 14, 'a\nb\nc\nd\ne'],
    ['\n  \nc\nd\n', 12, 13, 'c\nd'],
    ['\nb\nc\nd\ne', 11, 14, 'b\nc\nd\ne'],
    ['a\nb\nc\n\n<!-- end -->', 10, 12, 'a\nb\nc'],
    ['a\n\n\n\ne', 10, 14, 'a\n\n\n\ne'],
    ['\n\nc\n\n', 12, 12, 'c'],
    ['\n\n\n\n', 10, 14, '\n\n\n\n'],
  ] as const) {
    const found = await hit(text);
    assert.deepEqual([found.text, found.lines], [left, { start, end }], JSON.stringify(text));
    assert.equal(found.citation, `docs/a.md:${start === end ? start : `${start}-${end}`}@0123abcd`);
    assert.equal(found.partial, undefined);
  }
});

test('of lines longer than 8,000 characters, or that are gone, the passage is shown', async () => {
  assert.equal((await hit('x'.repeat(8_000))).text.length, 8_000);
  for (const text of ['x'.repeat(8_001), undefined]) {
    const found = await hit(text);
    assert.deepEqual([found.text, found.lines, found.partial], ['the passage', { start: 12, end: 13 }, true]);
  }
});

test('a block is shown from its first line to its last, however long', async () => {
  for (const text of ['\na\n', 'x'.repeat(9_000)]) {
    const found = await hit(text, { blocks: true });
    assert.deepEqual([found.text, found.lines, found.partial], [text, { start: 10, end: 14 }, undefined]);
  }
  assert.equal((await hit(undefined, { blocks: true })).text, 'the passage');
});

test('what is not known of a hit is not there', async () => {
  const bare = await hit('a');
  for (const key of ['origin', 'page', 'partial', 'similarity']) assert.ok(!(key in bare), key);
  assert.deepEqual(bare.scores, { words: 0.5 });
  assert.deepEqual([bare.score, bare.relevance, bare.matchLines, bare.snippet], [0.7, 0.4, [], '']);
  const full = await hit('a', {
    ...{ similarity: new Map([['c1', 0.3]]), candidate: { rerank: 0.9 } },
    chunk: { origin: 'https://example.com/a', page: 3 },
  });
  assert.deepEqual([full.origin, full.page, full.similarity], ['https://example.com/a', 3, 0.3]);
  assert.deepEqual(full.scores, { words: 0.5, rerank: 0.9 });
});

test('the source is the path, else where it came from, else the collection', async () => {
  const source = async (more: object): Promise<string> => (await hit('a', { chunk: more })).source;
  assert.equal(await source({ origin: 'https://example.com' }), 'a.md');
  assert.equal(await source({ path: '', origin: 'https://example.com' }), 'https://example.com');
  assert.equal(await source({ path: '' }), 'docs');
});
