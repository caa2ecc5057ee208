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

test('a match is where its word begins', () => {
  const places = (text: string, query: string) => findMatches(text, terms(query)).map(({ at }) => at);
  assert.deepEqual(places('restless state', 'state'), [9]);
  assert.deepEqual(places('naïve state', 'naive state'), [0, 6]);
  assert.deepEqual(places('nothing here', 'state'), []);
});
