// A passage on a terminal: nothing is cut off, and the words that were asked for are marked and on screen.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { showPassage, wrap } from '../../src/cli/passage.ts';
import type { Frame } from '../../src/cli/frame.ts';
import { describeTerminal } from '../../src/cli/terminal.ts';

const LONG = `${'filler '.repeat(60)}rollbacks are quick ${'filler '.repeat(60)}end`;

function frame(columns: number, colour = false): Frame {
  const env: Record<string, string> = colour ? { FORCE_COLOR: '1' } : { NO_COLOR: '1' };
  return { terminal: describeTerminal({ isTTY: true, columns }, env) } as Frame;
}

function passage(text: string) {
  return { place: 'knowledge/a.md:7-8', headingPath: ['A', 'B'], text, firstLine: 7 };
}

test('lines are wrapped and numbered, and every word is still there', () => {
  const shown = showPassage(frame(40), passage(`${LONG}\nshort`));
  const rows = shown.split('\n');
  assert.ok(rows.every((row) => row.length <= 40));
  assert.equal(rows[0], 'knowledge/a.md:7-8');
  assert.equal(rows[1], '   A › B');
  assert.match(rows[2]!, /^ {5}7 filler/);
  assert.equal(rows.at(-1), '     8 short');
  assert.equal(rows.slice(2, -1).map((row) => row.slice(7)).join(' '), LONG); // prettier-ignore
});

test('a long line of a hit is shown around the word that was asked for', () => {
  const shown = showPassage(frame(60), passage(LONG), { query: 'rollback', rows: 3 });
  const rows = shown.split('\n').slice(2);
  assert.equal(rows.length, 3);
  assert.match(rows[1]!, /rollbacks are quick/);
  assert.ok(rows[0]!.includes('…') && rows[2]!.endsWith('…'));
  for (const width of [40, 47, 53, 61, 70])
    assert.ok(!showPassage(frame(width), passage(LONG), { query: 'rollback', rows: 3 }).includes('……'));
});

function marked(text: string, query: string): string[] {
  return showPassage(frame(80, true), passage(text), { query })
    .split('\u001b[33m')
    .slice(1)
    .map((part) => part.slice(0, part.indexOf('\u001b')));
}

test('matched words are marked whatever their ending; excluded ones and operators are not', () => {
  assert.deepEqual(marked('Rolling back releases or redis AND more', 'release -redis AND roll'), [
    'Rolling',
    'releases',
  ]);
  assert.deepEqual(marked('nothing here', 'absent'), []);
});

test('small words are marked only where the query has no others', () => {
  const text = 'The release is a step to the cloud, and how to undo it is below';
  assert.deepEqual(marked(text, 'How is a release undone to THE cloud'), ['release', 'cloud']);
  assert.deepEqual(marked('To be or not to be', 'to be'), ['To', 'be', 'to', 'be']);
});

test('what has no space is broken where the row ends', () => {
  assert.deepEqual(wrap('abcdefghij', 4), ['abcd', 'efgh', 'ij']);
  assert.deepEqual(wrap('', 4), ['']);
});
