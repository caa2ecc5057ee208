import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import type { WordNode, WordQuery } from '../../../src/domain/query.ts';
import { parseQuery, withoutPhrases } from '../../../src/engine/search/parse-query.ts';

const term = (text: string, more: Partial<Extract<WordNode, { kind: 'term' }>> = {}): WordNode => ({
  kind: 'term',
  text,
  ...more,
});
const phrase = (words: string, more: object = {}): WordNode => ({
  kind: 'phrase',
  words: words.split(' '),
  ...more,
});

function parsed(text: string): Partial<WordQuery> {
  const { should, must, not, headings } = parseQuery(text);
  return {
    ...(should.length ? { should } : {}),
    ...(must.length ? { must } : {}),
    ...(not.length ? { not } : {}),
    ...(headings ? { headings } : {}),
  };
}

const CASES: [string, Partial<WordQuery>][] = [
  ['a b', { should: [term('a'), term('b')] }],
  ['How do hooks work?', { should: [term('How'), term('do'), term('hooks'), term('work')] }],
  ['"a b" c', { should: [term('c')], must: [phrase('a b')] }],
  ['+ab c', { should: [term('c')], must: [term('ab')] }],
  ['a -bc', { should: [term('a')], not: [term('bc')] }],
  ['chmod +x tar -x4', { should: [term('chmod'), term('x'), term('tar')], not: [term('x4')] }],
  ['git commit -a', { should: [term('git'), term('commit'), term('a')] }],
  ['-語 a', { should: [term('a')], not: [term('語')] }],
  ['what is +ab -cd', { should: [term('what'), term('is'), term('ab'), term('cd')] }],
  ['why should I NOT run', { should: [term('why'), term('should'), term('I'), term('run')] }],
  ['how-to -ab', { should: [term('how-to')], not: [term('ab')] }],
  ["what's -ab", { should: [term("what's"), term('ab')] }],
  ['"how to" -ab', { must: [phrase('how to')], not: [term('ab')] }],
  ['title:is -ab', { must: [term('is', { field: 'title' })], not: [term('ab')] }],
  ['+can bus -ab', { should: [term('bus')], must: [term('can')], not: [term('ab')] }],
  ['bus -can', { should: [term('bus')], not: [term('can')] }],
  ['I/O do* -ab', { should: [term('I/O'), term('do', { prefix: true })], not: [term('ab')] }],
  ['a NOT b', { should: [term('a')], not: [term('b')] }],
  ['a -"b c"', { should: [term('a')], not: [phrase('b c')] }],
  ['a AND b', { must: [term('a'), term('b')] }],
  ['a OR b', { should: [term('a'), term('b')] }],
  ['a AND NOT b', { must: [term('a')], not: [term('b')] }],
  ['(a OR b) AND c', { must: [{ kind: 'or', nodes: [term('a'), term('b')] }, term('c')] }],
  [
    'a AND b OR c',
    { should: [{ kind: 'or', nodes: [{ kind: 'and', nodes: [term('a'), term('b')] }, term('c')] }] },
  ],
  ['c NOT (a b)', { should: [term('c')], not: [term('a'), term('b')] }],
  ['NOT (a b)', { should: [term('a'), term('b')] }],
  ['-config.file', { should: [term('config.file')] }],
  ['-"a b"', { should: [term('a'), term('b')] }],
  ['"a b" OR c', { should: [{ kind: 'or', nodes: [phrase('a b'), term('c')] }] }],
  ['title:install bun', { should: [term('bun')], must: [term('install', { field: 'title' })] }],
  ['heading:"get started"', { must: [phrase('get started', { field: 'heading' })] }],
  [
    'title:(a OR b)',
    { should: [{ kind: 'or', nodes: [term('a', { field: 'title' }), term('b', { field: 'title' })] }] },
  ],
  ['conf*', { should: [term('conf', { prefix: true })] }],
  ['# install', { should: [term('install')], headings: true }],
  ['#include stdio.h', { should: [term('include'), term('stdio.h')] }],
  ['--dry-run -5 a - b', { should: [term('dry-run'), term('5'), term('a'), term('b')] }],
  ['-webkit-box gcc -std=c11', { should: [term('webkit-box'), term('gcc'), term('std=c11')] }],
  ['box -webkit -web-kit', { should: [term('box')], not: [term('webkit'), term('web-kit')] }],
  [
    'fs.readFile(path) @scope/pkg C++',
    { should: [term('fs.readFile'), term('path'), term('scope/pkg'), term('C')] },
  ],
  ['and or not', { should: [term('and'), term('or'), term('not')] }],
  ['AND a OR', { should: [term('and'), term('a'), term('or')] }],
  ['a a A', { should: [term('a')] }],
  ['NOT NOT a', { must: [term('a')] }],
  ['日本語 Größe', { should: [term('日本語'), term('Größe')] }],
  ['(a b) c', { should: [term('a'), term('b'), term('c')] }],
  ['a NOT', { should: [term('a'), term('not')] }],
  ['c (NOT a OR NOT b)', { should: [term('c')], not: [term('a'), term('b')] }],
  ['"a b" OR NOT c', { must: [phrase('a b')], not: [term('c')] }],
  ['(a +"") AND b', { must: [term('a'), term('b')] }],
  ['+""', {}],
  ['() a b', { should: [term('a'), term('b')] }],
  ['-() OR a (() b)', { should: [term('a'), term('b')] }],
  ['+() NOT NOT () a', { should: [term('a')] }],
  ['a AND () b', { should: [term('b')], must: [term('a')] }],
  ['+(-ab) c', { should: [term('c')], not: [term('ab')] }],
  [
    'title:(a "b c" heading:d)',
    {
      must: [
        term('a', { field: 'title' }),
        phrase('b c', { field: 'title' }),
        term('d', { field: 'heading' }),
      ],
    },
  ],
  ['?! ... ()', {}],
  ['', {}],
];

