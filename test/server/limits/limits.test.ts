import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { createBuckets } from '../../../src/server/limits/bucket.ts';
import { createFailureCounter } from '../../../src/server/limits/failures.ts';
import { createLimiter } from '../../../src/server/limits/limiter.ts';
import { createReceiving, type Receiving } from '../../../src/server/limits/receiving.ts';
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

  it('keep the names used last', () => {
    const buckets = createBuckets(2);
    buckets.take('a', 1, 0);
    buckets.take('b', 1, 0);
    assert.equal(buckets.take('a', 1, 0), 60);
    buckets.take('c', 1, 0);
    assert.equal(buckets.take('a', 1, 0), 60, 'a was used after b');
    assert.equal(buckets.take('b', 1, 0), 0);
  });

  it('forget nobody when a known name comes again', () => {
    const buckets = createBuckets(2);
    for (const name of ['a', 'b', 'b']) buckets.take(name, 1, 0);
    assert.equal(buckets.take('a', 1, 0), 60);
  });

  it('hold ten thousand names', () => {
    const buckets = createBuckets();
    for (let name = 0; name < 10_000; name += 1) buckets.take(String(name), 1, 0);
    assert.equal(buckets.take('0', 1, 0), 60, 'the first is still known');
    buckets.take('one more', 1, 0);
    assert.equal(buckets.take('1', 1, 0), 0, 'the longest unused one is not');
  });

  it('never hold more than a minute, and a clock set back gives nothing', () => {
    const buckets = createBuckets();
    for (let call = 0; call < 60; call += 1) buckets.take('a', 60, 100_000);
    assert.equal(buckets.take('a', 60, 50_000), 1, 'nothing came back');
    assert.equal(buckets.take('a', 60, 1_000_000, 61), 1, 'an hour gives a minute’s worth');
    assert.equal(buckets.take('a', 60, 1_000_000, 60), 0);
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

  it('are counted for a full minute and for the addresses seen last', () => {
    const failures = createFailureCounter(2);
    for (let call = 0; call < 10; call += 1) failures.fail('a', 0);
    assert.equal(failures.fail('a', 59_999), 1);
    assert.equal(failures.fail('a', 0), 60);
    failures.fail('b', 0);
    assert.equal(failures.fail('a', 0), 60, 'two are known');
    failures.fail('c', 0);
    assert.equal(failures.fail('a', 0), 60, 'b was seen longer ago');
    failures.fail('b', 0);
    failures.fail('d', 0);
    assert.equal(failures.fail('a', 60_000), 0, 'a minute later it is over');
  });

  it('are over after a minute, to the millisecond', () => {
    const failures = createFailureCounter();
    for (let call = 0; call < 10; call += 1) failures.fail('a', 0);
    assert.deepEqual([failures.fail('a', 59_999), failures.fail('a', 60_000)], [1, 0]);
  });

  it('are not forgotten when a known address fails again', () => {
    const failures = createFailureCounter(2);
    for (let call = 0; call < 10; call += 1) failures.fail('a', 0);
    for (let call = 0; call < 2; call += 1) failures.fail('b', 0);
    assert.equal(failures.fail('a', 0), 60);
  });

  it('are kept for ten thousand addresses', () => {
    const failures = createFailureCounter();
    for (let call = 0; call < 10; call += 1) failures.fail('a', 0);
    for (let other = 0; other < 9_999; other += 1) failures.fail(String(other), 0);
    assert.equal(failures.fail('a', 0), 60);
    for (let other = 0; other < 10_000; other += 1) failures.fail(`x${other}`, 0);
    assert.equal(failures.fail('a', 0), 0);
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

  it('takes a batch as large as the rate, and none that is larger', async () => {
    const limiter = createLimiter(() => 0);
    const admit = (key: string, calls: number, rate: number) => limiter.admit({ ...ask, key, calls, rate });
    assert.deepEqual(await admit('a', 5, 5), { ok: true });
    assert.deepEqual(await admit('b', 2, 1), { ok: false, reason: 'batch size', retryAfter: 0 });
  });

  it('tells a key and an address to wait for a single second, too', async () => {
    const limiter = createLimiter(() => 0);
    const admit = (rate: number, addressRate: number, calls: number) =>
      limiter.admit({ ...ask, key: 'a', rate, addressRate, calls });
    assert.deepEqual(await admit(60, 0, 60), { ok: true });
    assert.deepEqual(await admit(60, 0, 1), { ok: false, reason: 'rate', retryAfter: 1 });
    assert.deepEqual(await admit(0, 60, 60), { ok: true });
    assert.deepEqual(await admit(0, 60, 1), { ok: false, reason: 'address rate', retryAfter: 1 });
  });

  it('serves 256 at once, 128 of them for one key', async () => {
    const limiter = createLimiter(() => 0);
    assert.deepEqual(await limiter.admit({ ...ask, key: 'a', calls: 128 }), { ok: true });
    const more = await limiter.admit({ ...ask, key: 'a' });
    assert.ok(!more.ok && more.reason === 'key busy');
    assert.deepEqual(await limiter.admit({ ...ask, key: 'b', calls: 128 }), { ok: true });
    const third = await limiter.admit({ ...ask, key: 'c' });
    assert.ok(!third.ok && third.reason === 'busy');
    limiter.release('a', 128);
    assert.deepEqual(await limiter.admit({ ...ask, key: 'a', calls: 128 }), { ok: true });
  });

  it('a release too many makes no room', async () => {
    const limiter = createLimiter(() => 0, { running: 1, runningPerKey: 1 });
    limiter.release('a', 1);
    limiter.release('a', 1);
    assert.deepEqual(await limiter.admit({ ...ask, key: 'a' }), { ok: true });
    const second = await limiter.admit({ ...ask, key: 'b' });
    assert.ok(!second.ok && second.reason === 'busy');
  });

  it('a release of more calls than run makes no room either', async () => {
    const limiter = createLimiter(() => 0, { running: 9, runningPerKey: 2 });
    const admit = async (calls: number) => (await limiter.admit({ ...ask, key: 'a', calls })).ok;
    assert.equal(await admit(1), true);
    limiter.release('a', 2);
    assert.deepEqual([await admit(2), await admit(1)], [true, false]);
    limiter.release('a', 1);
    assert.deepEqual([await admit(1), await admit(1)], [true, false], 'one of two is left');
  });

  it('an address has a rate of its own, and takes nothing where it refuses', async () => {
    let at = 0;
    const limiter = createLimiter(() => at);
    const admit = (key: string) => limiter.admit({ ...ask, key, addressRate: 2 });
    assert.deepEqual(await admit('a'), { ok: true });
    assert.deepEqual(await admit('b'), { ok: true });
    assert.deepEqual(await admit('c'), { ok: false, reason: 'address rate', retryAfter: 30 });
    at = 30_000;
    assert.deepEqual(await admit('c'), { ok: true });
  });

  it('counts failures by its own clock', async () => {
    let at = 0;
    const limiter = createLimiter(() => at);
    for (let call = 0; call < 10; call += 1) assert.equal(await limiter.fail('x'), 0);
    assert.equal(await limiter.fail('x'), 60);
    at = 60_001;
    assert.equal(await limiter.fail('x'), 0);
  });

  it('a key over its rate takes nothing from colleagues at its address', async () => {
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
    const full = [undefined, undefined, { reason: 'key busy', retryAfter: 1 }];
    assert.deepEqual([receiving.begin('a'), receiving.begin('a'), receiving.begin('a')], full);
    assert.equal(receiving.begin('b'), undefined, 'others are not held up');
    receiving.end('a');
    assert.equal(receiving.begin('a'), undefined);
    receiving.end('a');
    receiving.end('a');
    assert.deepEqual([receiving.begin('a'), receiving.begin('a'), receiving.begin('a')], full);
    receiving.hold('b', 30);
    assert.deepEqual(receiving.begin('b'), { reason: 'rate', retryAfter: 30 });
    at = 30_001;
    assert.equal(receiving.begin('b'), undefined);
  });
});

describe('bodies of many keys', () => {
  const waitOf = (receiving: Receiving, key: string): number => receiving.begin(key)?.retryAfter ?? 0;

  it('64 at once for a key', () => {
    const receiving = createReceiving(() => 0);
    for (let body = 0; body < 64; body += 1) assert.equal(waitOf(receiving, 'a'), 0);
    assert.equal(waitOf(receiving, 'a'), 1);
  });

  it('an end frees one place of several', () => {
    const receiving = createReceiving(() => 0, 3);
    for (let body = 0; body < 3; body += 1) waitOf(receiving, 'a');
    receiving.end('a');
    assert.deepEqual([waitOf(receiving, 'a'), waitOf(receiving, 'a')], [0, 1]);
  });

  it('an end too many makes no room', () => {
    const receiving = createReceiving(() => 0, 1);
    receiving.end('a');
    assert.deepEqual([waitOf(receiving, 'a'), waitOf(receiving, 'a')], [0, 1]);
    receiving.end('b');
    receiving.end('b');
    assert.deepEqual([waitOf(receiving, 'b'), waitOf(receiving, 'b')], [0, 1]);
  });

  it('a wait ends at its moment and is at least a second', () => {
    let at = 0;
    const receiving = createReceiving(() => at);
    receiving.hold('a', 2);
    at = 1_999;
    assert.equal(waitOf(receiving, 'a'), 1);
    at = 2_000;
    assert.equal(waitOf(receiving, 'a'), 0);
  });

  it('ten thousand keys can be told to wait; then those told first may go on', () => {
    const receiving = createReceiving(() => 0);
    for (let key = 0; key < 10_000; key += 1) receiving.hold(String(key), 60);
    receiving.hold('9999', 60);
    assert.equal(waitOf(receiving, '0'), 60, 'a known key takes no new place');
    receiving.hold('0', 60);
    receiving.hold('one more', 60);
    assert.equal(waitOf(receiving, '1'), 0);
    assert.equal(waitOf(receiving, '0'), 60);
  });
});

describe('refusals in the log', () => {
  it('six hundred a minute', () => {
    const refusals = createRefusalLog(() => 0);
    for (let line = 0; line < 600; line += 1) assert.equal(refusals.next(), 0);
    assert.equal(refusals.next(), undefined);
  });

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
