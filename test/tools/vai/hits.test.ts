// The size of a search's answer: measured once where it is small, cut where it is not, the same contents either way.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { SearchHit, SearchResult } from '../../../src/engine/search/types.ts';
import { searchAnswer } from '../../../src/tools/vai/hits.ts';

const hit = (n: number, text: string): SearchHit => ({
  id: String(n),
  citation: `notes/p${n}:1-2@0123abcd`,
  collection: 'notes',
  path: `p${n}`,
  title: `Page ${n}`,
  source: `p${n}`,
  headingPath: ['Top', 'Part "two"'],
  lines: { start: 1, end: 2 },
  matchLines: [],
  snippet: '',
  text,
  score: 100 - n,
  scores: { words: 0.5, meaning: 0.25 },
  metadata: { n },
  sha256: '0123abcd',
  fetchedAt: '2026-01-01T00:00:00.000Z',
  chunkIndex: n,
  totalChunks: 9,
});

const result = (texts: readonly string[]): SearchResult => ({
  query: 'question',
  database: 'vai',
  collection: 'notes',
  mode: 'hybrid',
  hits: texts.map((text, n) => hit(n, text)),
  total: texts.length,
  totalIsBound: false,
  reranked: false,
  tokens: { embed: 1, rerank: 0 },
  notices: [],
  warnings: [],
  timeMs: 1,
});

const TEXTS = {
  plain: 'Words of a passage, line after line.\n'.repeat(20),
  escaped: '"\\\u0001\u0002'.repeat(200),
  wide: 'naïve 日本語 \ud83d\ude00 \ud800 '.repeat(40),
};

for (const [name, text] of Object.entries(TEXTS))
  test(`an answer stays within its budget and is whole as soon as it fits (${name})`, () => {
    const found = result([text, text, text]);
    const whole = searchAnswer(found, Infinity, { rerank: false });
    assert.equal(whole.size, JSON.stringify(whole.structured).length);
    let before = true;
    for (let budget = 2_000; budget < 40_000; budget += 250) {
      const { structured, size, text: shown } = searchAnswer(found, budget, { rerank: false });
      const written = JSON.stringify(structured).length;
      assert.ok(size === undefined || size === written);
      assert.ok(written <= budget && shown.length <= budget);
      const cut = structured['truncated'] === true;
      assert.ok(before || !cut, 'what was whole is not cut with more room');
      if (!cut) assert.deepEqual(structured, whole.structured);
      before = cut;
    }
    assert.equal(before, false);
  });
