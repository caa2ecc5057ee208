// What the store finds out about its server, and what it does with one that cannot do everything.

import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { MongoClient } from 'mongodb';
import { mongodbStores } from '../../../src/stores/mongodb/stores.ts';
import { collection, document, query, vector } from '../../contract/fixtures.ts';
import type { MongodOptions } from '../../support/mongod/options.ts';
import { startMongod, type RunningMongod } from '../../support/mongod/start.ts';
import { until } from '../../support/wait.ts';

const now = () => new Date();
const open = (uri: string, limits = {}) => mongodbStores({ settings: { mongodbUri: uri }, now, limits });

describe('servers', () => {
  const cases: [options: MongodOptions, about: RegExp][] = [
    [{ profile: 'atlas' }, /^MongoDB with Atlas Search: words and meaning are searched by its indexes/],
    [{ profile: 'documentdb' }, /with a vector index and without Atlas Search: meaning is searched by its/],
    [{ profile: 'community' }, /^MongoDB without Atlas Search: .* compared one by one up to 64 MB of/],
    [
      { profile: 'community', standalone: true },
      /has no transactions, so vai reads it and writes nothing\.$/,
    ],
  ];
  for (const [options, about] of cases)
    it(`${options.profile}${options.standalone ? ' by itself' : ''} is recognised`, async () => {
      const mongod = await startMongod(options);
      const stores = open(mongod.uri);
      try {
        assert.match(await stores.about!(), about);
      } finally {
        await stores.close();
        await mongod.stop();
      }
    });

  it('one without transactions is read and never written to', async () => {
    const mongod = await startMongod({ profile: 'community', standalone: true });
    const client = await MongoClient.connect(mongod.uri);
    await client.db('plain').collection('notes').insertOne({ text: 'herons stand', source: 'a.md' });
    const stores = open(mongod.uri);
    const store = await stores.open('plain');
    const refused = { code: 'STORE_READONLY', message: /has no transactions/ };
    await assert.rejects(store.collections.put(collection('docs')), refused);
    await assert.rejects(store.documents.replace(document({ path: 'a', text: 'x' })), refused);
    await assert.rejects(store.documents.remove('docs', 'a'), refused);
    await assert.rejects(store.lock('ingest', 'x', 1000), refused);
    await assert.rejects(store.setMeta('x', '1'), refused);
    assert.deepEqual(
      await client
        .db('plain')
        .listCollections()
        .toArray()
        .then((all) => all.map(({ name }) => name)),
      ['notes'],
    );
    const found = await store.search.words({ query: query(['heron']), scope: {}, limit: 5 });
    assert.equal((await store.search.chunks(found.hits.map(({ id }) => id)))[0]?.path, 'a.md');
    await stores.close();
    await client.close();
    await mongod.stop();
  });

  it('one that is not there at first is found when it comes', async () => {
    const mongod = await startMongod({ keepData: true });
    await mongod.kill();
    const stores = open(mongod.uri, { selectionMs: 300 });
    await assert.rejects(stores.ping(), { code: 'MONGO_UNAVAILABLE' });
    await mongod.revive();
    await until(() =>
      stores.ping().then(
        () => true,
        () => false,
      ),
    );
    assert.match(await stores.about!(), /Atlas Search/);
    await stores.close();
    await mongod.stop();
  });

  it('what it refuses is told in our words, and in its own to whoever listens', async () => {
    const mongod = await startMongod({ auth: { user: 'alice', password: 'hunter2' } });
    const said: string[] = [];
    const stores = mongodbStores({
      settings: { mongodbUri: mongod.uri },
      now,
      debug: (message, data) => void said.push(JSON.stringify([message, data])),
    });
    const store = await stores.open('codes');
    const codes: [number, string][] = [
      [59, 'STORE_UNSUPPORTED'],
      [115, 'STORE_UNSUPPORTED'],
      [40324, 'STORE_UNSUPPORTED'],
      [31082, 'STORE_UNSUPPORTED'],
      [9, 'INTERNAL'],
    ];
    for (const [errorCode, code] of codes) {
      await mongod.fault({ failCommands: ['find'], errorCode });
      await assert.rejects(store.documents.get('docs', 'a'), { code, retryable: false });
    }
    assert.equal(said.filter((line) => line.includes('failCommand')).length, codes.length);
    const everything = said.join('\n');
    for (const secret of ['alice', 'hunter2', '127.0.0.1', String(mongod.port)])
      assert.ok(!everything.includes(secret), secret);
    await stores.close();
    await mongod.stop();
  });
});

