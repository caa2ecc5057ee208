// Atlas Search of the stand-in: exact vectors, BM25, the rules around both and the life of an index.

import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { Binary, MongoClient, type Collection, type Document } from 'mongodb';
import { startMongod, type RunningMongod } from './start.ts';
import { until } from '../wait.ts';

interface Chunk extends Document {
  _id: string;
}

const VECTOR_INDEX = {
  fields: [
    { type: 'vector', path: 'embedding', numDimensions: 2, similarity: 'cosine' },
    { type: 'filter', path: 'metadata.type' },
  ],
};

describe('mongod stand-in search', () => {
  let mongod: RunningMongod;
  let client: MongoClient;
  const chunks = (name: string): Collection<Chunk> => client.db('kb').collection<Chunk>(name);
  before(async () => {
    mongod = await startMongod({ searchBuildMs: 150 });
    client = await MongoClient.connect(mongod.uri, { serverSelectionTimeoutMS: 5000 });
  });
  after(async () => {
    await client.close();
    await mongod.stop();
  });
  const ready = async (c: Collection<Chunk>, name: string): Promise<void> => {
    await until(async () => {
      const [index] = (await c.listSearchIndexes(name).toArray()) as Document[];
      return index?.queryable && index.status === 'READY';
    });
  };
  const vector = (c: Collection<Chunk>, spec: Document) =>
    c.aggregate([{ $vectorSearch: spec }, { $project: { score: { $meta: 'vectorSearchScore' } } }]).toArray();

  it('builds an index, then answers exactly and with the filter inside', async () => {
    const c = chunks('vectors');
    await c.insertMany([
      { _id: 'east', embedding: [1, 0], metadata: { type: 'a' } },
      { _id: 'north', embedding: Binary.fromFloat32Array(new Float32Array([0, 2])), metadata: { type: 'b' } },
      { _id: 'west', embedding: [-1, 0], metadata: { type: 'a' } },
      { _id: 'odd', embedding: [1, 0, 0], metadata: { type: 'a' } },
    ]);
    const spec = {
      index: 'vector_index',
      path: 'embedding',
      queryVector: [1, 0],
      numCandidates: 10,
      limit: 3,
    };
    assert.deepEqual(await vector(c, spec), []);
    await c.createSearchIndex({ name: 'vector_index', type: 'vectorSearch', definition: VECTOR_INDEX });
    await ready(c, 'vector_index');
    assert.deepEqual(await vector(c, spec), [
      { _id: 'east', score: 1 },
      { _id: 'north', score: 0.5 },
      { _id: 'west', score: 0 },
    ]);
    const filtered = await vector(c, { ...spec, limit: 1, filter: { 'metadata.type': 'b' } });
    assert.deepEqual(
      filtered.map((d) => d._id),
      ['north'],
    );
    await assert.rejects(
      vector(c, { ...spec, filter: { other: 1 } }),
      /Path 'other' needs to be indexed as filter/,
    );
    await assert.rejects(vector(c, { ...spec, numCandidates: 2 }), { code: 8 });
    await assert.rejects(
      vector(c, { ...spec, queryVector: [1, 2, 3] }),
      /indexed with 2 dimensions but queried with 3/,
    );
    await assert.rejects(c.aggregate([{ $match: {} }, { $vectorSearch: spec }]).toArray(), { code: 40602 });
    await client.withSession(async (session) => {
      session.startTransaction();
      await assert.rejects(c.aggregate([{ $vectorSearch: spec }], { session }).toArray(), { code: 263 });
      await session.abortTransaction();
    });
  });

  it('updates and drops indexes, keeping the old one until the new is built', async () => {
    const c = chunks('life');
    await assert.rejects(c.createSearchIndex({ name: 'v', type: 'vectorSearch', definition: VECTOR_INDEX }), {
      code: 26,
    });
    await c.insertOne({ _id: 'a', embedding: [1, 0], source: 's' });
    await c.createSearchIndex({ name: 'v', type: 'vectorSearch', definition: VECTOR_INDEX });
    await assert.rejects(c.createSearchIndex({ name: 'v', type: 'vectorSearch', definition: VECTOR_INDEX }), {
      code: 68,
    });
    await assert.rejects(
      c.createSearchIndex({ name: 'w', type: 'vectorSearch', definition: { fields: [] } }),
      { code: 72 },
    );
    await ready(c, 'v');
    const wider = { fields: [...VECTOR_INDEX.fields, { type: 'filter', path: 'source' }] };
    await c.updateSearchIndex('v', wider);
    const spec = { index: 'v', path: 'embedding', queryVector: [1, 0], numCandidates: 10, limit: 3 };
    assert.equal((await vector(c, spec)).length, 1);
    await assert.rejects(vector(c, { ...spec, filter: { source: 's' } }));
    await ready(c, 'v');
    assert.equal((await vector(c, { ...spec, filter: { source: 's' } })).length, 1);
    await c.dropSearchIndex('v');
    assert.deepEqual(await c.listSearchIndexes().toArray(), []);
    await assert.rejects(c.dropSearchIndex('v'), { code: 27 });
  });

  it('ranks words, phrases and clauses', async () => {
    const c = chunks('words');
    await c.insertMany([
      { _id: '1', text: 'The quick brown fox', kind: 'animal' },
      { _id: '2', text: 'A fox is a fox is a fox', kind: 'animal' },
      { _id: '3', text: 'Brown bread, quick to bake', kind: 'food' },
      { _id: '4', text: 'useState and useEffect', kind: 'code' },
    ]);
    await c.createSearchIndex({
      name: 'text',
      type: 'search',
      definition: {
        mappings: {
          dynamic: false,
          fields: { text: { type: 'string' }, kind: { type: 'token' } },
        },
      },
    });
    await ready(c, 'text');
    const search = async (operator: Document) =>
      (await c
        .aggregate([
          { $search: { index: 'text', ...operator } },
          { $set: { score: { $meta: 'searchScore' } } },
          { $project: { score: 1 } },
        ])
        .toArray()) as { _id: string; score: number }[];
    const ids = async (operator: Document) => (await search(operator)).map((d) => d._id);
    const hits = await search({ text: { query: 'fox', path: 'text' } });
    assert.deepEqual(
      hits.map((d) => d._id),
      ['2', '1'],
    );
    assert.ok(hits[0]!.score > hits[1]!.score && hits[1]!.score > 0);
    assert.deepEqual(await ids({ phrase: { query: 'quick brown', path: 'text' } }), ['1']);
    assert.deepEqual(
      await ids({ text: { query: 'qick', path: 'text', fuzzy: { maxEdits: 1 } } }).then((x) => x.sort()),
      ['1', '3'],
    );
    assert.deepEqual(await ids({ wildcard: { query: 'usest*', path: 'text', allowAnalyzedField: true } }), [
      '4',
    ]);
    const compound = {
      must: [{ text: { query: 'quick', path: 'text' } }],
      should: [{ text: { query: 'bake', path: 'text' } }],
      filter: [{ in: { path: 'kind', value: ['animal', 'food'] } }],
      mustNot: [{ phrase: { query: 'white bread', path: 'text' } }],
    };
    assert.deepEqual(await ids({ compound }), ['3', '1']);
    assert.deepEqual(await ids({ compound: { filter: [{ equals: { path: 'kind', value: 'code' } }] } }), [
      '4',
    ]);
    const count = (how: Document) =>
      c
        .aggregate([{ $searchMeta: { index: 'text', text: { query: 'fox', path: 'text' }, ...how } }])
        .toArray();
    assert.deepEqual(await count({ count: { type: 'total' } }), [{ count: { total: 2 } }]);
    assert.deepEqual(await count({}), [{ count: { lowerBound: 2 } }]);
    await assert.rejects(ids({ equals: { path: 'text', value: 'x' } }), /needs to be indexed as token/);
    assert.deepEqual(await ids({ index: 'absent', text: { query: 'fox', path: 'text' } }), []);
  });

  it('can be a plain server without search, or one that builds', async () => {
    const plain = await startMongod({ profile: 'community' });
    const building = await startMongod({ searchBuildMs: 3_600_000 });
    try {
      const one = await MongoClient.connect(plain.uri);
      const c = one.db('x').collection('y');
      await c.insertOne({});
      await assert.rejects(c.listSearchIndexes().toArray(), { code: 31082 });
      await assert.rejects(c.createSearchIndex({ definition: { mappings: {} } }), { code: 31082 });
      await one.close();
      const other = await MongoClient.connect(building.uri);
      const d = other.db('x').collection<Chunk>('y');
      await d.insertOne({ _id: 'a', embedding: [1, 0] });
      await d.createSearchIndex({ name: 'v', type: 'vectorSearch', definition: VECTOR_INDEX });
      const spec = { index: 'v', path: 'embedding', queryVector: [1, 0], numCandidates: 9, limit: 9 };
      await assert.rejects(vector(d, spec), { code: 8, message: /while in state/ });
      await other.close();
    } finally {
      await Promise.all([plain.stop(), building.stop()]);
    }
  });
});
