import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import fc from 'fast-check';
import { resolveLines } from '../../../src/engine/cite/resolve-lines.ts';

const OLD = [
  '# Guide',
  '',
  '## Install',
  '',
  'Run the installer.',
  'Wait.',
  '',
  '## Usage',
  '',
  'Call it.',
  '',
].join('\n');
const at = (start: number, end = start) => ({ start, end });

test('an unchanged passage is the same, also when something below changed', () => {
  assert.deepEqual(resolveLines(OLD, OLD, at(3, 6)), { status: 'same', range: at(3, 6) });
  assert.deepEqual(resolveLines(OLD, OLD.replace('Call it.', 'Call them.'), at(3, 6)).status, 'same');
});

test('lines added above move it', () => {
  const now = OLD.replace('# Guide\n', '# Guide\n\nNew introduction.\n');
  assert.deepEqual(resolveLines(OLD, now, at(3, 6)), { status: 'moved', range: at(5, 8) });
});

test('a section that was moved as a whole is found', () => {
  const now = [
    '# Guide',
    '',
    '## Usage',
    '',
    'Call it.',
    '',
    '## Install',
    '',
    'Run the installer.',
    'Wait.',
    '',
  ].join('\n');
  assert.deepEqual(resolveLines(OLD, now, at(3, 6)), { status: 'moved', range: at(7, 10) });
});

test('an edit inside is a change that says what', () => {
  const now = OLD.replace('Wait.', 'Wait a minute.');
  assert.deepEqual(resolveLines(OLD, now, at(5, 6)), {
    status: 'changed',
    range: at(5, 6),
    removed: ['Wait.'],
    added: ['Wait a minute.'],
  });
  assert.deepEqual(resolveLines(OLD, now, at(5, 8)), {
    status: 'changed',
    range: at(5, 8),
    removed: ['Wait.'],
    added: ['Wait a minute.'],
  });
});

test('an edit of the first or the last cited line is shown too', () => {
  const first = resolveLines(OLD, OLD.replace('Run the installer.', 'Start the installer.'), at(5, 6));
  assert.deepEqual(first, {
    status: 'changed',
    range: at(5, 6),
    removed: ['Run the installer.'],
    added: ['Start the installer.'],
  });
  const last = resolveLines(OLD, `New.\n${OLD.replace('Wait.', 'Wait.\nWait more.')}`, at(3, 6));
  assert.deepEqual(last, { status: 'moved', range: at(4, 7) });
  const edited = resolveLines(OLD, OLD.replace('Wait.', 'Sit.\nStand.'), at(3, 6));
  assert.deepEqual(edited, {
    status: 'changed',
    range: at(3, 7),
    removed: ['Wait.'],
    added: ['Sit.', 'Stand.'],
  });
  // A line that is only gone leaves nothing to show, and what follows does not take its place.
  const gone = resolveLines(OLD, OLD.replace('Wait.\n', ''), at(3, 6));
  assert.deepEqual(gone, { status: 'changed', range: at(3, 5), removed: ['Wait.'], added: [] });
});

test('a rewritten passage under the same heading is changed, a removed section is gone', () => {
  const rewritten = OLD.replace('Run the installer.\nWait.', 'Download it.');
  const resolution = resolveLines(OLD, rewritten, at(5, 6));
  assert.equal(resolution.status, 'changed');
  assert.deepEqual('removed' in resolution && resolution.removed, ['Run the installer.', 'Wait.']);
  const removed = ['# Guide', '', '## Usage', '', 'Call it.', ''].join('\n');
  assert.deepEqual(resolveLines(OLD, removed, at(3, 6)), { status: 'gone' });
});

test('one of several repeated headings is told apart', () => {
  const old = '## A\n\n### Usage\n\nfirst\n\n## B\n\n### Usage\n\nsecond\n';
  assert.deepEqual(resolveLines(old, `# T\n${old}`, at(9, 11)), { status: 'moved', range: at(10, 12) });
});