it('reads so much of a query and says so', () => {
  assert.match(parseQuery('word '.repeat(1001)).notices.join(), /first 5,000 characters/);
  assert.deepEqual(parseQuery(`${'a'.repeat(4_999)}b`).notices, []);
  const phrase = (words: number): string => `the "${'word '.repeat(words)}" of it`;
  assert.deepEqual(parseQuery(phrase(24)).notices, []);
  assert.deepEqual(parseQuery(phrase(25)).notices, ['Of a longer phrase the first 24 words are looked for.']);
  assert.deepEqual(parseQuery('"a.b.c.d.e.f.g.h.i.j.k.l.m a.b.c.d.e.f.g.h.i.j.k.l"').notices.length, 1);
});

it('says so when a query only excludes', () => {
  const notices = (text: string): number => parseQuery(text).notices.length;
  assert.deepEqual(
    ['-beta', 'alpha -beta', '+alpha -beta', 'gamma +alpha -beta', 'alpha', ''].map(notices),
    [1, 0, 0, 0, 0, 0],
  );
});

it('says so when the signs of a query are taken for text', () => {
  const notices = (text: string): number => parseQuery(text).notices.length;
  assert.deepEqual(['where clause -joins', 'where clause', 'what is pip -r', 'clause -joins'].map(notices), [1, 0, 0, 0]); // prettier-ignore
});

