import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { WordNode, WordQuery } from '../../../src/domain/query.ts';
import { correctSpelling } from '../../../src/engine/search/spelling.ts';
import type { Searches } from '../../../src/ports/store.ts';

/** Knows near words of some, and which words occur; remembers what it was asked. */
function searches(near: Record<string, string[]>, { known = [] as string[], together = true } = {}) {
  const asked: { words: readonly string[]; collections: unknown }[] = [];
  const required: unknown[] = [];
  const counted: unknown[] = [];
  const search = {
    similarWords: (words: readonly string[], collections: unknown) => {
      asked.push({ words, collections });
      return Promise.resolve(new Map(words.map((word) => [word, near[word] ?? []])));
    },
    wordCounts: (words: readonly string[]) => {
      counted.push(words);
      return Promise.resolve({ chunks: 9, having: words.map((word) => Number(known.includes(word))) });
    },
    words: ({ query }: { query: WordQuery }) => {
      required.push(query.must);
      return Promise.resolve({ hits: together ? [{ id: '1', score: 1 }] : [] });
    },
  };
  return { asked, required, counted, search: search as unknown as Searches };
}

const term = (text: string, more: object = {}): WordNode => ({ kind: 'term', text, ...more });
const query = (should: WordNode[], more: Partial<WordQuery> = {}): WordQuery =>
  ({ should, must: [], not: [], ...more }) as WordQuery;
const correct = (search: Searches, asked: WordQuery, text = '') =>
  correctSpelling(search, { query: asked, text, collections: ['docs'] });

test('unknown words become near ones, and a notice says which', async () => {
  const { search, asked } = searches({ kubernets: ['kubernetes', 'kubernete'], deploy: ['deploy'] });
  const corrected = (await correct(search, query([term('Kubernets'), term('deploy')]), 'Kubernets, deploy'))!;
  assert.deepEqual(corrected.query.should, [term('kubernetes'), term('deploy')], 'the others stay');
  assert.equal(corrected.text, 'kubernetes, deploy');
  assert.equal(
    corrected.notice,
    'No text contains these words as typed, so near spellings were searched: `kubernets` → `kubernetes`.',
  );
  assert.deepEqual(asked, [{ words: ['kubernets', 'deploy'], collections: ['docs'] }]);
});

test('beside words that occur a long one is corrected, where one text then holds them all', async () => {
  const near = { enviroment: ['environment'], bild: ['build'] };
  const asked = query([term('the'), term('bild'), term('enviroment'), term('creation')]);
  const known = ['the', 'creation'];
  const { search, required } = searches(near, { known });
  const corrected = (await correct(search, asked))!;
  assert.deepEqual(corrected.query.should, [term('the'), term('bild'), term('environment'), term('creation')]); // prettier-ignore
  assert.deepEqual(required, [[term('bild'), term('environment'), term('creation')]]);
  assert.equal(await correct(searches(near, { known, together: false }).search, asked), undefined);
  const { search: all, asked: none } = searches(near, { known: ['bild', 'enviroment'] });
  assert.equal(await correct(all, query([term('bild'), term('enviroment')])), undefined);
  assert.deepEqual(none, [], 'what occurs is not looked up');
});

test('words in alternatives count; short ones, prefixes, fields and identifiers do not', async () => {
  const { search, asked } = searches({ abcdef: ['abcdeg'] });
  const or = { kind: 'or', nodes: [term('abcdef'), term('abcdef')] } as WordNode;
  const phrase = { kind: 'phrase', words: ['wxyzwx'] } as unknown as WordNode;
  const others = [term('abc'), term('efghij', { prefix: true }), term('ijklmn', { field: 'title' }), phrase];
  const { query: found } = (await correct(search, query([or, ...others, term('useAbcdef')])))!;
  assert.deepEqual(found.should[0], { kind: 'or', nodes: [term('abcdeg'), term('abcdeg')] });
  assert.deepEqual(asked[0]!.words, ['abcdef']);
});

test('eight words at most are looked up', async () => {
  const { search, asked, counted } = searches({});
  const many = Array.from({ length: 12 }, (_, n) => term(`word${String.fromCharCode(97 + n)}`));
  assert.equal(await correct(search, query(many)), undefined);
  assert.equal(asked[0]!.words.length, 8);
  assert.equal(counted.length, 2 + 8, 'joined, as they are, and each of eight in two');
});

test('operators are left alone, and nothing near changes nothing', async () => {
  const { search, asked } = searches({ abcd: ['abce'] });
  const operators = [
    query([term('abcd')], { must: [term('x')] }),
    query([term('abcd')], { not: [term('x')] }),
  ];
  for (const one of [...operators, query([term('abc')]), query([])])
    assert.equal(await correct(search, one), undefined);
  assert.equal(asked.length, 0);
  assert.equal(await correct(search, query([term('zzzz')])), undefined);
  const uncounted = { ...search, wordCounts: () => Promise.resolve(undefined) };
  assert.equal(await correct(uncounted, query([term('abcd')])), undefined);
});

test('words are joined and taken apart as texts write them, each way with its place in the question', async () => {
  const texts = ['a whitespace', 'the back end'];
  const words = new Set(texts.join(' ').split(' '));
  const search = {
    similarWords: (asked: readonly string[]) => Promise.resolve(new Map(asked.map((word) => [word, []]))),
    wordCounts: (asked: readonly string[]) =>
      Promise.resolve({ chunks: 2, having: asked.map((word) => Number(words.has(word))) }),
    words: ({ query }: { query: WordQuery }) => {
      const [node] = query.must;
      const phrase = node?.kind === 'phrase' ? node.words.join(' ') : '';
      return Promise.resolve({ hits: texts.filter((text) => text.includes(phrase)).map((id) => ({ id })) });
    },
  } as unknown as Searches;
  const asked = query([term('white'), term('Space'), term('of'), term('backend')]);
  const corrected = (await correct(search, asked, 'White  Space of the backend?'))!;
  const both = { kind: 'and', nodes: [term('white'), term('space')] };
  assert.deepEqual(corrected.query.should, [
    { kind: 'or', nodes: [term('whitespace'), both] },
    term('of'),
    { kind: 'phrase', words: ['back', 'end'] },
  ]);
  assert.equal(corrected.text, 'whitespace of the back end?');
  assert.match(corrected.notice, /`white space` → `whitespace`, `backend` → `back end`/);
});
