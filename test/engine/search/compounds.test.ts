import assert from 'node:assert/strict';
import { test } from 'node:test';
import { parseQuery } from '../../../src/engine/search/parse-query.ts';
import { writtenAsOne, writtenAsTwo } from '../../../src/engine/search/compounds.ts';
import type { WordQuery } from '../../../src/domain/query.ts';
import type { Searches } from '../../../src/ports/store.ts';

/** Texts of plain words; a phrase is found where its words stand side by side. */
function searches(...texts: string[]): Searches {
  const words = new Set(texts.flatMap((text) => text.split(' ')));
  return {
    wordCounts: (asked: readonly string[]) =>
      Promise.resolve({ chunks: texts.length, having: asked.map((word) => Number(words.has(word))) }),
    words: ({ query }: { query: WordQuery }) => {
      const [phrase] = query.must;
      assert.ok(phrase?.kind === 'phrase');
      const held = texts.filter((text) => ` ${text} `.includes(` ${phrase.words.join(' ')} `));
      return Promise.resolve({ hits: held.map((id) => ({ id, score: 1 })) });
    },
  } as unknown as Searches;
}

const asOne = async (question: string, ...texts: string[]) =>
  Object.fromEntries(await writtenAsOne(searches(...texts), parseQuery(question).should, ['docs']));

test('two words that texts write as one are found at the place of the first', async () => {
  assert.deepEqual(await asOne('how do I log in', 'the login page'), { 3: ['log', 'in'] });
  assert.deepEqual(await asOne('trailing White Space', 'whitespace', 'white'), { 1: ['white', 'space'] });
});

test('not where some text has them side by side, or none has them as one word', async () => {
  assert.deepEqual(await asOne('white space', 'whitespace', 'a white space'), {});
  assert.deepEqual(await asOne('white space', 'white', 'space'), {});
});

test('words that say nothing begin no compound, and only those that belong to verbs end one', async () => {
  assert.deepEqual(await asOne('what is land use', 'an island'), {});
  assert.deepEqual(await asOne('the red is bright', 'redis'), {});
  assert.deepEqual(await asOne('ad on', 'adon'), {}, 'too short');
});

test('signs, fields, beginnings and parts of another compound are left alone', async () => {
  assert.deepEqual(await asOne('whi* space', 'whispace'), {});
  assert.deepEqual(await asOne('v2 beta', 'v2beta'), {});
  assert.deepEqual(await asOne('white space ship', 'whitespace spaceship'), { 0: ['white', 'space'] });
});

test('one word that texts write as two', async () => {
  const apart = (word: string, ...texts: string[]) => writtenAsTwo(searches(...texts), word, ['docs']);
  assert.deepEqual(
    await apart('backend', 'the back end', 'ba ckend'),
    ['ba', 'ckend'],
    'the first way that stands',
  );
  assert.deepEqual(await apart('backend', 'the back end'), ['back', 'end']);
  assert.equal(await apart('backend', 'back', 'end'), undefined, 'not side by side');
  assert.equal(await apart('login', 'log in here'), undefined, 'judged by it, any log would answer');
  assert.equal(await apart('c++', 'c ++'), undefined);
});

test('a store that does not count words is not asked for phrases', async () => {
  const search = { wordCounts: () => Promise.resolve(undefined) } as unknown as Searches;
  assert.equal((await writtenAsOne(search, parseQuery('white space').should, ['docs'])).size, 0);
  assert.equal(await writtenAsTwo(search, 'backend', ['docs']), undefined);
});