describe('parseQuery', () => {
  for (const [text, query] of CASES) it(`reads ${text}`, () => assert.deepEqual(parsed(text), query));

  it('searches what does not balance as plain words and says so', () => {
    for (const text of [
      '"a b',
      'a (b',
      'a b) c',
      'a AND (b OR "c',
      `${'('.repeat(11)}a b${')'.repeat(11)}`,
    ]) {
      const query = parseQuery(text);
      assert.equal(query.notices.length, 1, text);
      assert.equal(query.must.length + query.not.length, 0);
      assert.ok(query.should.length > 0 && query.should.every(({ kind }) => kind === 'term'));
    }
  });

  it('says what does not balance', () => {
    assert.match(parseQuery('"a b').notices.join(), /^Quotes or brackets do not match/);
    assert.match(parseQuery(`${'('.repeat(11)}a${')'.repeat(11)}`).notices.join(), /nested too deep/);
  });

  it('nests brackets ten deep, however many there are side by side', () => {
    const nested = (depth: number): string => `${'('.repeat(depth)}a${')'.repeat(depth)}`;
    const notices = (text: string): number => parseQuery(text).notices.length;
    assert.deepEqual([notices(nested(10)), notices(nested(11))], [0, 1]);
    assert.deepEqual([notices('(a) '.repeat(20)), notices(`(a) ${nested(11)}`)], [0, 1]);
  });

  it('bounds length and terms', () => {
    const long = parseQuery('word '.repeat(3000));
    assert.deepEqual(long.should, [term('word')]);
    const many = parseQuery(Array.from({ length: 100 }, (_, at) => `w${at}`).join(' '));
    assert.equal(many.should.length, 64);
    assert.equal(many.notices.length, 1);
  });

  it('counts each word of a phrase, and operators with nothing left to work on do no harm', () => {
    const words = (count: number): string => Array.from({ length: count }, (_, at) => `w${at}`).join(' ');
    const sizes = (text: string): number[] => {
      const { should, must, not, notices } = parseQuery(text);
      return [should.length, must.length, not.length, notices.length];
    };
    assert.deepEqual(sizes(words(64)), [64, 0, 0, 0]);
    assert.deepEqual(sizes(`${words(62)} "a b"`), [62, 1, 0, 0]);
    assert.deepEqual(sizes(`${words(63)} "a b"`), [63, 0, 0, 1]);
    assert.deepEqual(sizes(`${words(64)} AND x`), [63, 1, 0, 1]);
    assert.deepEqual(sizes(`${words(64)} OR x`), [64, 0, 0, 1]);
    assert.deepEqual(sizes(`${words(64)} NOT x`), [64, 0, 0, 1]);
    assert.deepEqual(sizes(`a (${words(63)} AND x) b`), [63, 1, 0, 1]);
    assert.deepEqual(sizes(`${words(64)} (x) OR (y)`), [64, 0, 0, 1]);
  });

  it('a question without its phrases looks for their words; what requires anything else stays as it is', () => {
    const looser = withoutPhrases(parseQuery('how long is the "high tide" at "north pier"'))!;
    const words = ['how', 'long', 'is', 'the', 'at', 'high', 'tide', 'north', 'pier'];
    assert.deepEqual(looser.should, words.map((text) => ({ kind: 'term', text }))); // prettier-ignore
    assert.deepEqual(looser.must, []);
    assert.deepEqual(looser.notices, ['No text contains "high tide" and "north pier" as written; the words were searched instead.']); // prettier-ignore
    for (const text of ['high tide', '"high tide"', 'high "tide table" -low', 'high "tide table" +low'])
      assert.equal(withoutPhrases(parseQuery(text)), undefined, text);
  });

  const bit = fc.constantFrom('a', 'B', 'useState', '"', '(', ')', '+', '-', ' ', ' ', 'AND', 'OR', 'NOT', 'title:', 'heading:', '*', '#', '# ', '“', '.', ':', 'é', '日本', '\u0000', '\u0301', '😀', '5'); // prettier-ignore
  const soup = fc.array(bit, { maxLength: 30 }).map((bits) => bits.join(''));

  it('takes any string', () => {
    fc.assert(
      fc.property(fc.oneof(soup, fc.string({ unit: 'binary' })), (text) => {
        const query = parseQuery(text);
        const check = (node: WordNode): void => {
          if (node.kind === 'term') assert.match(node.text, /[\p{L}\p{N}]/u);
          else if (node.kind === 'phrase') assert.ok(node.words.length > 0);
          else {
            assert.ok(node.nodes.length > 1);
            node.nodes.forEach(check);
          }
        };
        [...query.should, ...query.must, ...query.not].forEach(check);
      }),
      { numRuns: 3000 },
    );
  });
});
