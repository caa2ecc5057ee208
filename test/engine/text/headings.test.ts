import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import { headingTree, outline } from '../../../src/engine/text/headings.ts';
import { displayHeading } from '../../../src/engine/text/markdown/display.ts';
import { anyText } from './arbitrary.ts';

describe('headingTree', () => {
  it('builds paths by comparing levels: a skipped level does not nest siblings', () => {
    const tree = headingTree('# A\n### b\n### c\n## d\n# E\n', 'markdown');
    assert.deepEqual(
      tree.map(({ path }) => path.join('/')),
      ['A', 'A/b', 'A/c', 'A/d', 'E'],
    );
  });

  it('gives the block of a heading and the section with its children', () => {
    const tree = headingTree('intro\n\n# A\none\n## B\ntwo\n\n# C', 'markdown');
    assert.deepEqual(
      tree.map(({ line, block, section }) => [line, block.end, section.end]),
      [
        [3, 4, 7],
        [5, 7, 7],
        [8, 8, 8],
      ],
    );
  });

  it('refuses a text of nothing but headings before it makes a tree of them', () => {
    assert.throws(() => outline('# a\n'.repeat(100_001), 'markdown'), { code: 'TOO_LARGE' });
  });

  it('names the first line of a setext heading', () => {
    const [heading] = headingTree('text\n\nTwo\nlines\n-----\nbody', 'markdown');
    assert.deepEqual([heading!.line, heading!.level, heading!.text], [3, 2, 'Two lines']);
  });

  it('gives windows of 200 lines to a text without headings', () => {
    const tree = headingTree('x\n'.repeat(401), 'plain');
    assert.deepEqual(
      tree.map(({ path, block }) => [path, block]),
      [
        [['Lines 1-200'], { start: 1, end: 200 }],
        [['Lines 201-400'], { start: 201, end: 400 }],
        [['Lines 401-401'], { start: 401, end: 401 }],
      ],
    );
    assert.equal(outline('x', 'plain').windows, true);
    assert.deepEqual(headingTree('', 'plain'), []);
  });

  it('takes headings a reader found, one a line and inside the text', () => {
    const given = [
      { level: 2, text: ' b ', line: 3 },
      { level: 1, text: 'a', line: 1 },
      { level: 1, text: 'twice', line: 3 },
      { level: 1, text: 'outside', line: 9 },
    ];
    assert.deepEqual(
      outline('a\nx\nb\n', 'plain', given).headings.map(({ path }) => path),
      [['a'], ['a', 'b']],
    );
  });

  it('keeps anchors over edits elsewhere and tells repeated headings apart', () => {
    const before = headingTree('# A\n## Usage\n# B\n## Usage\n## Usage\n', 'markdown');
    const after = headingTree(
      'new\n\n# Zero\n\n# A\nmore\n## Usage\n# B\n## Usage\ntext\n## Usage\n',
      'markdown',
    );
    const anchors = before.map(({ anchor }) => anchor);
    assert.equal(new Set(anchors).size, 5);
    assert.deepEqual(
      after.slice(1).map(({ anchor }) => anchor),
      anchors,
    );
    for (const anchor of anchors) assert.match(anchor, /^[a-z0-9-]+$/);
  });

  it('covers every text: blocks follow each other, sections nest, anchors differ', () => {
    fc.assert(
      fc.property(anyText, (text) => {
        const { headings, lines } = outline(text, 'markdown');
        let last = (headings[0]?.line ?? 1) - 1;
        for (const { line, block, section, path, anchor } of headings) {
          assert.equal(block.start, last + 1);
          assert.equal(block.start, line);
          assert.ok(section.end >= block.end && section.end <= lines.count);
          assert.ok(path.length >= 1);
          assert.match(anchor, /^[a-z0-9-]+$/);
          last = block.end;
        }
        if (headings.length > 0) assert.equal(last, lines.count);
        assert.equal(new Set(headings.map(({ anchor }) => anchor)).size, headings.length);
      }),
      { numRuns: 300 },
    );
  });
});

describe('displayHeading', () => {
  const cases: [string, string][] = [
    ['Reference {/*reference*/}', 'Reference'],
    ['`fs.readFile(path[, options])`', 'fs.readFile(path[, options])'],
    ['[Foo](http://a/b_(c)) &amp; **bold** _it_ snake_case', 'Foo & bold it snake_case'],
    ['Heading {#my-id}', 'Heading'],
    ['Heading [#my-id]', 'Heading'],
    ['[[Processes#Control block|Control block]] of [[Linux]]', 'Control block of Linux'],
    ['[#1]', '[#1]'],
    ['<a id="x"></a>Title', 'Title'],
    ['Class: `http.Agent`', 'Class: http.Agent'],
    ['a * b', 'a * b'],
    ['\\*not em\\*', '*not em*'],
    ['![logo](x.png) Bun', 'logo Bun'],
    ['[`useState`](/ref "T")', 'useState'],
    ['`<Suspense>`', '<Suspense>'],
    ['&#x41;&#66; &unknown;', 'AB &unknown;'],
    ['', ''],
  ];
  for (const [raw, shown] of cases)
    it(`shows ${raw} as ${shown}`, () => assert.equal(displayHeading(raw), shown));

  it('shows no more of a hostile heading than there is', () => {
    for (const part of ['[', '`', '<a', '*', '_a', '&', '{#', '![](', '<!--'])
      assert.ok(displayHeading(part.repeat(1000)).length <= part.length * 1000, part);
  });
});
