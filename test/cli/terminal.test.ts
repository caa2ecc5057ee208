import assert from 'node:assert/strict';
import { test } from 'node:test';
import { describeTerminal, forTerminal, printable } from '../../src/cli/terminal.ts';

test('colour follows the stream, NO_COLOR and FORCE_COLOR', () => {
  assert.equal(describeTerminal({ isTTY: true }, {}).bold('x'), '\u001b[1mx\u001b[0m');
  assert.equal(describeTerminal({ isTTY: true }, { NO_COLOR: '1' }).bold('x'), 'x');
  assert.equal(describeTerminal({ isTTY: false }, {}).bold('x'), 'x');
  assert.equal(describeTerminal({ isTTY: false }, { FORCE_COLOR: '1' }).bold('x'), '\u001b[1mx\u001b[0m');
  assert.equal(describeTerminal({ isTTY: true }, { TERM: 'dumb' }).bold('x'), 'x');
});

test('a pipe never gets a link escape', () => {
  assert.equal(describeTerminal({ isTTY: false }, { FORCE_COLOR: '1' }).link('x', 'https://a.example'), 'x');
  assert.match(describeTerminal({ isTTY: true }, {}).link('x', 'https://a.example'), /https:\/\/a\.example/);
});

test('escape sequences of a document do not reach the terminal', () => {
  assert.equal(printable('a\u001b[31mred\u0007\u009b2Jb\tc'), 'a[U+001B][31mred[U+0007][U+009B]2Jb\tc');
});

test('a terminal that does not know its width is taken for a usual one', () => {
  assert.equal(describeTerminal({ isTTY: true, columns: 0 }, {}).width, 80);
  assert.equal(describeTerminal({ isTTY: true, columns: 0 }, { COLUMNS: '120' }).width, 120);
  assert.equal(describeTerminal({ isTTY: true, columns: 50 }, {}).width, 50);
});

test('an answer keeps our colours and links, and writes out every other escape sequence', () => {
  const ours = '\u001b[1mA\u001b[0m \u001b]8;;https://a.example\u0007b\u001b]8;;\u0007\n\tc\r\n';
  assert.equal(forTerminal(ours), ours);
  for (const theirs of ['\u001b[2J', '\u001b]0;title\u0007', '\u009b2J', '\u001bc'])
    assert.doesNotMatch(forTerminal(`x${theirs}y`), /[\u001b\u0007\u009b]/); // eslint-disable-line no-control-regex
});

test('what joins letters stays where a colour begins or ends beside it', () => {
  const words = 'می\u200c\u001b[33mخواهم\u001b[0m Donau\u00ad\u001b[33mdampf\u001b[0m\u00adschiff';
  assert.equal(forTerminal(words), words);
  assert.equal(forTerminal('a \u200c\u001b[33mb\u001b[0m\u202ec'), 'a [U+200C]\u001b[33mb\u001b[0m[U+202E]c');
});
