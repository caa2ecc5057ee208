// A hit as the engine gives it, for tests of what is done with hits.

import type { SearchHit } from '../../src/engine/search/types.ts';

export function aHit(n: number, text: string): SearchHit {
  return {
    id: String(n),
    citation: `notes/p${n}:1-${text.split('\n').length}@0123abcd`,
    collection: 'notes',
    path: `p${n}`,
    title: `Page ${n}`,
    source: `p${n}`,
    headingPath: ['Top', 'Part "two"'],
    lines: { start: 1, end: text.split('\n').length },
    matchLines: [],
    snippet: '',
    text,
    score: 1 - n / 100,
    relevance: 0.5,
    scores: { words: 0.5, meaning: 0.25 },
    metadata: { n },
    sha256: '0123abcd',
    fetchedAt: '2026-01-01T00:00:00.000Z',
    chunkIndex: n,
    totalChunks: 9,
  };
}
