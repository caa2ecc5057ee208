// What a person is shown of the server's own metrics.

import assert from 'node:assert/strict';
import { it } from 'node:test';
import { percentiles, totalsOf } from '../../../src/server/admin/history.ts';
import { createMetrics } from '../../../src/server/http/metrics.ts';

it('reads what the Prometheus library gives, over several processes', async () => {
  const metrics = createMetrics(() => Promise.resolve(new Map()));
  for (const seconds of [0.002, 0.02, 0.02, 0.4]) metrics.request({ route: 'mcp', status: 200, seconds });
  metrics.request({ route: 'health', status: 503, seconds: 0.001 });
  metrics.call('vai_query', true);
  metrics.call('vai_query', false);
  metrics.refusal('rate');
  const snapshot = (await metrics.snapshot()) as Parameters<typeof totalsOf>[0];
  const { byRoute, tools, refusals, memory } = totalsOf([...snapshot, ...snapshot]);
  assert.equal(byRoute.get('mcp')!.count, 8);
  assert.equal(byRoute.get('health')!.failed, 2);
  assert.deepEqual(tools.get('vai_query'), { tool: 'vai_query', calls: 4, errors: 2 });
  assert.equal(refusals.get('rate'), 2);
  assert.ok(memory > 1_000_000);
  const { p50, p95 } = percentiles(byRoute.get('mcp')!.buckets);
  assert.ok(p50! > 10 && p50! <= 25, `${p50}`);
  assert.ok(p95! > 250 && p95! <= 500, `${p95}`);
});

it('counts only what came since', () => {
  const buckets = (...counts: number[]) =>
    new Map(counts.map((count, at) => [[0.1, 1, Infinity][at]!, count]));
  assert.deepEqual(percentiles(buckets(5, 5, 5), buckets(5, 5, 5)), {});
  const { p50 } = percentiles(buckets(5, 9, 9), buckets(5, 5, 5));
  assert.ok(p50! > 100 && p50! <= 1000);
  assert.equal(percentiles(buckets(0, 0, 4)).p50, 1000, 'no more is known than the last edge');
  assert.deepEqual(percentiles(undefined), {});
});
