import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import { CHUNK_STRATEGIES, chunkText, type ChunkProfile } from '../../../../src/domain/chunk.ts';
import { VaiError } from '../../../../src/domain/errors.ts';
import { indexLines, lineAt, rangeOffsets } from '../../../../src/domain/lines.ts';
import { chunkDocument } from '../../../../src/engine/text/chunk/chunk.ts';
import { outline } from '../../../../src/engine/text/headings.ts';
import { anyText, documentText } from '../arbitrary.ts';

const STRATEGIES = [...CHUNK_STRATEGIES, 'blocks'] as const;

const sizes = fc
  .integer({ min: 16, max: 400 })
  .chain((size) =>
    fc.record({ size: fc.constant(size), overlap: fc.integer({ min: 0, max: Math.ceil(size / 2) - 1 }) }),
  );

function chunksOf(text: string, profile: ChunkProfile, syntax: 'markdown' | 'plain' = 'markdown') {
  return chunkDocument({ text, profile, outline: outline(text, syntax) });
}

const RUNS = { numRuns: 250 };

for (const strategy of STRATEGIES) {
  describe(`chunks by ${strategy}`, () => {
    it('stay within the size, prefix and overlap included', () => {
      fc.assert(
        fc.property(anyText, sizes, (text, size) => {
          for (const chunk of chunksOf(text, { strategy, ...size }))
            assert.ok(
              chunkText(text, chunk).length <= size.size,
              `${chunkText(text, chunk).length} > ${size.size}`,
            );
        }),
        RUNS,
      );
    });

    it('lose nothing and keep the order', () => {
      fc.assert(
        fc.property(anyText, sizes, (text, size) => {
          let reached = 0;
          let lastStart = -1;
          for (const { start, end } of chunksOf(text, { strategy, ...size })) {
            assert.ok(start > lastStart && end > reached, 'starts and ends grow');
            if (start > reached) assert.equal(text.slice(reached, start).trim(), '');
            assert.notEqual(text.slice(start, end).trim(), '');
            lastStart = start;
            reached = end;
          }
          assert.equal(text.slice(reached).trim(), '');
        }),
        RUNS,
      );
    });

    it('give exact lines, ordinals and blocks', () => {
      fc.assert(
        fc.property(anyText, sizes, (text, size) => {
          const index = indexLines(text);
          for (const [at, chunk] of chunksOf(text, { strategy, ...size }).entries()) {
            assert.equal(chunk.ordinal, at);
            assert.equal(chunk.startLine, lineAt(index, chunk.start));
            assert.equal(chunk.endLine, lineAt(index, chunk.end - 1));
            assert.ok(
              chunk.block.start <= chunk.startLine && chunk.block.end >= chunk.endLine,
              'block holds the chunk',
            );
          }
        }),
        RUNS,
      );
    });

    it('keep a fence whole that fits', () => {
      fc.assert(
        fc.property(documentText, sizes, (text, size) => {
          const structure = outline(text, 'markdown');
          const chunks = chunkDocument({ text, profile: { strategy, ...size }, outline: structure });
          for (const fence of structure.fences) {
            const { start, end } = rangeOffsets(text, structure.lines, fence);
            const length = text.slice(start, end).trimEnd().length;
            // The repeated heading takes at most a quarter and two line ends.
            const room = strategy === 'markdown' ? size.size - Math.floor(size.size / 4) - 3 : size.size;
            if (end - start > room || length === 0) continue;
            const whole = chunks.some((chunk) => chunk.start <= start && chunk.end >= start + length);
            assert.ok(whole, `fence ${fence.start}-${fence.end} was cut`);
          }
        }),
        RUNS,
      );
    });

    it('never cut a surrogate pair, a mark from its letter or CRLF', () => {
      fc.assert(
        fc.property(documentText, sizes, (text, size) => {
          for (const { start, end } of chunksOf(text, { strategy, ...size }))
            for (const at of [start, end]) {
              if (at === 0 || at === text.length) continue;
              const pair = text.slice(at - 1, at + 1);
              assert.ok(!/^[\ud800-\udbff][\udc00-\udfff]$/.test(pair), 'surrogate pair');
              assert.notEqual(pair, '\r\n');
              assert.ok(!/^\p{M}/u.test(text.slice(at)), 'combining mark');
            }
        }),
        RUNS,
      );
    });
  });
}

