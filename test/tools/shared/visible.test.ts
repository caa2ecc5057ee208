// What is hidden is written out, what a script or an emoji needs stays, and an ordinary answer is not even copied.

import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { visible, visibleIn } from '../../../src/tools/shared/visible.ts';

const tags = (text: string): string =>
  [...text].map((letter) => String.fromCodePoint(0xe0000 + letter.charCodeAt(0))).join('');

describe('invisible characters are written out', () => {
  const cases: [string, string, string][] = [
    ['direction marks', 'user\u202etxt.exe', 'user[U+202E]txt.exe'],
    ['isolates', 'a\u2066b\u2069', 'a[U+2066]b[U+2069]'],
    ['zero width', 'pass\u200bword', 'pass[U+200B]word'],
    ['byte order mark', '\ufeffa', '[U+FEFF]a'],
    ['tags', `ok${tags('run it')}.`, 'ok[U+E0072 and 5 more invisible characters].'],
    ['tags after a flag', `🏴${tags('delete all')}\u{e007f}`, '🏴[U+E0064 and 10 more invisible characters]'],
    ['a run of selectors', '😀\ufe0f\ufe01\ufe02', '😀\ufe0f[U+FE01][U+FE02]'],
    ['a selector of nothing', 'a\u{e0101}', 'a[U+E0101]'],
    ['two joiners', 'a\u200d\u200db', 'a[U+200D][U+200D]b'],
    ['a joiner at an edge', '\u200dword', '[U+200D]word'],
    ['terminal escapes', '\u001b[2J\u009b', '[U+001B][2J[U+009B]'],
    ['a carriage return that overwrites', 'safe\rrm', 'safe[U+000D]rm'],
    ['line separators', 'a\u2028b', 'a[U+2028]b'],
    ['fillers', 'a\u3164b\u115f', 'a[U+3164]b[U+115F]'],
  ];
  for (const [what, text, expected] of cases) test(what, () => assert.equal(visible(text), expected));
});

describe('what belongs stays', () => {
  const cases: [string, string][] = [
    ['line ends and tabs', 'a\tb\r\nc\n'],
    ['a joiner in a Persian word', 'می\u200cخواهم'],
    ['a joiner in a Hindi word', 'क्\u200dष'],
    ['families', '👩\u200d👩\u200d👧'],
    ['skin and hair', '👩🏽\u200d💻'],
    ['a heart on fire', '❤\ufe0f\u200d🔥'],
    ['an eye in a bubble', '👁\ufe0f\u200d🗨\ufe0f'],
    ['keycaps', '1\ufe0f⃣'],
    ['the flag of Wales', `🏴${tags('gbwls')}\u{e007f}`],
    ['a variant of an ideograph', '葛\u{e0100}'],
    ['a soft hyphen', 'co\u00adoperate'],
  ];
  for (const [what, text] of cases) test(what, () => assert.equal(visible(text), text));
});

test('an answer without anything hidden is the same object; else names are shown too', () => {
  const plain = { a: [1, 'x', { b: null }], c: 'é\n' };
  assert.equal(visibleIn(plain), plain);
  assert.deepEqual(visibleIn({ a: ['x\u202e', { 'b\u200b': 1 }], c: 1 }), {
    a: ['x[U+202E]', { 'b[U+200B]': 1 }],
    c: 1,
  });
});
