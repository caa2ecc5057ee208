import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Embedder } from '../../../src/ports/embedder.ts';
import { parseQuery } from '../../../src/engine/search/parse-query.ts';
import { retrieve, type RetrieveRequest } from '../../../src/engine/search/retrieve.ts';

/** The weight of meaning for a question, where words find one passage. */
async function weightOf(text: string, embedder: Partial<Embedder>, mode = 'hybrid'): Promise<number> {
  const hit = { id: '1', score: 3 };
  const passage = { id: '1', title: 'Pool', headingPath: ['Pool'], text: 'idle clients are closed' };
  const request = {
    deps: {
      models: {
        space: () => 'space',
        embedder: async () => ({
          ...{ model: 'm', dimensions: 64, ...embedder },
          embed: async () => ({ vectors: [new Float32Array(64)], tokens: 1, requests: 0 }),
        }),
      },
      settings: {},
    },
    store: {
      search: {
        words: async () => ({ hits: [hit], total: 1, totalIsBound: false, notices: [] }),
        vectors: async () => ({ hits: [hit], notices: [] }),
        chunks: async () => [passage],
      },
    },
    call: {},
    query: parseQuery(text),
    text,
    mode,
    scope: {},
    collections: [{ name: 'c', embedding: { model: 'm', dimensions: 64 }, stats: { vectors: 1 } }],
    pool: 100,
  } as unknown as RetrieveRequest;
  const { lists } = await retrieve(request);
  return lists.find((list) => list.retriever === 'meaning')!.weight;
}

test('meaning has more to say where the best hit of words lacks some of the question', async () => {
  const embedder = { trust: 0.2, trustBeyondWords: 0.5 };
  assert.equal(await weightOf('closed idle clients', embedder), 0.25);
  assert.equal(await weightOf('reopened idle clients', embedder), 1);
  assert.equal(await weightOf('reopened idle clients', { trust: 0.2 }), 0.25);
  assert.equal(await weightOf('reopened idle clients', embedder, 'meaning'), 1);
});
