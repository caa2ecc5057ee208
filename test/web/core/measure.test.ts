import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createMeasures, perBucket, quantile, summarise } from '../../../src/web/core/measure.ts';

const sample = (at: number, ms: number, what = 'find', ok = true) => ({ at, ms, what, ok });

test('samples are summed up by what was asked, most asked first', () => {
  const rows = summarise([
    sample(0, 30),
    sample(1, 10),
    sample(2, 20, 'find', false),
    sample(3, 5, '/health'),
  ]);
  assert.deepEqual(rows, [
    { what: 'find', count: 3, failed: 1, p50: 20, p95: 30 },
    { what: '/health', count: 1, failed: 0, p50: 5, p95: 5 },
  ]);
  assert.equal(quantile([], 0.5), 0);
});

test('buckets cover the window, empty ones too', () => {
  const options = { now: 10_000, bucketMs: 1_000, buckets: 4 };
  const { times, requests, failed } = perBucket(
    [sample(5_999, 1), sample(6_000, 1), sample(9_999, 1, 'x', false), sample(9_000, 1)],
    options,
  );
  assert.deepEqual(times, [7, 8, 9, 10]);
  assert.deepEqual(requests, [1, 0, 0, 2]);
  assert.deepEqual(failed, [0, 0, 0, 1]);
});

test('only the last samples are kept, and watchers hear of each', () => {
  const measures = createMeasures();
  let heard = 0;
  const stop = measures.watch(() => (heard += 1));
  for (let at = 0; at < 2_500; at++) measures.add(sample(at, 1));
  stop();
  measures.add(sample(9_999, 1));
  assert.equal(heard, 2_500);
  assert.equal(measures.all().length, 2_000);
  assert.equal(measures.all().at(-1)?.at, 9_999);
});
