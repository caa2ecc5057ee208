// What is packed for another thread comes out as it was.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { BLOCK_PROFILE, CHUNK_STRATEGIES, type ChunkProfile } from '../../../../src/domain/chunk.ts';
import { analyse } from '../../../../src/engine/text/analyse.ts';
import { pack, unpack } from '../../../../src/engine/index/thread/pack.ts';
import { anyText } from '../../text/arbitrary.ts';

const profile: fc.Arbitrary<ChunkProfile> = fc.oneof(
  fc.constant(BLOCK_PROFILE),
  fc.constantFrom(...CHUNK_STRATEGIES).map((strategy) => ({ strategy, size: 60, overlap: 10 })),
);

test('every analysis survives packing and the way between threads', () => {
  fc.assert(
    fc.property(anyText, profile, fc.constantFrom('markdown', 'plain'), (text, cutting, syntax) => {
      const analysis = analyse({ read: { text, syntax }, profile: cutting });
      assert.deepEqual(unpack(structuredClone(pack(analysis))), analysis);
    }),
    { numRuns: 300 },
  );
});

test('windows of lines, given headings and titles survive as well', () => {
  const lines = Array.from({ length: 450 }, (_, at) => `line ${at} of Paris`).join('\n');
  for (const headings of [undefined, [{ level: 3, text: 'Given', line: 7 }]]) {
    const analysis = analyse({
      read: { text: lines, syntax: 'plain', title: 'A log', headings },
      profile: BLOCK_PROFILE,
    });
    assert.deepEqual(unpack(structuredClone(pack(analysis))), analysis);
  }
});