test('a passage that is repeated is the one between its neighbours, not the nearest', () => {
  const old = '# A\n\nUsage\n\n# B\n\nUsage\n';
  const now = `1\n2\n3\n4\n${old}`;
  assert.deepEqual(resolveLines(old, now, at(7)), { status: 'moved', range: at(11) });
  assert.deepEqual(resolveLines(old, now, at(6, 7)), { status: 'moved', range: at(10, 11) });
  assert.deepEqual(resolveLines(old, now, at(4)), { status: 'moved', range: at(8) });
});

test('inserting lines anywhere never loses an untouched passage', () => {
  const line = fc
    .string({ minLength: 4, maxLength: 12 })
    .map((text) => `x ${text.replaceAll(/[\r\n]/g, ' ')}`);
  fc.assert(
    fc.property(
      fc.uniqueArray(line, { minLength: 3, maxLength: 40 }),
      fc.array(fc.constant('inserted line'), { maxLength: 5 }),
      fc.nat(),
      fc.nat(),
      (lines, inserted, where, which) => {
        const start = (which % lines.length) + 1;
        const cut = where % start;
        const now = [...lines.slice(0, cut), ...inserted, ...lines.slice(cut)].join('\n');
        const resolution = resolveLines(lines.join('\n'), now, at(start));
        assert.deepEqual('range' in resolution && resolution.range, at(start + inserted.length));
      },
    ),
  );
});

test('lines past the end of the old text are gone', () => {
  assert.deepEqual(resolveLines(OLD, OLD, at(12)), { status: 'gone' });
  assert.deepEqual(resolveLines(OLD, OLD, at(10, 99)), { status: 'moved', range: at(10) });
  assert.deepEqual(resolveLines('', 'a\n', at(1)), { status: 'gone' });
});

test('line ends and a missing last one make no difference', () => {
  const windows = OLD.replaceAll('\n', '\r\n');
  assert.deepEqual(resolveLines(OLD, windows, at(1, 10)), { status: 'same', range: at(1, 10) });
  assert.deepEqual(resolveLines('a\nb', 'a\nb\n', at(1, 2)), { status: 'same', range: at(1, 2) });
  assert.deepEqual(resolveLines('a\r\nb', 'x\na\nb', at(1, 2)), { status: 'moved', range: at(2, 3) });
});

test('lines with new ones between them are changed, although all of them are there', () => {
  assert.deepEqual(resolveLines(OLD, OLD.replace('Wait.', 'Breathe.\nWait.'), at(5, 6)), {
    status: 'changed',
    range: at(5, 7),
    removed: [],
    added: ['Breathe.'],
  });
});

