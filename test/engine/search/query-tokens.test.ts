import assert from 'node:assert/strict';
import { test } from 'node:test';
import { tidyWord, tokenizeQuery } from '../../../src/engine/search/query-tokens.ts';

/** Short forms: `w:x` a word, `p:` a prefix, `"a b"` a phrase, `title/` before what has a field. */
function shown(text: string): string | undefined {
  return tokenizeQuery(text)
    ?.map((token) => {
      const field = 'field' in token && token.field ? `${token.field}/` : '';
      if (token.kind === 'word') return `${field}${token.prefix ? 'p' : 'w'}:${token.text}`;
      if (token.kind === 'phrase') return `${field}"${token.words.join(' ')}"`;
      return `${field}${token.kind}`;
    })
    .join(' ');
}

const cases: [string, string | undefined][] = [
  ['', ''],
  ['  two   words ', 'w:two w:words'],
  ['a AND b OR NOT c', 'w:a and w:b or not w:c'],
  ['and or not', 'w:and w:or w:not'],
  ['AND, x', 'w:and w:x'],
  ['(a b) c', 'open w:a w:b close w:c'],
  ['useState(x) f(a(b))', 'w:useState w:x w:f w:a w:b'],
  ['f(x) g (y)', 'w:f w:x w:g open w:y close'],
  ['(a)title:"b c"', 'open w:a close w:title "b c"'],
  ['-1234567890123456789x -123456789012345678x', 'w:1234567890123456789x not w:123456789012345678x'],
  ['x] (a)', 'w:x open w:a close'],
  ['(a', undefined],
  ['a)', undefined],
  ['"open', undefined],
  ['"two words" “curly quotes”', '"two words" "curly quotes"'],
  ['""', ''],
  ['"a  , b!"', '"a b"'],
  ['a"b c"d', 'w:a "b c" w:d'],
  ['+must -not -"a b" -(c d)', 'plus w:must not w:not not "a b" not open w:c w:d close'],
  ['--flag -5 - + a-b a+b -3d', 'w:flag w:5 w:a-b w:a+b not w:3d'],
  ['+(a) +"b" +5', 'plus open w:a close plus "b" plus w:5'],
  ['-+x', 'w:x'],
  ['title:pod heading:Pod_x', 'title/w:pod heading/w:Pod_x'],
  ['TITLE:"a b" title:(a b)', 'title/"a b" title/open w:a w:b close'],
  ['-title:x', 'not title/w:x'],
  ['title: x', 'w:title w:x'],
  ['title:', 'w:title'],
  ['(title:)', 'open w:title close'],
  ['subtitle:x', 'w:subtitle:x'],
  ['"title:x', undefined],
  ['title:heading:x', 'title/w:heading:x'],
  ['.title:x', 'title/w:x'],
  ['title:AND', 'title/w:and'],
  ['conf* *', 'p:conf'],
  ['a*', 'w:a'],
  ['title:conf*', 'title/p:conf'],
  ['conf*ig', 'w:conf*ig'],
  ['日本* ñandú', 'p:日本 w:ñandú'],
  ['!!! ... C++', 'w:C'],
  ['a “', undefined],
];

for (const [text, expected] of cases) test(`\`${text}\``, () => assert.equal(shown(text), expected));

test('a word is read 512 characters at a time', () => {
  const tokens = tokenizeQuery('x'.repeat(513))!;
  assert.deepEqual(
    tokens.map((token) => (token.kind === 'word' ? token.text.length : 0)),
    [512, 1],
  );
});

test('a word goes from its first to its last letter or digit', () => {
  assert.equal(tidyWord('«été»!'), 'été');
  assert.equal(tidyWord('.a'), 'a');
  assert.equal(tidyWord('!?'), '');
});
