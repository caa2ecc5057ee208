import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { createBuckets } from '../../../src/server/limits/bucket.ts';
import { createFailureCounter } from '../../../src/server/limits/failures.ts';
import { createLimiter } from '../../../src/server/limits/limiter.ts';

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
  it('bounds what runs at once, by key and in all', async () => {
    const limiter = createLimiter(() => 0, { running: 3, runningPerKey: 2, addressFactor: 4 });
    const admit = (key: string) => limiter.admit({ key, address: 'x', rate: 0 });
    assert.deepEqual(await admit('a'), { ok: true });
    assert.deepEqual(await admit('a'), { ok: true });
    assert.deepEqual(await admit('a'), { ok: false, reason: 'key busy', retryAfter: 1 });
    assert.deepEqual(await admit('b'), { ok: true });
    assert.deepEqual(await admit('c'), { ok: false, reason: 'busy', retryAfter: 1 });
    limiter.release('a');
    assert.deepEqual(await admit('c'), { ok: true });
  });
});
