// Search indexes through the store: creating and waiting, what is refused, and why a search is empty.

import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { MongoClient } from 'mongodb';
import type { Stores } from '../../../src/ports/store.ts';
import { mongodbStores } from '../../../src/stores/mongodb/stores.ts';
import { collection, document, query, vector } from '../../contract/fixtures.ts';
import { startMongod, type RunningMongod } from '../../support/mongod/start.ts';

const now = () => new Date();

describe('search indexes', () => {
  let mongod: RunningMongod;
  let client: MongoClient;
  let stores: Stores;
  before(async () => {
    mongod = await startMongod({ searchBuildMs: 300 });
    client = await MongoClient.connect(mongod.uri);
    stores = mongodbStores({ settings: { mongodbUri: mongod.uri, autoIndex: false }, now });
  });
  after(async () => {
    await stores.close();
    await client.close();
    await mongod.stop();
  });
  const search = (store: Awaited<ReturnType<Stores['open']>>, more = {}) =>
    store.search.vectors({ vector: vector(0), model: 'test-embed', scope: {}, limit: 5, ...more });

  it('an empty answer says what is missing, and creating waits with progress', async () => {
    const store = await stores.open('life');
    await store.collections.put(collection('docs'));
    await store.documents.replace(
      document({ path: 'a', text: 'heron', vectors: [vector(0)], metadata: { topic: 'birds' } }),
    );
    assert.match((await search(store)).notices[0]!, /^index_missing: `docs` has no vector index/);
    assert.match(
      (await store.search.words({ query: query(['heron']), scope: {}, limit: 5 })).notices[0]!,
      /^index_missing/,
    );
    assert.equal(await store.search.wordCounts(['heron'], ['docs']), undefined);
    assert.deepEqual(
      (await store.indexes.list('docs')).map((index) => index.status),
      ['missing', 'missing'],
    );

    const steps: string[] = [];
    const making = store.indexes.create('docs', 'vector', { onProgress: (message) => steps.push(message) });
    const made = await making;
    assert.deepEqual([made.status, made.dimensions, made.field], ['ready', 64, 'embedding']);
    assert.ok(steps.length > 0 && steps[0]!.includes('vector_index'));
    assert.ok(made.filterFields.includes('metadata.type') && made.filterFields.includes('source'));
    assert.equal((await search(store)).hits.length, 1);
  });

  it('an index dropped behind our back is noticed at the first empty answer', async () => {
    const store = await stores.open('behind');
    await store.collections.put(collection('docs'));
    await store.documents.replace(document({ path: 'a', text: 'heron', vectors: [vector(0)] }));
    await store.indexes.create('docs', 'vector', {});
    await store.indexes.create('docs', 'text', {});
    const words = () => store.search.words({ query: query(['heron']), scope: {}, limit: 5 });
    assert.deepEqual([(await search(store)).hits.length, (await words()).hits.length], [1, 1]);
    await client.db('behind').collection('docs').dropSearchIndex('vector_index');
    await client.db('behind').collection('_vai_words').dropSearchIndex('vai_text');
    assert.match((await search(store)).notices[0]!, /^index_missing/);
    assert.match((await words()).notices[0]!, /^index_missing/);
  });

  it('an index that embeds by itself is passed over and left as it is', async () => {
    const store = await stores.open('automatic');
    await store.collections.put(collection('docs'));
    await store.documents.replace(document({ path: 'a', text: 'heron', vectors: [vector(0)] }));
    const definition = { fields: [{ type: 'autoEmbed', modality: 'text', path: 'text', model: 'voyage-4' }] };
    const docs = client.db('automatic').collection('docs');
    await docs.createSearchIndex({ name: 'theirs', type: 'vectorSearch', definition });
    assert.match((await search(store)).notices[0]!, /^index_missing: `docs` has no vector index/);
    await store.indexes.create('docs', 'vector', {});
    assert.equal((await search(store)).hits.length, 1);
    const theirs = await docs.listSearchIndexes('theirs').toArray();
    assert.deepEqual((theirs[0] as { latestDefinition?: unknown }).latestDefinition, definition);
  });

  it('a building index is named', async (context) => {
    const slow = await startMongod({ searchBuildMs: 3_600_000 });
    const here = mongodbStores({ settings: { mongodbUri: slow.uri, autoIndex: false }, now });
    context.after(() => Promise.all([here.close(), slow.stop()]));
    const stop = new AbortController();
    const store = await here.open('building');
    await store.collections.put(collection('docs'));
    await store.documents.replace(document({ path: 'a', text: 'x', vectors: [vector(0)] }));
    const begun = Promise.withResolvers<void>();
    const making = store.indexes.create('docs', 'vector', {
      signal: stop.signal,
      onProgress: () => begun.resolve(),
    });
    await begun.promise;
    assert.match((await search(store)).notices[0]!, /^index_building/);
    stop.abort();
    await assert.rejects(making, { code: 'CANCELLED' });
  });

  it('another length is refused, more filters are added in place, waiting can be cancelled', async () => {
    const store = await stores.open('refuse');
    await store.collections.put(collection('docs'));
    await store.documents.replace(
      document({ path: 'a', text: 'x', vectors: [vector(0)], metadata: { topic: 'birds' } }),
    );
    await assert.rejects(store.indexes.create('docs', 'vector', { dimensions: 128 }), {
      code: 'DIMENSION_MISMATCH',
    });
    await assert.rejects(store.indexes.create('nothing', 'vector', {}), { code: 'COLLECTION_NOT_FOUND' });
    await assert.rejects(store.indexes.create('docs', 'vector', { signal: AbortSignal.abort() }), {
      code: 'CANCELLED',
    });
    await store.indexes.create('docs', 'vector', {});
    const wider = await store.indexes.create('docs', 'vector', { filterFields: ['metadata.topic'] });
    assert.ok(wider.filterFields.includes('metadata.topic'));
    const filter = { op: 'eq', path: 'metadata.topic', value: 'birds' } as const;
    const found = await search(store, { scope: { filter } });
    assert.equal(found.hits.length, 1);
    await assert.rejects(search(store, { scope: { filter: { op: 'eq', path: 'other', value: 1 } } }), {
      code: 'FILTER_NOT_INDEXED',
    });
    assert.equal(await store.indexes.drop('docs', 'vector_index'), true);
    assert.equal(await store.indexes.drop('docs', 'vector_index'), false);
  });

  it('too many chunks behind an undeclared path: the declared ones are listed', async () => {
    const store = await stores.open('undeclared');
    await store.collections.put(collection('docs'));
    const text = Array.from({ length: 2001 }, (_, n) => `c${n}`).join('\n\n');
    const vectors = Array.from({ length: 2001 }, () => vector(0));
    await store.documents.replace(document({ path: 'a', text, vectors, metadata: { lang: 'en' } }));
    await store.indexes.create('docs', 'vector', {});
    const filter = { op: 'eq', path: 'metadata.lang', value: 'en' } as const;
    await assert.rejects(search(store, { scope: { filter } }), (error: { code: string; message: string }) => {
      assert.equal(error.code, 'FILTER_NOT_INDEXED');
      assert.match(error.message, /`source`, `metadata\.source`/);
      return true;
    });
  });

  it('an index for vectors of another length is told apart from none', async () => {
    const store = await stores.open('length');
    await store.collections.put(collection('docs'));
    await store.documents.replace(document({ path: 'a', text: 'x', vectors: [vector(0)] }));
    await client
      .db('length')
      .collection('docs')
      .createSearchIndex({
        name: 'theirs',
        type: 'vectorSearch',
        definition: {
          fields: [{ type: 'vector', path: 'embedding', numDimensions: 8, similarity: 'cosine' }],
        },
      });
    assert.match(
      (await search(store)).notices[0]!,
      /^wrong_field: the vector index of `docs` is for 8 dimensions/,
    );
  });

  it('a plain server is searched without search indexes, and has none to create', async () => {
    const plain = await startMongod({ profile: 'community' });
    const without = mongodbStores({ settings: { mongodbUri: plain.uri }, now });
    try {
      const store = await without.open('plain');
      await store.collections.put(collection('docs'));
      await store.documents.replace(document({ path: 'a', text: 'kept', vectors: [vector(0)] }));
      assert.equal((await search(store)).hits.length, 1);
      const words = await store.search.words({ query: query(['kept']), scope: {}, limit: 5 });
      assert.deepEqual([words.hits.length, words.notices], [1, []]);
      assert.deepEqual(
        (await store.indexes.list('docs')).map(({ type, status }) => [type, status]),
        [['text', 'ready']],
      );
      await assert.rejects(store.indexes.create('docs', 'vector', {}), { code: 'STORE_UNSUPPORTED' });
      await assert.rejects(store.indexes.drop('docs', 'vai_text'), { code: 'NOT_ALLOWED' });
    } finally {
      await without.close();
      await plain.stop();
    }
  });
});
