// What an empty answer says.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { explainEmpty } from '../../../src/engine/search/empty.ts';
import { nearWords } from '../../../src/engine/search/near-words.ts';
import { parseQuery } from '../../../src/engine/search/parse-query.ts';
import type { CollectionView } from '../../../src/engine/scope.ts';
import type { Scope, Searches, Store } from '../../../src/ports/store.ts';

function storeOf(near: Record<string, string[]>): { search: Searches; asked: string[][] } {
  const asked: string[][] = [];
  const similarWords = (words: string[]) => {
    asked.push(words);
    return Promise.resolve(new Map(words.map((word) => [word, near[word] ?? []])));
  };
  const wordCounts = (words: string[]) =>
    Promise.resolve({ chunks: 9, having: words.map((word) => Number(word === 'quay')) });
  return { search: { similarWords, wordCounts } as unknown as Searches, asked };
}
const collection = (name: string, chunks = 1): CollectionView =>
  ({ name, stats: { chunks } }) as CollectionView;

async function said(collections: CollectionView[], query: string, { near = {}, scope = {} } = {}) {
  const { search, asked } = storeOf(near);
  const store = { search } as unknown as Store;
  const [notice] = await explainEmpty({ store, collections, query: parseQuery(query), scope });
  return { ...notice!, asked };
}

test('what is missing comes first: collections, text, what the filter left', async () => {
  assert.equal((await said([], 'tide')).code, 'collection_missing');
  const empty = await said([collection('a', 0), collection('b', 0)], 'tide');
  assert.deepEqual([empty.code, empty.message], ['collection_empty', 'There is no text yet in `a`, `b`.']);
  assert.equal((await said([collection('a', 0), collection('b', 1)], 'tide')).code, 'no_match');
  const scope = { filter: {} } as unknown as Scope;
  assert.equal((await said([collection('a')], 'tide', { scope })).code, 'filter_excluded_all');
});

test('a query without a word is told so, whatever the collection and the filter', async () => {
  const scope = { filter: {} } as unknown as Scope;
  for (const query of ['???', '"!!!" ()', '# ->'])
    for (const where of [{}, { scope }])
      assert.equal((await said([collection('a')], query, where)).code, 'wordless_query', query);
  assert.equal((await said([], '???')).code, 'collection_missing');
  assert.equal((await said([collection('a')], 'ti*')).code, 'no_match');
});

test('then what was searched, by name up to three, and words that are near', async () => {
  const abc = ['a', 'b', 'c'].map((name) => collection(name));
  const plain = await said(abc, 'tide');
  assert.equal(plain.message, 'Searched `a`, `b`, `c` and found nothing. Try fewer or other words.');
  const near = { tyde: ['tide', 'tidy'] };
  const many = await said([...abc, collection('d')], 'Tyde "North pier" (tyde AND quay) +mole', { near });
  assert.equal(
    many.message,
    'Searched 4 collections and found nothing. Without the quotes, the words may stand apart. Near spellings: tyde → tide, tidy.',
  );
  assert.deepEqual(many.asked, [['tyde', 'north', 'pier', 'mole']], 'what occurs is spelled well');
});

test('eight words are looked up, three near ones of each are named, and none where there are none', async () => {
  const words = Array.from({ length: 10 }, (_, at) => `w${at}`);
  const { search, asked } = storeOf({ w0: ['a', 'b', 'c', 'd'], w1: ['e'] });
  const near = await nearWords(search, words, {});
  assert.deepEqual([...near], [['w0', ['a', 'b', 'c']], ['w1', ['e']]]); // prettier-ignore
  assert.deepEqual(asked, [words.slice(0, 8)]);
});