describe('where the first or the last cited line was replaced', () => {
  const text = (...lines: string[]): string => lines.join('\n');
  const many = (count: number, name = 'new'): string[] =>
    Array.from({ length: count }, (_, line) => `${name} ${line}`);
  const range = (before: string, after: string, cited: { start: number; end: number }) => {
    const resolution = resolveLines(before, after, cited);
    assert.equal(resolution.status, 'changed');
    return 'range' in resolution ? resolution.range : undefined;
  };
  const old = text('top', 'one', 'two', 'three', 'four', 'end');

  test('what stands in its place is shown, up to the lines around', () => {
    assert.deepEqual(range(old, text('top', 'ONE', 'two', 'three', 'four', 'end'), at(2, 4)), at(2, 4));
    assert.deepEqual(range(old, text('top', 'A', 'B', 'two', 'three', 'four', 'end'), at(2, 4)), at(2, 5));
    assert.deepEqual(range(old, text('top', 'A', 'B', 'three', 'four', 'end'), at(2, 4)), at(2, 4));
    assert.deepEqual(range(old, text('top', 'one', 'two', 'A', 'B', 'four', 'end'), at(2, 4)), at(2, 5));
    assert.deepEqual(range(old, text('top', 'one', 'A', 'B', 'C', 'four', 'end'), at(2, 4)), at(2, 5));
  });

  test('at the beginning and the end of the text as well', () => {
    assert.deepEqual(range(old, text('TOP', 'one', 'two', 'three', 'four', 'end'), at(1, 2)), at(1, 2));
    assert.deepEqual(range(old, text('A', 'B', 'one', 'two', 'three', 'four', 'end'), at(1, 2)), at(1, 3));
    assert.deepEqual(range(old, text('top', 'one', 'two', 'three', 'four', 'END'), at(5, 6)), at(5, 6));
    assert.deepEqual(range(old, text('top', 'one', 'two', 'three', 'four', 'A', 'B'), at(5, 6)), at(5, 7));
  });

  test('nothing is added where a line is only gone', () => {
    assert.deepEqual(range(old, text('top', 'two', 'three', 'four', 'end'), at(2, 4)), at(2, 3));
    assert.deepEqual(range(old, text('top', 'one', 'two', 'four', 'end'), at(2, 4)), at(2, 3));
    // Nor where its neighbour is gone as well.
    assert.deepEqual(range(old, text('top', 'one', 'four', 'end'), at(4, 5)), at(3));
    assert.deepEqual(range(old, text('top', 'one', 'four', 'end'), at(2, 3)), at(2));
  });

  test('as many lines as before where lines around it were replaced too', () => {
    const above = text('A', 'B', 'C', 'D', 'two', 'three', 'four', 'end');
    assert.deepEqual(range(old, above, at(2, 4)), at(4, 6));
    const below = text('top', 'one', 'two', 'A', 'B', 'C', 'D');
    assert.deepEqual(range(old, below, at(2, 4)), at(2, 4));
    assert.deepEqual(range(old, text('top', 'one', 'A', 'B', 'C', 'D'), at(2, 4)), at(2, 4));
    assert.deepEqual(range(old, text('top', 'one', 'A'), at(2, 4)), at(2, 3));
    assert.deepEqual(range(old, text('A', 'B', 'two', 'C', 'D', 'four', 'end'), at(2, 4)), at(2, 5));
    assert.deepEqual(range(old, text('top', 'A', 'B', 'two', 'C', 'D', 'end'), at(2, 4)), at(2, 5));
  });

  test('not more than twenty lines beyond those it had', () => {
    const above = text('top', ...many(50), 'two', 'three', 'four', 'end');
    assert.deepEqual(range(old, above, at(2, 4)), at(31, 53));
    const below = text('top', 'one', ...many(50), 'four', 'end');
    assert.deepEqual(range(old, below, at(2, 4)), at(2, 24));
  });

  test('the first twenty lines that came and went are listed', () => {
    const before = text('top', ...many(30, 'old'), 'end');
    const resolution = resolveLines(before, text('top', ...many(30), 'end'), at(1, 32));
    assert.deepEqual(resolution, {
      status: 'changed',
      range: at(1, 32),
      removed: many(20, 'old'),
      added: many(20),
    });
  });
});

