import assert from 'node:assert/strict';
import { test } from 'node:test';
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

test('texts of nothing but equal lines are followed in bounded time', () => {
  const before = `${'a\n'.repeat(60_000)}b\n`;
  // Compared line by line without a limit this would take hours.
  const resolution = resolveLines(before, 'a\n'.repeat(120_000), { start: 30_000, end: 60_001 });
  assert.equal(resolution.status, 'changed');
});
