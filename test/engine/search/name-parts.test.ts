import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { WordNode, WordQuery } from '../../../src/domain/query.ts';
import { takeApart } from '../../../src/engine/search/name-parts.ts';
import type { Searches } from '../../../src/ports/store.ts';

/** Holds some words; remembers what it was asked. */
function holding(...known: string[]) {
  const asked: string[] = [];
  const search = {
    words: ({ query }: { query: WordQuery }) => {
      const word = (query.should[0] as { text: string }).text;
      asked.push(word);
      return Promise.resolve({ hits: known.includes(word) ? [{ id: '1', score: 1 }] : [] });
    },
  };
  return { asked, search: search as unknown as Searches };
}

const term = (text: string, more: object = {}): WordNode => ({ kind: 'term', text, ...more });
const query = (should: WordNode[], more: Partial<WordQuery> = {}): WordQuery =>
  ({ should, must: [], not: [], ...more }) as WordQuery;
const apart = (search: Searches, asked: WordQuery) =>
  takeApart(search, { query: asked, collections: ['docs'] });

test('a name that no text holds is searched by its parts, and a notice says so', async () => {
  const { search } = holding('Client', 'max-age');
  const asked = query([term('what'), term('Client.setTimeot'), term('max-age')]);
  const found = (await apart(search, asked))!;
  const words = ['what', 'Client', 'set', 'timeot', 'max-age'];
  assert.deepEqual(found.query.should, words.map((word) => term(word))); // prettier-ignore
  assert.equal(
    found.notice,
    'No text contains `Client.setTimeot` as written; the parts were searched instead.',
  );
});

test('of a possessive that no text holds the word itself is searched', async () => {
  const { search, asked } = holding('node’s');
  const found = (await apart(
    search,
    query([term("Kubernets's"), term('node’s'), term('users'), term("What's")]),
  ))!;
  assert.deepEqual(found.query.should, [term('Kubernets'), term('node’s'), term('users'), term("What's")]);
  assert.deepEqual(asked, ["Kubernets's", 'node’s']);
});

test('only a part that no text holds is taken apart further', async () => {
  const { search, asked } = holding('setTimeout');
  const found = (await apart(search, query([term('Clyent.setTimeout')])))!;
  assert.deepEqual(found.query.should, [term('Clyent'), term('setTimeout')]);
  assert.deepEqual(asked, ['Clyent.setTimeout', 'setTimeout'], 'and a word in one piece is not looked up');
});

test('proper names, versions, addresses and paths are one word, and what a text holds stays', async () => {
  const { search, asked } = holding('max-age', 'useState');
  const whole = [
    'PostgreSQL',
    'plain',
    'iPhone',
    '4.9.2',
    'UTF-8',
    'https://a.example/docs',
    'C:\\Users\\me',
  ];
  for (const word of whole) assert.equal(await apart(search, query([term(word)])), undefined);
  assert.deepEqual(asked, []);
  assert.equal(await apart(search, query([term('max-age'), term('useState')])), undefined);
});

test('operators, fields and beginnings are left alone, and so is pasted text', async () => {
  const { search, asked } = holding();
  const name = term('max-age');
  for (const more of [{ must: [term('x')] }, { not: [term('x')] }])
    assert.equal(await apart(search, query([name], more)), undefined);
  const special = [term('max-age', { field: 'title' }), term('max-age', { prefix: true })];
  const pasted = Array.from({ length: 9 }, (_, at) => term(`max-age${at}`));
  for (const should of [special, pasted]) assert.equal(await apart(search, query(should)), undefined);
  assert.deepEqual(asked, []);
});
