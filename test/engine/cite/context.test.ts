import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { indexLines, type LineRange } from '../../../src/domain/lines.ts';
import { contextWindow, type ContextMode } from '../../../src/engine/cite/context.ts';
import { headingTree } from '../../../src/engine/text/headings.ts';

function windowOf(text: string, range: LineRange, mode: ContextMode, padding?: number) {
  const headings = headingTree(text, 'markdown');
  const lines = text.split('\n').length;
  return contextWindow({ headings, lines, range, mode, ...(padding === undefined ? {} : { padding }) });
}
const at = (start: number, end = start): LineRange => ({ start, end });

//           1         2   3       4    5        6    7        8   9       10
const DOC = '# Title\nintro\n## A\na text\n### A1\na1\n### A2\na2\n## B\nb text';

test('none is exact, or padded on both sides within the text', () => {
  assert.deepEqual(windowOf(DOC, at(4), 'none').range, at(4));
  assert.deepEqual(windowOf(DOC, at(4), 'none', 2).range, at(2, 6));
  assert.deepEqual(windowOf(DOC, at(1, 10), 'none', 50).range, at(1, 10));
});

test('symmetric without padding is the smallest section around the range', () => {
  assert.deepEqual(windowOf(DOC, at(6), 'symmetric'), { range: at(5, 6), headingPath: ['Title', 'A', 'A1'] });
  assert.deepEqual(windowOf(DOC, at(3), 'symmetric').range, at(3, 8));
  assert.deepEqual(windowOf(DOC, at(6, 7), 'symmetric').range, at(3, 8));
  assert.deepEqual(windowOf(DOC, at(8, 9), 'symmetric').range, at(1, 10));
  assert.deepEqual(windowOf(DOC, at(6), 'symmetric', 0).range, at(6));
  assert.deepEqual(windowOf(DOC, at(6), 'symmetric', 1).range, at(5, 7));
});

test('all is the top section, below a single title', () => {
  assert.deepEqual(windowOf(DOC, at(6), 'all').range, at(3, 8));
  assert.deepEqual(windowOf(DOC, at(1), 'all').range, at(1, 2));
  assert.deepEqual(windowOf(DOC, at(6, 9), 'all').range, at(3, 10));
  const pages = '# One\n1\n## Sub\n2\n# Two\n3';
  assert.deepEqual(windowOf(pages, at(4), 'all').range, at(1, 4));
  assert.deepEqual(windowOf(pages, at(4, 5), 'all').range, at(1, 6));
  assert.deepEqual(windowOf('# Only\ntext', at(2), 'all').range, at(1, 2));
});

test('text before the first heading is a section of its own', () => {
  const text = 'before\nmore\n# One\n1\n# Two\n2';
  assert.deepEqual(windowOf(text, at(2), 'symmetric'), { range: at(1, 2), headingPath: [] });
  assert.deepEqual(windowOf(text, at(2), 'all').range, at(1, 2));
});

test('the headings above what is returned are told', () => {
  const path = (range: LineRange, mode: ContextMode): string[] => windowOf(DOC, range, mode).headingPath;
  assert.deepEqual(path(at(8, 9), 'symmetric'), ['Title']);
  assert.deepEqual(path(at(6, 7), 'none'), ['Title', 'A']);
  assert.deepEqual(path(at(6), 'all'), ['Title', 'A']);
  assert.deepEqual(path(at(6, 9), 'all'), ['Title']);
  const pages = '# One\n1\n## Sub\n2\n# Two\n3';
  assert.deepEqual(windowOf(pages, at(2, 3), 'symmetric'), { range: at(1, 4), headingPath: ['One'] });
  assert.deepEqual(windowOf(pages, at(4, 5), 'symmetric'), { range: at(1, 6), headingPath: [] });
});

test('a title with one section below it is a section of its own', () => {
  assert.deepEqual(windowOf('# Title\nintro\n## Only\ntext', at(4), 'all').range, at(3, 4));
  assert.deepEqual(windowOf('# Title\nintro\n## Only\ntext', at(2), 'all').range, at(1, 2));
});

test('a text of which no heading is known is one section', () => {
  for (const range of [at(1), at(3), at(5)])
    for (const mode of ['symmetric', 'all'] as const)
      assert.deepEqual(contextWindow({ headings: [], lines: 5, range, mode }), {
        range: at(1, 5),
        headingPath: [],
      });
});

test('headings of a shorter text, replaced meanwhile, leave what was asked for', () => {
  const headings = headingTree('# One\n1\n', 'markdown');
  const window = contextWindow({ headings, lines: 10, range: at(8), mode: 'all' });
  assert.deepEqual(window, { range: at(8), headingPath: [] });
});

test('a text without headings has windows of 200 lines', () => {
  const text = Array.from({ length: 450 }, (_, line) => `line ${line + 1}`).join('\n');
  assert.deepEqual(windowOf(text, at(250), 'symmetric'), {
    range: at(201, 400),
    headingPath: ['Lines 201-400'],
  });
  assert.deepEqual(windowOf(text, at(199, 202), 'all').range, at(1, 400));
});

test('a request of nearly as many lines, or of more, is not widened beyond them', () => {
  const text = ['# T', ...Array.from({ length: 999 }, () => 'x')].join('\n');
  assert.deepEqual(windowOf(text, at(300, 498), 'symmetric').range, at(300, 499));
  assert.deepEqual(windowOf(text, at(300, 499), 'symmetric').range, at(300, 499));
  assert.deepEqual(windowOf(text, at(300, 600), 'symmetric').range, at(300, 600));
});

test('a long section is cut to 200 lines around the request, unused shares given to the other side', () => {
  const text = ['# T', ...Array.from({ length: 999 }, () => 'x')].join('\n');
  const middle = windowOf(text, at(500, 509), 'symmetric');
  assert.deepEqual(middle.range, at(405, 604));
  assert.deepEqual(middle.rest, at(605, 1000));
  assert.deepEqual(windowOf(text, at(3), 'symmetric').range, at(1, 200));
  const last = windowOf(text, at(1000), 'symmetric');
  assert.deepEqual(last.range, at(801, 1000));
  assert.deepEqual(last.rest, at(1, 800));
  assert.deepEqual(windowOf(text, at(100, 400), 'symmetric').range, at(100, 400));
});

test('every window holds what was asked for and stays inside the text', () => {
  const line = fc.oneof(fc.constantFrom('# H', '## H', '### H', '#### H', 'text', '', '```', 'Set', '---'));
  fc.assert(
    fc.property(
      fc.array(line, { minLength: 1, maxLength: 60 }),
      fc.nat(),
      fc.nat(),
      fc.constantFrom<ContextMode>('none', 'symmetric', 'all'),
      (source, a, b, mode) => {
        const text = source.join('\n');
        const lines = indexLines(text).count;
        fc.pre(lines > 0);
        const [start, end] = [(a % lines) + 1, (b % lines) + 1].sort((x, y) => x - y) as [number, number];
        const headings = headingTree(text, 'markdown');
        const { range } = contextWindow({ headings, lines, range: { start, end }, mode });
        assert.ok(range.start >= 1 && range.end <= lines);
        assert.ok(range.start <= start && range.end >= end);
      },
    ),
    { numRuns: 500 },
  );
});