describe('a passage that is elsewhere', () => {
  const [one, two, three] = ['# One', '# Two', '# Three'];
  const fixed = ['fixed a', 'fixed b', 'fixed c', 'fixed d', 'fixed e'];
  const old = ['start', 'x', 'y', ...fixed].join('\n');

  test('is found as a whole only', () => {
    const elsewhere = (...lines: string[]) => resolveLines(old, [...fixed, ...lines].join('\n'), at(2, 3));
    assert.deepEqual(elsewhere('x', 'y'), { status: 'moved', range: at(6, 7) });
    assert.deepEqual(elsewhere('x', '', 'x', 'y'), { status: 'moved', range: at(8, 9) });
    assert.deepEqual(elsewhere('x', 'x', 'y'), { status: 'moved', range: at(7, 8) });
    assert.deepEqual(elsewhere('x', '', 'y'), { status: 'gone' });
    assert.deepEqual(elsewhere('x'), { status: 'gone' });
  });

  test('is the copy nearest to where it was, the first of two as near', () => {
    const lost = Array.from({ length: 20 }, (_, line) => `lost ${line}`);
    const before = [...lost, 'x', 'y', ...fixed].join('\n');
    const copies = (between: number) => {
      const now = [...fixed, 'x', 'y', ...Array.from({ length: between }, () => '-'), 'x', 'y'].join('\n');
      const resolution = resolveLines(before, now, at(21, 22));
      return 'range' in resolution && resolution.range;
    };
    assert.deepEqual(copies(27), at(35, 36));
    assert.deepEqual(copies(28), at(6, 7));
    assert.deepEqual(copies(29), at(6, 7));
  });

  test('is not looked for where its lines say nothing', () => {
    const rule = ['---', '```'];
    const before = ['start', ...rule, ...fixed].join('\n');
    assert.deepEqual(resolveLines(before, [...fixed, ...rule].join('\n'), at(2, 3)), { status: 'gone' });
    assert.deepEqual(resolveLines(before, ['start', '---', ...fixed].join('\n'), at(2, 3)), {
      status: 'changed',
      range: at(2),
      removed: ['```'],
      added: [],
    });
  });

  test('is not taken for its brackets and blank lines', () => {
    const before = [one, '', 'first', '', two, '', 'second', ''].join('\n');
    const now = [one, '', '', three, '', 'third', ''].join('\n');
    assert.deepEqual(resolveLines(before, now, at(6, 8)), { status: 'gone' });
  });

  test('is looked for in two million comparisons', () => {
    // Each of the `repeats` lines before the passage costs a comparison of all the lines that are alike.
    const passage = [...Array.from({ length: 999 }, () => 'a'), 'b'];
    const resolve = (repeats: number) =>
      resolveLines(
        [...passage, ...fixed].join('\n'),
        [...fixed, ...Array.from({ length: repeats }, () => 'a'), ...passage].join('\n'),
        at(1, 1000),
      );
    assert.deepEqual(resolve(1998), { status: 'moved', range: at(2004, 3003) });
    assert.deepEqual(resolve(1999), { status: 'gone' });
  });
});

describe('a passage of which nothing is left', () => {
  test('is what took its place, or else what stands under its heading now', () => {
    const now = OLD.replace('Run the installer.\nWait.', 'Download it.');
    for (const cited of [at(5), at(5, 6)]) {
      const resolution = resolveLines(OLD, now, cited);
      assert.deepEqual('range' in resolution && resolution.range, at(5));
    }
    const one = resolveLines(OLD, OLD.replace('Wait.', 'Wait for it.'), at(6));
    assert.deepEqual(one, { status: 'changed', range: at(6), removed: ['Wait.'], added: ['Wait for it.'] });
    const last = resolveLines('# A\n\nx\n', '# A\n\ny\nz\n', at(3));
    assert.deepEqual(last, { status: 'changed', range: at(3, 4), removed: ['x'], added: ['y', 'z'] });
    // Nothing took its place, or what did reaches into another section.
    const only = resolveLines(OLD, OLD.replace('Run the installer.\nWait.\n', ''), at(5, 6));
    assert.deepEqual('range' in only && only.range, at(3, 5));
    const beyond = resolveLines('# A\nx\n# B\ny\n', '# A\nnew\n# C\nz\n', at(2));
    assert.deepEqual('range' in beyond && beyond.range, at(1, 2));
    // Its own heading counts, not the one above.
    const renamed = resolveLines('# A\n\n# B\n', '# A\n\nnew\n', at(3));
    assert.deepEqual(renamed, { status: 'gone' });
  });

  test('is gone where there was no heading, or none in one of the texts', () => {
    assert.deepEqual(resolveLines('lost\n# A\nx\n', '# A\nx\n', at(1)), { status: 'gone' });
    assert.deepEqual(resolveLines('lost\n', 'other\n', at(1)), { status: 'gone' });
    assert.deepEqual(resolveLines('lost\n', '# Lines 1-1\nother\n', at(1)), { status: 'gone' });
    assert.deepEqual(resolveLines('# Lines 1-1\nlost\n', 'other\n', at(2)), { status: 'gone' });
  });
});

test('texts of nothing but equal lines are followed in bounded time', () => {
  const before = `${'a\n'.repeat(60_000)}b\n`;
  // Compared line by line without a limit this would take hours.
  const resolution = resolveLines(before, 'a\n'.repeat(120_000), { start: 30_000, end: 60_001 });
  assert.equal(resolution.status, 'changed');
});
