import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { createBuckets } from '../../../src/server/limits/bucket.ts';
import { createFailureCounter } from '../../../src/server/limits/failures.ts';
import { createLimiter } from '../../../src/server/limits/limiter.ts';
import { createReceiving } from '../../../src/server/limits/receiving.ts';
import { createRefusalLog } from '../../../src/server/limits/refusals.ts';

describe('token buckets', () => {
  it('allow a burst of a minute, then a steady rate', () => {
    const buckets = createBuckets();
    for (let call = 0; call < 60; call += 1) assert.equal(buckets.take('a', 60, 0), 0);
    assert.equal(buckets.take('a', 60, 0), 1);
    assert.equal(buckets.take('a', 60, 500), 1);
    assert.equal(buckets.take('a', 60, 1_001), 0);
    assert.equal(buckets.take('b', 60, 0), 0);
  });

  it('say how long to wait', () => {
    const buckets = createBuckets();
    buckets.take('a', 1, 0);
    assert.equal(buckets.take('a', 1, 0), 60);
    assert.equal(buckets.take('a', 1, 30_000), 30);
  });

  it('forget the longest unused names', () => {
    const buckets = createBuckets(2);
    buckets.take('a', 1, 0);
    buckets.take('b', 1, 0);
    buckets.take('c', 1, 0);
    assert.equal(buckets.take('c', 1, 0), 60);
    assert.equal(buckets.take('a', 1, 0), 0);
  });

  it('are off at 0', () => assert.equal(createBuckets().take('a', 0, 0), 0));
});

describe('failed keys', () => {
  it('ten a minute are answered, the next ones wait, and waiting ends', () => {
    const failures = createFailureCounter();
    for (let call = 0; call < 10; call += 1) assert.equal(failures.fail('a', call * 1000), 0);
    assert.equal(failures.fail('a', 10_000), 50);
    assert.equal(failures.fail('a', 59_000), 1);
    assert.equal(failures.fail('a', 60_001), 0);
    assert.equal(failures.fail('b', 10_000), 0);
  });
});

describe('limiter', () => {
  const ask = { address: 'x', rate: 0, addressRate: 0, calls: 1 };

  it('bounds what runs at once, by key and in all', async () => {
    const limiter = createLimiter(() => 0, { running: 3, runningPerKey: 2 });
    const admit = (key: string) => limiter.admit({ ...ask, key });
    assert.deepEqual(await admit('a'), { ok: true });
    assert.deepEqual(await admit('a'), { ok: true });
    assert.deepEqual(await admit('a'), { ok: false, reason: 'key busy', retryAfter: 1 });
    assert.deepEqual(await admit('b'), { ok: true });
    assert.deepEqual(await admit('c'), { ok: false, reason: 'busy', retryAfter: 1 });
    limiter.release('a', 1);
    assert.deepEqual(await admit('c'), { ok: true });
  });

  it('counts every call of a batch', async () => {
    const limiter = createLimiter(() => 0, { running: 10, runningPerKey: 10 });
    const admit = (calls: number, rate = 0) => limiter.admit({ ...ask, key: 'a', calls, rate });
    assert.deepEqual(await admit(8), { ok: true });
    assert.deepEqual(await admit(3), { ok: false, reason: 'busy', retryAfter: 1 });
    limiter.release('a', 8);
    assert.deepEqual(await admit(6, 5), { ok: false, reason: 'batch size', retryAfter: 0 });
    assert.deepEqual(await admit(4, 5), { ok: true });
    assert.deepEqual(await admit(4, 5), { ok: false, reason: 'rate', retryAfter: 36 });
    assert.deepEqual(await admit(1, 5), { ok: true }, 'what was refused took nothing');
  });

  it('M9: a key over its rate takes nothing from colleagues at its address', async () => {
    const limiter = createLimiter(() => 0);
    const admit = (key: string, rate: number) =>
      limiter.admit({ ...ask, key, rate, addressRate: rate === 1 ? 0 : 100 });
    for (let call = 0; call < 500; call += 1) await admit('slow', 1);
    for (let call = 0; call < 60; call += 1) {
      assert.deepEqual(await admit('colleague', 60), { ok: true });
      limiter.release('colleague', 1);
    }
  });
});

describe('bodies on their way in', () => {
  it('are bounded by key and wait for a key that was told to', () => {
    let at = 0;
    const receiving = createReceiving(() => at, 2);
    assert.deepEqual([receiving.begin('a'), receiving.begin('a'), receiving.begin('a')], [0, 0, 1]);
    assert.equal(receiving.begin('b'), 0, 'others are not held up');
    receiving.end('a');
    assert.equal(receiving.begin('a'), 0);
    receiving.end('a');
    receiving.end('a');
    assert.deepEqual([receiving.begin('a'), receiving.begin('a'), receiving.begin('a')], [0, 0, 1]);
    receiving.hold('b', 30);
    assert.equal(receiving.begin('b'), 30);
    at = 30_001;
    assert.equal(receiving.begin('b'), 0);
  });
});

describe('refusals in the log', () => {
  it('are bounded, and the next line says how many were left out', () => {
    let at = 0;
    const refusals = createRefusalLog(() => at, 2);
    assert.deepEqual(
      [refusals.next(), refusals.next(), refusals.next(), refusals.next()],
      [0, 0, undefined, undefined],
    );
    at = 60_000;
    assert.deepEqual([refusals.next(), refusals.next()], [2, 0]);
  });
});
