import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Retrieval } from '../../../src/engine/search/retrieve.ts';
import type { Chosen } from '../../../src/engine/search/select.ts';
import { similarities } from '../../../src/engine/search/similarity.ts';
import type { Store } from '../../../src/ports/store.ts';

const vectors = new Map([
  ['near', Float32Array.of(0.6, 0.8)],
  ['far', Float32Array.of(0, 1)],
  ['short', Float32Array.of(1)],
]);

function storeAsked(): { store: Store; asked: string[][] } {
  const asked: string[][] = [];
  const vectorsOf = (ids: string[]) => {
    asked.push(ids);
    return Promise.resolve(new Map([...vectors].filter(([id]) => ids.includes(id))));
  };
  return { store: { search: { vectorsOf } } as unknown as Store, asked };
}

const hits = (...ids: string[]): Chosen[] =>
  ids.map((id) => ({
    candidates: [{ chunk: { id, collection: id === 'other' ? 'else' : 'docs' } }],
  })) as unknown as Chosen[];
const retrieval = (more: object = {}): Retrieval =>
  ({
    lists: [
      { retriever: 'words', hits: [{ id: 'near', score: 9 }] },
      { retriever: 'meaning', hits: [{ id: 'found', score: 0.5 }] },
    ],
    asked: [{ collections: ['docs'], vector: Float32Array.of(0.8, 0.6) }],
    ...more,
  }) as unknown as Retrieval;

test('the cosine is that of the search, or is made from the vectors', async () => {
  const { store, asked } = storeAsked();
  const found = await similarities(
    store,
    retrieval(),
    hits('found', 'near', 'far', 'short', 'other', 'none'),
  );
  assert.deepEqual(
    [...found].map(([id, cosine]) => [id, Number(cosine.toFixed(3))]),
    [
      ['found', 0.5],
      ['near', 0.96],
      ['far', 0.6],
    ],
  );
  assert.deepEqual(asked, [['near', 'far', 'short', 'other', 'none']]);
});

test('nothing is read where all is known, or nothing was asked by meaning', async () => {
  const { store, asked } = storeAsked();
  assert.deepEqual([...(await similarities(store, retrieval(), hits('found')))], [['found', 0.5]]);
  assert.deepEqual([...(await similarities(store, retrieval({ asked: [] }), hits('near')))], []);
  assert.deepEqual(asked, []);
});