describe('chunkDocument', () => {
  it('refuses an overlap of half the size or more, and a size out of bounds', () => {
    const bad: ChunkProfile[] = [
      { strategy: 'fixed', size: 100, overlap: 50 },
      { strategy: 'recursive', size: 100, overlap: 400 },
      { strategy: 'recursive', size: 100, overlap: -1 },
      { strategy: 'sentence', size: 0, overlap: 0 },
      { strategy: 'markdown', size: 99.5, overlap: 0 },
      { strategy: 'paragraph', size: Number.NaN, overlap: 0 },
    ];
    for (const profile of bad)
      assert.throws(
        () => chunksOf('text', profile),
        (error) => error instanceof VaiError && error.code === 'INVALID_INPUT',
      );
  });

  it('gives nothing for white space', () => {
    for (const strategy of STRATEGIES)
      assert.deepEqual(chunksOf(' \n\t\r\n ', { strategy, size: 100, overlap: 0 }), []);
  });

  it('really overlaps', () => {
    const text = Array.from({ length: 400 }, (_, i) => `word${i}`).join(' ');
    for (const strategy of ['fixed', 'recursive', 'paragraph', 'markdown', 'blocks'] as const) {
      const chunks = chunksOf(text, { strategy, size: 200, overlap: 50 });
      assert.ok(chunks.length > 10);
      for (const [at, chunk] of chunks.entries())
        if (at > 0) {
          const shared = chunks[at - 1]!.end - chunk.start;
          assert.ok(shared >= 40 && shared <= 50, `${strategy} shares ${shared}`);
        }
    }
  });

  it('overlaps sentences by whole sentences', () => {
    const text = Array.from({ length: 40 }, (_, i) => `Sentence number ${i} is here.`).join(' ');
    const chunks = chunksOf(text, { strategy: 'sentence', size: 200, overlap: 60 });
    assert.ok(chunks.length > 5);
    for (const chunk of chunks) assert.match(text.slice(chunk.start, chunk.end), /^Sentence .*\.$/s);
    assert.ok(chunks[1]!.start < chunks[0]!.end);
  });

  it('starts the next fixed window at the end less the overlap', () => {
    const text = 'x'.repeat(1000);
    const chunks = chunksOf(text, { strategy: 'fixed', size: 100, overlap: 25 });
    assert.deepEqual(
      chunks.slice(0, 3).map(({ start, end }) => [start, end]),
      [
        [0, 100],
        [75, 175],
        [150, 250],
      ],
    );
    assert.deepEqual(
      new Set(chunks.map(({ startLine, endLine }) => `${startLine}-${endLine}`)),
      new Set(['1-1']),
    );
  });

  it('repeats the heading on every later piece of a long section', () => {
    const text = `# Guide\n\n## Install\n\n${'Run the installer and wait for it. '.repeat(40)}`;
    const chunks = chunksOf(text, { strategy: 'markdown', size: 300, overlap: 0 });
    assert.equal(chunkText(text, chunks[0]!), '# Guide');
    assert.match(chunkText(text, chunks[1]!), /^## Install\n\nRun/);
    for (const chunk of chunks.slice(2)) {
      assert.equal(chunk.prefix, '## Install\n\n');
      assert.deepEqual(chunk.headingPath, ['Guide', 'Install']);
    }
  });

  it('cuts blocks at headings and nowhere else when they fit', () => {
    const text = 'before\n\n# A\n\none\n\n## B\n\n```\n# no\n```\n\ntwo\n\n# C\n';
    const chunks = chunksOf(text, { strategy: 'blocks', size: 1500, overlap: 0 });
    assert.deepEqual(
      chunks.map(({ startLine, endLine, headingPath, block }) => [startLine, endLine, headingPath, block]),
      [
        [1, 1, [], { start: 1, end: 2 }],
        [3, 5, ['A'], { start: 3, end: 6 }],
        [7, 13, ['A', 'B'], { start: 7, end: 14 }],
        [15, 15, ['C'], { start: 15, end: 15 }],
      ],
    );
  });

  it('keeps a heading with the paragraph it introduces', () => {
    const text = `## Title\n\n${'word '.repeat(310)}\n\nlast\n`;
    const [first] = chunksOf(text, { strategy: 'blocks', size: 1500, overlap: 0 });
    assert.ok(first!.end - first!.start > 1000);
  });

  it('takes hostile texts', () => {
    const parts = ['a', '.', '# a\n', '```\n', '. A', 'a\u0301\u0302', '> ', '- ', '<a ', '[a](', '\n', ' '];
    for (const part of parts) {
      const text = `x${part.repeat(400_000 / part.length)}x`;
      for (const strategy of STRATEGIES) {
        const chunks = chunksOf(text, { strategy, size: 512, overlap: 50 });
        assert.ok(
          chunks.every(({ start, end }) => end - start <= 512),
          `${strategy} on ${JSON.stringify(part)}`,
        );
      }
    }
  });

  it('moves a heading to the chunk of what it introduces', () => {
    const text = `${'Some words. '.repeat(30)}\n\n## Next\n\n${'Other words. '.repeat(30)}\n`;
    for (const strategy of ['recursive', 'paragraph'] as const) {
      const chunks = chunksOf(text, { strategy, size: 512, overlap: 0 });
      assert.ok(text.slice(chunks[1]!.start).startsWith('## Next'), strategy);
    }
  });
});
