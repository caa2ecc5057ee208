// Contract: which words occur, how often, and what is near to them.

import assert from 'node:assert/strict';
import type { Filter } from '../../src/domain/filter.ts';
import type { WordQuery } from '../../src/domain/query.ts';
import { collection, document, phrase, query, term } from './fixtures.ts';
import { cases, type Subject } from './harness.ts';
import { fill, pad } from './words.ts';

export function occurrenceContract(subject: Subject): void {
  const check = cases(subject);

  check('whether anything matches is known without counting', async ({ store, settled }) => {
    await pad(store);
    await fill(store, { a: 'marble statue of a heron', b: 'marble floor' });
    await settled();
    const any = async (wanted: WordQuery, filter?: Filter): Promise<boolean> => {
      const scope = { collections: ['docs'], ...(filter ? { filter } : {}) };
      return (await store.search.words({ query: wanted, scope, limit: 1, any: true })).hits.length > 0;
    };
    const statue = query([], { must: [phrase('marble statue')] });
    assert.equal(await any(statue), true);
    assert.equal(await any(query([], { must: [phrase('statue marble')] })), false);
    assert.equal(await any(query([], { must: [term('mar', { prefix: true }), term('floor')] })), true);
    assert.equal(await any(query([], { must: [phrase('marble statue'), term('floor')] })), false);
    assert.equal(await any(query(['marble']), { op: 'eq', path: 'source', value: 'c' }), false);
    assert.equal(await any(query(['marble']), { op: 'eq', path: 'source', value: 'b' }), true);
    await store.documents.remove('docs', 'a');
    await settled();
    assert.equal(await any(statue), false);
  });

  check('words one typing error away are found as they are written', async ({ store, settled }) => {
    await pad(store);
    await fill(store, { a: 'Kubernetes clusters', b: 'Kubernetes volumes' });
    await settled();
    const similar = await store.search.similarWords(['kubernites', 'kuberentes', 'volumes', 'zzzzzz']);
    assert.equal(similar.get('kubernites')?.[0], 'kubernetes');
    assert.equal(similar.get('kuberentes')?.[0], 'kubernetes');
    assert.deepEqual(similar.get('zzzzzz') ?? [], []);
    await store.documents.remove('docs', 'a');
    await store.documents.remove('docs', 'b');
    await settled();
    assert.deepEqual((await store.search.similarWords(['kubernites'])).get('kubernites') ?? [], []);
  });

  check('words are counted by the chunks that have them, by stem', async ({ store, settled }) => {
    await store.collections.put(collection('small'));
    await fill(store, { a: 'two herons', b: 'a Heron', c: 'a statue' });
    await store.documents.replace(document({ collection: 'small', path: 's', text: 'heron' }));
    await settled();
    const count = (names: string[]) => store.search.wordCounts(['heron', 'statues', 'zzz'], names);
    assert.deepEqual(await count(['docs']), { chunks: 3, having: [2, 1, 0] });
    assert.deepEqual(await count(['docs', 'small']), { chunks: 4, having: [3, 1, 0] });
    assert.deepEqual(await count(['nothing']), { chunks: 0, having: [0, 0, 0] });
  });
}
