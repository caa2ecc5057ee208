// Sessions of the stand-in: real rollback, snapshots and conflicts.

import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import type { MongoServerError } from 'mongodb';
import { MongoClient, type Collection, type Document } from 'mongodb';
import { startMongod, type RunningMongod } from './start.ts';

interface Account extends Document {
  _id: string;
  n: number;
}

describe('mongod stand-in transactions', () => {
  let mongod: RunningMongod;
  let client: MongoClient;
  const accounts = (name: string): Collection<Account> => client.db('bank').collection<Account>(name);
  before(async () => {
    mongod = await startMongod();
    client = await MongoClient.connect(mongod.uri, { serverSelectionTimeoutMS: 5000 });
  });
  after(async () => {
    await client.close();
    await mongod.stop();
  });

  it('rolls everything back, also a collection made on the way', async () => {
    const c = accounts('rollback');
    await c.createIndex({ n: 1 }, { unique: true });
    await c.insertMany([
      { _id: 'a', n: 1 },
      { _id: 'b', n: 2 },
    ]);
    const session = client.startSession();
    session.startTransaction();
    await c.updateOne({ _id: 'a' }, { $set: { n: 50 } }, { session });
    await c.deleteOne({ _id: 'b' }, { session });
    await c.insertOne({ _id: 'c', n: 3 }, { session });
    await accounts('made').insertOne({ _id: 'x', n: 1 }, { session });
    assert.deepEqual(
      (await c.find({}, { session }).sort({ _id: 1 }).toArray()).map((d) => [d._id, d.n]),
      [
        ['a', 50],
        ['c', 3],
      ],
    );
    assert.deepEqual(
      (await c.find().sort({ _id: 1 }).toArray()).map((d) => [d._id, d.n]),
      [
        ['a', 1],
        ['b', 2],
      ],
    );
    await session.abortTransaction();
    await session.endSession();
    assert.deepEqual(
      (await c.find().sort({ _id: 1 }).toArray()).map((d) => [d._id, d.n]),
      [
        ['a', 1],
        ['b', 2],
      ],
    );
    assert.equal((await client.db('bank').listCollections({ name: 'made' }).toArray()).length, 0);
    await c.insertOne({ _id: 'd', n: 50 });
    await assert.rejects(c.insertOne({ _id: 'e', n: 2 }), { code: 11000 });
  });

  it('reads its snapshot and commits at once', async () => {
    const c = accounts('snapshot');
    await c.insertMany([
      { _id: 'a', n: 1 },
      { _id: 'b', n: 1 },
    ]);
    const session = client.startSession();
    session.startTransaction({ readConcern: { level: 'snapshot' } });
    assert.equal((await c.findOne({ _id: 'a' }, { session }))?.n, 1);
    await c.updateOne({ _id: 'b' }, { $set: { n: 9 } });
    await c.deleteOne({ _id: 'a' });
    assert.equal((await c.findOne({ _id: 'b' }, { session }))?.n, 1);
    assert.equal((await c.findOne({ _id: 'a' }, { session }))?.n, 1);
    await c.insertOne({ _id: 'z', n: 1 }, { session });
    assert.equal(await c.countDocuments(), 1);
    await session.commitTransaction();
    await session.endSession();
    assert.deepEqual(
      (await c.find().sort({ _id: 1 }).toArray()).map((d) => d._id),
      ['b', 'z'],
    );
  });

  it('gives up on a write conflict with the transient label, and withTransaction tries again', async () => {
    const c = accounts('conflict');
    await c.insertOne({ _id: 'a', n: 0 });
    const one = client.startSession();
    const two = client.startSession();
    one.startTransaction();
    two.startTransaction();
    await c.updateOne({ _id: 'a' }, { $inc: { n: 1 } }, { session: one });
    await assert.rejects(
      c.updateOne({ _id: 'a' }, { $inc: { n: 1 } }, { session: two }),
      (error: MongoServerError) => {
        assert.equal(error.code, 112);
        assert.ok(error.hasErrorLabel('TransientTransactionError'));
        return true;
      },
    );
    const waiting = c.updateOne({ _id: 'a' }, { $inc: { n: 10 } });
    await one.commitTransaction();
    await waiting;
    await two.abortTransaction();
    await Promise.all([one.endSession(), two.endSession()]);
    assert.equal((await c.findOne({ _id: 'a' }))?.n, 11);

    await Promise.all(
      Array.from({ length: 5 }, () =>
        client.withSession((session) =>
          session.withTransaction(async () => {
            const { n } = (await c.findOne({ _id: 'a' }, { session }))!;
            await c.updateOne({ _id: 'a' }, { $set: { n: n + 1 } }, { session });
          }),
        ),
      ),
    );
    assert.equal((await c.findOne({ _id: 'a' }))?.n, 16);
  });

  it('aborts a transaction whose write failed', async () => {
    const c = accounts('failed');
    await c.insertOne({ _id: 'a', n: 0 });
    const session = client.startSession();
    session.startTransaction();
    await c.insertOne({ _id: 'b', n: 0 }, { session });
    await assert.rejects(c.insertOne({ _id: 'a', n: 0 }, { session }), { code: 11000 });
    await assert.rejects(session.commitTransaction(), { code: 251 });
    await session.endSession();
    assert.equal(await c.countDocuments(), 1);
  });
});
