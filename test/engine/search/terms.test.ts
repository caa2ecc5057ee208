import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { stem } from '../../../src/domain/stem.ts';
import { STOPWORDS } from '../../../src/domain/stopwords.ts';
import { parseQuery } from '../../../src/engine/search/parse-query.ts';
import { countPerLine, findMatches, termsOf } from '../../../src/engine/search/terms.ts';

const terms = (query: string) => termsOf(parseQuery(query), STOPWORDS);
const counts = (text: string, query: string) => countPerLine(text, findMatches(text, terms(query)));

/** The plain way: every word of every line, whole and in its camelCase parts. */
function plainly(text: string, words: readonly string[]): number[] {
  const roots = new Set(words.map((word) => stem(word.toLowerCase())));
  const fold = (line: string) => line.normalize('NFKD').replaceAll(/\p{M}/gu, '');
  const split = (line: string) =>
    fold(line)
      .toLowerCase()
      .match(/[\p{L}\p{N}]+/gu) ?? [];
  return text.split('\n').map((line) => {
    const parts = line.replaceAll(/(\p{Ll}|\d)(\p{Lu})/gu, '$1 $2');
    return new Set([...split(line), ...split(parts)].map(stem).filter((root) => roots.has(root))).size;
  });
}

const WORDS = [
  'state',
  'cluster',
  'happy',
  'bundle',
  'node',
  'cafe',
  'error',
  'file',
  'usable',
  'key',
  'tie',
];
const SPELLINGS = [
  ...WORDS,
  ...[
    'states',
    'clustering',
    'happily',
    'Bundled',
    'NODE',
    'café',
    'CAFÉ',
    'errors',
    'useState',
    'clusterError',
  ],
  ...[
    'nodeState2Cluster',
    'stateless',
    'HTTPError',
    'x',
    'naïveNode',
    'über',
    'nodes’',
    '—state',
    '(error)',
    '語',
  ],
  ...[
    'İstanbul',
    'ÉcoleState',
    '\u{1F600}',
    'node\u{1F600}',
    '1state',
    'state1',
    'filing',
    'usability',
    'keys',
    'ties',
    'tied',
    'Tying',
    '',
    '\r',
  ],
];

test('counts per line are those of reading every word', () => {
  fc.assert(
    fc.property(
      fc.array(fc.tuple(fc.constantFrom(...SPELLINGS), fc.constantFrom(' ', '\n', '.', '-', '_', '')), {
        maxLength: 60,
      }),
      fc.uniqueArray(fc.constantFrom(...WORDS), { minLength: 1, maxLength: 4 }),
      (pieces, words) => {
        const text = pieces.flat().join('');
        assert.deepEqual(counts(text, words.join(' ')), plainly(text, words));
      },
    ),
    { numRuns: 2000 },
  );
});

test('a prefix matches words that begin with it, and parts of camelCase', () => {
  assert.deepEqual(counts('clusters\nmyClusterName\ncast', 'clu*'), [1, 1, 0]);
});

test('words of a script without spaces are found inside a run of letters', () => {
  assert.deepEqual(counts('今日は東京都にいます\n大阪', '東京'), [1, 0]);
});

const places = (text: string, query: string) => findMatches(text, terms(query)).map(({ at }) => at);

test('a match is where its word begins, once', () => {
  for (const [text, query, expected] of [
    ['restless state', 'state', [9]],
    ['naïve state', 'naive state', [0, 6]],
    ['nothing here', 'state', []],
    ['a b aBc aA', 'a', [0, 4, 8, 9]],
    ['useState, useStates', 'useState', [0, 10]],
    ['nodeStateCluster', 'stateCluster', []],
    ['nodeStateCluster', 'state', [4]],
    ['é', 'e', [0]],
    ['stateé state', 'sta*', [0, 7]],
  ] as const)
    assert.deepEqual(places(text, query), expected, `${query} in ${text}`);
});

test('what is a word is decided alike for every character', () => {
  const characters = Array.from({ length: 0x180 }, (_, code) => String.fromCharCode(code));
  const beyond = ['\u1fff', '\u2000', '\u2bff', '\u2c00', '\u3002', '語', '\u{10000}', '\u{1d7ff}', '\ue000', '，', '\uffff']; // prettier-ignore
  for (const character of [...characters, ...beyond])
    for (const text of [`x${character}y`, `X${character}Y`, `x${character}`, `${character}y`])
      for (const word of ['x', 'y'])
        assert.deepEqual(counts(text, word), plainly(text, [word]), `${word} in ${JSON.stringify(text)}`);
});

test('beyond ASCII a match is where its word begins too', () => {
  for (const [text, expected] of [
    ['a。state', [2]],
    ['a，state', [2]],
    ['é state', [2]],
    ['—state', [1]],
    ['x éa-state', [5]],
    // Letters, so another word.
    ['state\u{10000}', []],
    ['\u{1d7ff}state', []],
    // Signs like this one are never part of a word.
    ['stateℂ', [0]],
  ] as const)
    assert.deepEqual(places(text, 'state'), expected, text);
});

test('all words are marked that a query asks for, and stop words only where there are no others', () => {
  const text = 'the tide of a table';
  for (const [query, expected] of [
    ['"tide table"', [4, 14]],
    ['(tide AND table) OR pier', [4, 14]],
    ['+table -tide', [14]],
    ['the tide', [4]],
    ['the of', [0, 9]],
  ] as const)
    assert.deepEqual(places(text, query), expected, query);
});

test('each term has a number, prefixes after the stems', () => {
  const found = findMatches('tides, tables and piers', terms('table tide pi*'));
  assert.deepEqual(found, [
    { at: 0, term: 1 },
    { at: 7, term: 0 },
    { at: 18, term: 2 },
  ]);
});

test('a prefix that is nothing but marks finds nothing', () => {
  assert.deepEqual(places('tide', '\uff9e\uff9e*'), []);
});