describe('DocumentDB', () => {
  let mongod: RunningMongod;
  before(async () => {
    mongod = await startMongod({ profile: 'documentdb' });
  });
  after(() => mongod.stop());

  it('indexes are made with their collection, in one call', async () => {
    const client = await MongoClient.connect(mongod.uri);
    const stores = open(mongod.uri);
    const store = await stores.open('fresh');
    await mongod.fault({ failCommands: ['create'], errorCode: 13, namespace: 'fresh.docs' }, 'alwaysOn');
    await store.collections.put(collection('docs'));
    await mongod.heal();
    const made = await client.db('fresh').listCollections({}, { nameOnly: true }).toArray();
    const indexes = await client.db('fresh').collection('docs').listIndexes().toArray();
    assert.ok(made.some(({ name }) => name === '_vai_postings'));
    assert.ok(indexes.some(({ key }) => (key as Record<string, unknown>).embedding === 'cosmosSearch'));
    // Opened again, nothing is created.
    await mongod.fault({ failCommands: ['createIndexes', 'create'], errorCode: 13 }, 'alwaysOn');
    const others = open(mongod.uri);
    const again = await others.open('fresh');
    await again.collections.put(collection('docs'));
    await again.documents.replace(document({ path: 'a', text: 'heron', vectors: [vector(0)] }));
    await mongod.heal();
    await others.close();
    await stores.close();
    await client.close();
  });

  it('a model of another length gets another vector index', async () => {
    const stores = open(mongod.uri);
    const store = await stores.open('restamped');
    await store.collections.put(collection('docs'));
    await store.documents.replace(document({ path: 'a', text: 'heron', vectors: [vector(0)] }));
    const embedding = { model: 'longer', dimensions: 128 };
    await store.collections.put(collection('docs', { embedding }));
    await store.documents.replace(document({ path: 'a', text: 'heron', vectors: [vector(0, 128)] }));
    const found = await store.search.vectors({
      vector: vector(0, 128),
      model: 'longer',
      scope: {},
      limit: 5,
    });
    assert.equal(found.hits.length, 1);
    const vectors = (await store.indexes.list('docs')).filter(({ type }) => type === 'vector');
    assert.deepEqual(
      vectors.map(({ dimensions, status }) => [dimensions, status]),
      [[128, 'ready']],
    );
    await stores.close();
  });

  it('ten at once make and fill one new collection', async () => {
    const all = Array.from({ length: 10 }, () => open(mongod.uri));
    await Promise.all(
      all.map(async (stores, at) => {
        const store = await stores.open('crowd');
        await store.collections.put(collection('docs'));
        for (const path of ['shared', `own-${at}`])
          await store.documents.replace(
            document({ path, text: `heron ${at}\n\nstork ${at}`, vectors: [vector(0), vector(1)] }),
          );
      }),
    );
    const store = await all[0]!.open('crowd');
    const { stats } = (await store.collections.get('docs'))!;
    assert.deepEqual([stats.documents, stats.chunks, stats.vectors], [11, 22, 22]);
    assert.deepEqual(await store.check(), { ok: true, problems: [] });
    for (const stores of all) await stores.close();
  });

  it('documents written for Atlas are indexed when asked for', async (context) => {
    const atlas = await startMongod();
    context.after(() => atlas.stop());
    const from = open(atlas.uri);
    context.after(() => from.close());
    const source = await from.open('moved');
    await source.collections.put(collection('docs'));
    await source.documents.replace(
      document({ path: 'a', text: 'heron\n\nstork', vectors: [vector(0), vector(1)] }),
    );
    // As `mongodump` and `mongorestore` would.
    const [one, two] = await Promise.all([MongoClient.connect(atlas.uri), MongoClient.connect(mongod.uri)]);
    context.after(() => Promise.all([one.close(), two.close()]));
    for (const { name } of await one.db('moved').listCollections({}, { nameOnly: true }).toArray()) {
      const rows = await one.db('moved').collection(name).find().toArray();
      if (rows.length > 0) await two.db('moved').collection(name).insertMany(rows);
    }
    const stores = open(mongod.uri);
    context.after(() => stores.close());
    const store = await stores.open('moved');
    const words = () => store.search.words({ query: query(['heron']), scope: {}, limit: 5 });
    assert.match((await words()).notices[0]!, /^index_missing: the words of 1 documents of `docs`/);
    assert.equal((await store.indexes.list('docs')).find(({ type }) => type === 'text')?.status, 'missing');
    const steps: string[] = [];
    await store.indexes.create('docs', 'text', { onProgress: (message) => void steps.push(message) });
    await store.indexes.create('docs', 'vector', {});
    assert.deepEqual(steps, ['Indexing words (1 of 1 documents)']);
    assert.deepEqual([(await words()).hits.length, (await words()).notices], [1, []]);
    const near = await store.search.vectors({ vector: vector(1), model: 'test-embed', scope: {}, limit: 1 });
    assert.equal((await store.search.chunks([near.hits[0]!.id]))[0]?.text, 'stork');
  });
});
