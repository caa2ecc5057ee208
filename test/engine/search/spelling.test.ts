import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { WordNode, WordQuery } from '../../../src/domain/query.ts';
import { correctSpelling } from '../../../src/engine/search/spelling.ts';
import type { Searches } from '../../../src/ports/store.ts';

/** Knows near words of some, and remembers what it was asked. */
function searches(near: Record<string, string[]>) {
  const asked: { words: readonly string[]; collections: unknown }[] = [];
  const search = {
    similarWords: (words: readonly string[], collections: unknown) => {
      asked.push({ words, collections });
      return Promise.resolve(new Map(words.map((word) => [word, near[word] ?? []])));
    },
  };
  return { asked, search: search as unknown as Searches };
}

const term = (text: string, more: object = {}): WordNode => ({ kind: 'term', text, ...more });
const query = (should: WordNode[], more: Partial<WordQuery> = {}): WordQuery =>
  ({ should, must: [], not: [], ...more }) as WordQuery;
const scope = { collections: ['docs'] };

test('unknown words become near ones, and a notice says which', async () => {
  const { search, asked } = searches({ kubernets: ['kubernetes', 'kubernete'], deploy: ['deploy'] });
  const corrected = await correctSpelling(search, query([term('Kubernets'), term('deploy')]), scope);
  assert.deepEqual(corrected!.query.should, [term('kubernetes'), term('deploy')], 'the others stay');
  assert.equal(
    corrected!.notice,
    'No text holds these words; searched near spellings: `kubernets` → `kubernetes`.',
  );
  assert.deepEqual(asked, [{ words: ['kubernets', 'deploy'], collections: ['docs'] }]);
});

test('words in alternatives count, short ones, prefixes and fields do not', async () => {
  const { search, asked } = searches({ abcd: ['abce'] });
  const or = { kind: 'or', nodes: [term('abcd'), term('abcd')] } as WordNode;
  const phrase = { kind: 'phrase', words: ['wxyz'] } as unknown as WordNode;
  const should = [or, term('abc'), term('efgh', { prefix: true }), term('ijkl', { field: 'title' }), phrase];
  assert.equal((await correctSpelling(search, query(should), scope))!.query.should.length, 1);
  assert.deepEqual(asked[0]!.words, ['abcd']);
});

test('eight words at most are looked up', async () => {
  const { search, asked } = searches({});
  const many = Array.from({ length: 12 }, (_, n) => term(`word${String.fromCharCode(97 + n)}`));
  assert.equal(await correctSpelling(search, query(many), scope), undefined);
  assert.equal(asked[0]!.words.length, 8);
});

test('operators are left alone, and nothing near changes nothing', async () => {
  const { search, asked } = searches({ abcd: ['abce'] });
  const operators = [
    query([term('abcd')], { must: [term('x')] }),
    query([term('abcd')], { not: [term('x')] }),
  ];
  for (const one of [...operators, query([term('abc')]), query([])])
    assert.equal(await correctSpelling(search, one, scope), undefined);
  assert.equal(asked.length, 0);
  assert.equal(await correctSpelling(search, query([term('zzzz')]), scope), undefined);
});
