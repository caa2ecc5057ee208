// What passes by itself is waited out: with a limit in time, and not again by whoever comes after it.

import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { MongoBulkWriteError, MongoNetworkError, MongoServerError } from 'mongodb';
import { VaiError } from '../../../src/domain/errors.ts';
import { Conflict, fromSqlState, passing, toStoreError } from '../../../src/stores/mongodb/errors.ts';
import { createRepeater } from '../../../src/stores/mongodb/retry.ts';

const server = (code: number, errmsg = '') => new MongoServerError({ ok: 0, code, errmsg });
/** As the driver wraps whatever goes wrong in the middle of `insertMany`. */
const bulk = (thrown: Error) => new MongoBulkWriteError(thrown, {} as never);
/** The driver's own is not exported; its name is on the class. */
class Crowded extends Error {
  override get name(): string {
    return 'MongoWaitQueueTimeoutError';
  }
}
const crowded = new Crowded('no connection');
const LABELLED = new MongoServerError({ ok: 0, code: 9, errorLabels: ['TransientTransactionError'] });

describe('failures', () => {
  const cases: [what: string, thrown: unknown, kind: string | undefined, code: string][] = [
    ['a conflict of MongoDB', server(112), 'conflict', 'STORE_BUSY'],
    ['one of PostgreSQL under DocumentDB', server(16_777_220), 'conflict', 'STORE_BUSY'],
    ['a deadlock there', server(fromSqlState('40P01')), 'conflict', 'STORE_BUSY'],
    ['a document inserted meanwhile', server(11000), 'conflict', 'STORE_BUSY'],
    ['a transaction that was forgotten', server(251), 'conflict', 'STORE_BUSY'],
    ['what MongoDB labels so', LABELLED, 'conflict', 'INTERNAL'],
    ['staged chunks that were swept', new Conflict(), 'conflict', 'STORE_BUSY'],
    ['a pool without a free connection', crowded, 'overload', 'STORE_BUSY'],
    ['the same while many are written', bulk(crowded), 'overload', 'STORE_BUSY'],
    ['a server that took too long', server(50), 'overload', 'TIMEOUT'],
    [
      'a connection lost while many are written',
      bulk(new MongoNetworkError('gone')),
      'outage',
      'MONGO_UNAVAILABLE',
    ],
    ['a primary that stepped down', server(10107), 'outage', 'MONGO_UNAVAILABLE'],
    ['PostgreSQL shutting down', server(fromSqlState('57P01')), 'outage', 'MONGO_UNAVAILABLE'],
    ['a gateway without PostgreSQL', server(1, 'connection closed'), 'outage', 'MONGO_UNAVAILABLE'],
    ['a lost connection', new MongoNetworkError('gone'), 'outage', 'MONGO_UNAVAILABLE'],
    [
      'a reset that the driver passes on',
      Object.assign(new Error('write ECONNRESET'), { code: 'ECONNRESET' }),
      'outage',
      'MONGO_UNAVAILABLE',
    ],
    ['a refusal', server(9), undefined, 'INTERNAL'],
    ['a stage it does not know', server(40324), undefined, 'STORE_UNSUPPORTED'],
    ['an error of ours', new VaiError('TOO_LARGE', 'no'), undefined, 'TOO_LARGE'],
  ];
  for (const [what, thrown, kind, code] of cases)
    it(`${what}: ${kind ?? 'stays'}`, () => {
      assert.equal(passing(thrown), kind);
      assert.equal((toStoreError(thrown) as VaiError).code, code);
    });

  it('a refused write is called one, a refused read is not', () => {
    assert.equal((toStoreError(server(9), 'write') as VaiError).code, 'WRITE_FAILED');
    assert.equal((toStoreError(server(9), 'read') as VaiError).code, 'INTERNAL');
  });
});

describe('repeating', () => {
  const patience = { conflict: 150, outage: 150, overload: 0 };
  /** Time passes only in pauses. */
  const clock = () => {
    let time = 1_000_000;
    return { now: () => time, sleep: async (ms: number) => void (time += ms) };
  };
  const failing = (thrown: unknown, times: number) => {
    const attempts: number[] = [];
    const work = async (attempt: number): Promise<string> => {
      attempts.push(attempt);
      if (attempts.length <= times) throw thrown;
      return 'done';
    };
    return { attempts, work };
  };

  it('goes on until it succeeds', async () => {
    const { attempts, work } = failing(server(112), 3);
    const repeat = createRepeater(1000, clock());
    assert.equal(await repeat(work, { conflict: 5000, outage: 5000, overload: 0 }), 'done');
    assert.deepEqual(attempts, [1, 2, 3, 4]);
  });

  it('ends after its time, and at once where nothing passes', async () => {
    const time = clock();
    const began = time.now();
    const conflict = failing(server(112), Infinity);
    await assert.rejects(createRepeater(1000, time)(conflict.work, patience), { code: 112 });
    assert.ok(conflict.attempts.length > 1);
    assert.ok(time.now() - began <= patience.conflict);
    for (const code of [9, 50]) {
      const refusal = failing(server(code), Infinity);
      await assert.rejects(createRepeater(1000, time)(refusal.work, patience), { code });
      assert.deepEqual(refusal.attempts, [1]);
    }
  });

  it('an outage that outlived all patience is not waited for by those who come after', async () => {
    const time = clock();
    const repeat = createRepeater(patience.outage, time);
    const first = failing(new MongoNetworkError('away'), Infinity);
    await assert.rejects(repeat(first.work, patience));
    assert.ok(first.attempts.length > 1);
    // The last pause would have ended after the time, so it was not taken.
    await time.sleep(patience.outage);
    const next = failing(new MongoNetworkError('away'), Infinity);
    await assert.rejects(repeat(next.work, patience));
    assert.deepEqual(next.attempts, []);
    // Tried again after a while, and then all is well.
    await time.sleep(10_000);
    const back = failing(new MongoNetworkError('away'), 0);
    assert.equal(await repeat(back.work, patience), 'done');
  });
});
