import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { WordNode, WordQuery } from '../../../src/domain/query.ts';
import { parseQuery } from '../../../src/engine/search/parse-query.ts';
import { rewrite } from '../../../src/engine/search/rewrite.ts';
import type { Searches } from '../../../src/ports/store.ts';

/** Texts of plain words, in small letters. */
function searches(...texts: string[][]): Searches {
  const holds = (text: string[], node: WordNode): boolean =>
    node.kind === 'term' && text.includes(node.text.toLowerCase());
  return {
    similarWords: () => Promise.resolve(new Map()),
    wordCounts: (words: readonly string[]) =>
      Promise.resolve({ chunks: 1, having: words.map((word) => Number(texts.flat().includes(word))) }),
    words: ({ query: { should, must } }: { query: WordQuery }) => {
      const matching = texts.filter((text) =>
        must.length > 0 ? must.every((node) => holds(text, node)) : should.some((node) => holds(text, node)),
      );
      return Promise.resolve({ hits: matching.map(() => ({ id: '1', score: 1 })) });
    },
  } as unknown as Searches;
}

const rewritten = async (text: string, ...texts: string[][]) => {
  const found = await rewrite(searches(...texts), { query: parseQuery(text), text, collections: ['docs'] });
  return found?.query.should.map((node) => node.kind === 'term' && node.text);
};

test('a name alone is searched by those of its parts that stand anywhere', async () => {
  assert.deepEqual(await rewritten('pool.evictIdle', ['pool'], ['idle']), ['pool', 'evict', 'idle']);
});

test('beside other words a name is searched by its parts where one text holds them all', async () => {
  const parts = ['pool', 'evict'];
  assert.deepEqual(await rewritten('caveats pool.evict', parts, ['caveats']), ['caveats', ...parts]);
  assert.equal(await rewritten('caveats pool.evict', ['pool'], ['evict'], ['caveats']), undefined);
});
