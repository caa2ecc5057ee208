// The stand-in through the official driver: catalogue, reads, writes, cursors. Passwords, time limits, lost replies, kills and
// changes of role are tested where the store meets them, in test/stores/mongodb.

import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { MongoClient, MongoServerError, ObjectId, type Db, type Document } from 'mongodb';
import { startMongod, type RunningMongod } from './start.ts';

interface Named extends Document {
  _id: string | number;
}

describe('mongod stand-in', () => {
  let mongod: RunningMongod;
  let client: MongoClient;
  let db: Db;
  before(async () => {
    mongod = await startMongod();
    client = await MongoClient.connect(mongod.uri, { serverSelectionTimeoutMS: 5000 });
    db = client.db('test');
  });
  after(async () => {
    await client.close();
    await mongod.stop();
  });
  const fresh = (name: string) => db.collection<Named>(name);

  it('lists and drops what exists', async () => {
    await db.createCollection('one');
    await assert.rejects(db.command({ create: 'one' }), { code: 48 });
    await fresh('two').insertOne({ _id: 1 });
    const names = (await db.listCollections({}, { nameOnly: true }).toArray()).map((c) => c.name);
    assert.ok(names.includes('one') && names.includes('two'));
    assert.equal(await db.collection('one').drop(), true);
    assert.ok((await client.db('admin').admin().listDatabases()).databases.some((d) => d.name === 'test'));
    await client.db('gone').collection('x').insertOne({ a: 1 });
    await client.db('gone').dropDatabase();
    assert.ok(!(await client.db().admin().listDatabases()).databases.some((d) => d.name === 'gone'));
  });

  it('inserts in order and stops at a duplicate unless told otherwise', async () => {
    const c = fresh('insert');
    await c.insertMany([{ _id: 1 }, { _id: 2 }]);
    await assert.rejects(c.insertMany([{ _id: 3 }, { _id: 1 }, { _id: 4 }]), { code: 11000 });
    assert.equal(await c.countDocuments(), 3);
    await assert.rejects(c.insertMany([{ _id: 1 }, { _id: 4 }], { ordered: false }), { code: 11000 });
    assert.equal(await c.countDocuments(), 4);
  });

  it('updates with operators, arrays of statements and upsert', async () => {
    const c = fresh('update');
    await c.insertOne({ _id: 'a', n: 1, tags: ['x'] });
    const result = await c.updateOne({ _id: 'a' }, {
      $inc: { n: 2 },
      $push: { tags: 'y' },
      $set: { 'deep.er': true },
    } as Document);
    assert.deepEqual([result.matchedCount, result.modifiedCount], [1, 1]);
    assert.equal((await c.updateOne({ _id: 'a' }, { $set: { n: 3 } })).modifiedCount, 0);
    assert.deepEqual(await c.findOne({ _id: 'a' }), {
      _id: 'a',
      n: 3,
      tags: ['x', 'y'],
      deep: { er: true },
    });
    const up = await c.updateOne({ _id: 'b', kind: 'new' }, { $set: { n: 9 } }, { upsert: true });
    assert.equal(up.upsertedId, 'b');
    assert.deepEqual(await c.findOne({ _id: 'b' }), { _id: 'b', kind: 'new', n: 9 });
    await assert.rejects(c.updateMany({}, [{ $set: { n: 1 } }]), { code: 9 });
    await c.replaceOne({ _id: 'b' }, { fresh: 1 });
    assert.deepEqual(await c.findOne({ _id: 'b' }), { _id: 'b', fresh: 1 });
    const bulk = await c.bulkWrite([
      { insertOne: { document: { _id: 'c' } } },
      { updateOne: { filter: { _id: 'c' }, update: { $set: { z: 1 } } } },
      { deleteOne: { filter: { _id: 'a' } } },
      { replaceOne: { filter: { _id: 'd' }, replacement: { q: 1 }, upsert: true } },
    ]);
    assert.deepEqual(
      [bulk.insertedCount, bulk.modifiedCount, bulk.deletedCount, bulk.upsertedCount],
      [1, 1, 1, 1],
    );
    await assert.rejects(c.updateOne({ _id: 'c' }, { $set: { _id: 'other' } }), { code: 66 });
  });

  it('matches null, missing, arrays and $ne as MongoDB does', async () => {
    const c = fresh('match');
    await c.insertMany([
      { _id: 1, a: null },
      { _id: 2 },
      { _id: 3, a: [1, 2] },
      { _id: 4, a: 'x' },
      { _id: 5, a: { b: 1 } },
    ]);
    const ids = async (filter: Document) =>
      (await c.find(filter).sort({ _id: 1 }).toArray()).map((d) => d._id);
    assert.deepEqual(await ids({ a: null }), [1, 2]);
    assert.deepEqual(await ids({ a: { $ne: 1 } }), [1, 2, 4, 5]);
    assert.deepEqual(await ids({ a: 2 }), [3]);
    assert.deepEqual(await ids({ a: { $exists: false } }), [2]);
    assert.deepEqual(await ids({ a: { $gt: 'a' } }), [4]);
    assert.deepEqual(await ids({ 'a.b': { $nin: [2] } }), [1, 2, 3, 4, 5]);
    assert.deepEqual(await ids({ a: { $not: { $in: [null, 'x'] } } }), [3, 5]);
  });

  it('hands out batches, with sort, skip, limit and projection', async () => {
    const c = fresh('batches');
    await c.insertMany(Array.from({ length: 250 }, (_, i) => ({ _id: i, x: i % 7, big: 'y'.repeat(10) })));
    const cursor = c
      .find({}, { batchSize: 40, projection: { big: 0 } })
      .sort({ _id: -1 })
      .skip(5)
      .limit(200);
    const docs = await cursor.toArray();
    assert.equal(docs.length, 200);
    assert.deepEqual(docs[0], { _id: 244, x: 6 });
    assert.deepEqual((await c.distinct('x')).sort(), [0, 1, 2, 3, 4, 5, 6]);
    assert.equal(await c.estimatedDocumentCount(), 250);
    const early = c.find({}, { batchSize: 10 });
    await early.next();
    await early.close();
  });

  it('aggregates, and leaves what is stored as it is', async () => {
    const grouped = await db
      .collection('batches')
      .aggregate([{ $group: { _id: '$x', n: { $sum: 1 } } }, { $sort: { _id: 1 } }])
      .toArray();
    assert.deepEqual(grouped[0], { _id: 0, n: 36 });
    await db
      .collection('batches')
      .aggregate([{ $set: { 'deep.x': 1 } }])
      .toArray();
    assert.equal(await db.collection('batches').countDocuments({ deep: { $exists: true } }), 0);
    await assert.rejects(
      db
        .collection('batches')
        .aggregate([{ $nonsense: 1 }])
        .toArray(),
      MongoServerError,
    );
  });

  it('enforces unique indexes', async () => {
    const c = fresh('unique');
    await c.createIndex({ a: 1, b: 1 }, { unique: true });
    await c.insertMany([
      { _id: 1, a: 1, b: 1 },
      { _id: 2, a: 1, b: 2 },
    ]);
    await assert.rejects(c.insertOne({ _id: 3, a: 1, b: 2 }), (error: MongoServerError) => {
      assert.equal(error.code, 11000);
      assert.deepEqual(error.keyValue, { a: 1, b: 2 });
      return true;
    });
    await assert.rejects(c.updateOne({ _id: 1 }, { $set: { b: 2 } }), { code: 11000 });
    await c.deleteOne({ _id: 2 });
    await c.insertOne({ _id: 3, a: 1, b: 2 });
    assert.deepEqual(
      (await c.indexes()).map((i) => i.name),
      ['_id_', 'a_1_b_1'],
    );
    await c.dropIndex('a_1_b_1');
    await c.insertOne({ _id: 7, a: 1, b: 2 });
    await assert.rejects(c.createIndex({ a: 1, b: 1 }, { unique: true }), { code: 11000 });
    assert.equal((await c.find({ a: 1, b: 2 }).toArray()).length, 2);
  });

  it('knows unknown commands and ObjectIds', async () => {
    await assert.rejects(db.command({ nonsense: 1 }), { code: 59 });
    const _id = new ObjectId();
    await db.collection('oid').insertOne({ _id, when: new Date(5), bytes: Buffer.from('abc') });
    const found = await db.collection('oid').findOne({ _id: new ObjectId(_id.toHexString()) });
    assert.deepEqual(found?.when, new Date(5));
    assert.equal(found?.bytes.toString(), 'abc');
  });
});
