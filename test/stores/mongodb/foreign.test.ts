// Collections of the original voyageai-cli, read as they are: its document shapes, searched and cited.

import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { MongoClient, ObjectId, type Db } from 'mongodb';
import type { Store, Stores } from '../../../src/ports/store.ts';
import { mongodbStores } from '../../../src/stores/mongodb/stores.ts';
import { collection, document, query, vector } from '../../contract/fixtures.ts';
import { startMongod, type RunningMongod } from '../../support/mongod/start.ts';

const embedding = [...vector(0)];

describe('collections of voyageai-cli', () => {
  let mongod: RunningMongod;
  let client: MongoClient;
  let db: Db;
  let stores: Stores;
  let store: Store;
  before(async () => {
    mongod = await startMongod();
    client = await MongoClient.connect(mongod.uri);
    db = client.db('team');
    stores = mongodbStores({ settings: { mongodbUri: mongod.uri }, now: () => new Date() });
    store = await stores.open('team');
    await db.collection('mcp').insertMany([
      {
        text: 'Second part\nof the guide',
        embedding,
        source: 'guide.md',
        metadata: {
          source: 'guide.md',
          filename: 'guide.md',
          ingestedAt: '2026-02-01T00:00:00Z',
          chunkIndex: 1,
          totalChunks: 2,
          model: 'test-embed',
          type: 'manual',
        },
      },
      {
        text: 'First part',
        embedding: [...vector(0.5)],
        source: 'guide.md',
        metadata: { source: 'guide.md', chunkIndex: 0, totalChunks: 2, model: 'test-embed', type: 'manual' },
      },
      { _type: 'index_meta', text: 'bookkeeping', embedding },
    ]);
    await db.collection('pipeline').insertMany([
      {
        text: 'from the pipeline',
        embedding,
        metadata: { source: 'p.txt', chunk_index: 0, total_chunks: 1 },
        _model: 'test-embed',
        _embeddedAt: new Date('2026-01-05'),
      },
      {
        content: 'under another name',
        embedding,
        source: 'c.txt',
        model: 'test-embed',
        createdAt: new Date('2026-01-06'),
      },
      { text: 'without a source', embedding, model: 'test-embed' },
      { embedding, model: 'test-embed', note: 'no text at all' },
    ]);
    for (const name of ['mcp', 'pipeline'])
      await db.collection(name).createSearchIndex({
        name: 'vector_index',
        type: 'vectorSearch',
        definition: {
          fields: [{ type: 'vector', path: 'embedding', numDimensions: 64, similarity: 'cosine' }],
        },
      });
  });
  after(async () => {
    await stores.close();
    await client.close();
    await mongod.stop();
  });

  it('are listed with their model and counts, and ours stay hidden', async () => {
    const list = await store.collections.list();
    assert.deepEqual(
      list.map((entry) => entry.name),
      ['mcp', 'pipeline'],
    );
    assert.deepEqual(list[0]!.embedding, { model: 'test-embed', dimensions: 64 });
    assert.equal(list[0]!.stats.documents, 1);
    assert.equal(list[1]!.stats.documents, 3);
    const indexes = await store.indexes.list('mcp');
    assert.deepEqual(indexes.map((index) => [index.type, index.status]).sort(), [
      ['text', 'missing'],
      ['vector', 'ready'],
    ]);
  });

  it('one that cannot be read does not hide the others', async () => {
    await mongod.fault({ failCommands: ['count'], errorCode: 13, namespace: 'team.mcp' }, 'alwaysOn');
    const others = mongodbStores({ settings: { mongodbUri: mongod.uri }, now: () => new Date() });
    const list = await (await others.open('team')).collections.list();
    await others.close();
    await mongod.heal();
    assert.deepEqual(
      list.map(({ name, stats }) => [name, stats.chunks]),
      [
        ['mcp', 0],
        ['pipeline', 4],
      ],
    );
  });

  it('are searched by meaning and read as documents with lines', async () => {
    const found = await store.search.vectors({
      vector: vector(0),
      model: 'test-embed',
      scope: { collections: ['mcp'] },
      limit: 5,
    });
    const chunks = await store.search.chunks(found.hits.map((hit) => hit.id));
    assert.equal(chunks[0]?.text, 'Second part\nof the guide');
    assert.deepEqual(
      [chunks[0]?.path, chunks[0]?.startLine, chunks[0]?.endLine, chunks[0]?.totalChunks],
      ['guide.md', 3, 4, 2],
    );
    assert.equal(await store.documents.text('mcp', 'guide.md'), 'First part\n\nSecond part\nof the guide');
    assert.deepEqual(
      await store.documents.lines([{ collection: 'mcp', path: 'guide.md', lines: { start: 3, end: 3 } }]),
      ['Second part'],
    );
    const info = await store.documents.get('mcp', 'guide.md');
    assert.equal(info?.metadata.type, 'manual');
    assert.equal(info?.fetchedAt, '2026-02-01T00:00:00.000Z');
    const page = await store.documents.list('pipeline', { limit: 2 });
    assert.deepEqual(
      page.documents.map((entry) => entry.path),
      ['c.txt', 'p.txt'],
    );
    const rest = await store.documents.list('pipeline', { limit: 2, after: page.next! });
    assert.deepEqual(
      rest.documents.map((entry) => entry.path),
      ['unknown'],
    );
  });

  it('filters on a path the index does not declare compare one by one and say so', async () => {
    const filter = { op: 'eq', path: 'metadata.type', value: 'manual' } as const;
    const found = await store.search.vectors({
      vector: vector(0),
      model: 'test-embed',
      scope: { collections: ['mcp'], filter },
      limit: 1,
    });
    assert.equal(found.hits.length, 1);
    assert.match(found.notices[0]!, /metadata\.type is not declared/);
  });

  it('say that words need an index, and have one made', async () => {
    const search = () =>
      store.search.words({ query: query(['guide']), scope: { collections: ['mcp'] }, limit: 5 });
    assert.match((await search()).notices[0]!, /no text index for `mcp`/);
    const made = await store.indexes.create('mcp', 'text', {});
    assert.equal(made.status, 'ready');
    const found = await search();
    assert.equal((await store.search.chunks(found.hits.map((hit) => hit.id)))[0]?.path, 'guide.md');
    assert.deepEqual(found.notices, []);
  });

  it('may be written to by ours, and both kinds are found', async () => {
    await store.collections.put(collection('mcp'));
    await store.documents.replace(
      document({ collection: 'mcp', path: 'new.md', text: 'ours', vectors: [vector(0.1)] }),
    );
    const found = await store.search.vectors({
      vector: vector(0),
      model: 'test-embed',
      scope: { collections: ['mcp'] },
      limit: 5,
    });
    const paths = (await store.search.chunks(found.hits.map((hit) => hit.id))).map((chunk) => chunk.path);
    assert.deepEqual(paths, ['guide.md', 'new.md', 'guide.md']);
    assert.equal(await store.documents.text('mcp', 'guide.md'), 'First part\n\nSecond part\nof the guide');
    const stored = await db.collection('mcp').findOne({ source: 'new.md' });
    assert.equal(stored?.text, 'ours');
    assert.equal(stored?.metadata.source, 'new.md');
    assert.equal(stored?.metadata.model, 'test-embed');
    assert.ok(!((stored?._id as unknown) instanceof ObjectId));
    assert.ok((await db.listCollections().toArray()).some((entry) => entry.name === '_vai_documents'));
    assert.ok((await store.collections.list()).every((entry) => !entry.name.startsWith('_vai_')));
  });
});
