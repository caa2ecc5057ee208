import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Budget, cappedEmbedder } from '../../../src/engine/index/budget.ts';
import type { Embedder } from '../../../src/ports/embedder.ts';

test('what is asked for counts until it is billed', () => {
  const budget = new Budget(2, 3);
  const first = budget.reserve(1_000_000);
  assert.throws(() => budget.reserve(500_001), { code: 'COST_LIMIT' });
  const second = budget.reserve(500_000);
  assert.throws(
    () => budget.reserve(1_000_000),
    (thrown: Error) =>
      thrown.message === 'Stopped: the next texts would bring the cost to $5.0000, over the limit of $3.',
  );
  first(250_000);
  assert.equal(budget.spent, 0.5);
  second(0);
  assert.equal(budget.spent, 0.5);
  budget.reserve(1_250_000)(1_250_000);
  assert.equal(budget.spent, 3);
});

test('without a limit everything is counted and nothing stopped', () => {
  const budget = new Budget(1, undefined);
  budget.reserve(1e12)(1e12);
  assert.equal(budget.spent, 1e6);
});

test('a model is stopped before it is asked, and pays nothing for what failed', async () => {
  let asked = 0;
  let fails = false;
  const hosted: Embedder = {
    id: 'test',
    model: 'test',
    dimensions: 1,
    hosted: true,
    embed: (texts: readonly string[]) => {
      asked += 1;
      if (fails) return Promise.reject(new Error('away'));
      return Promise.resolve({
        vectors: texts.map(() => new Float32Array(1)),
        tokens: 1_000_000,
        requests: 1,
      });
    },
  } as unknown as Embedder;
  const budget = new Budget(1, 2);
  const reserve = (tokens: number) => budget.reserve(tokens);
  const capped = cappedEmbedder(hosted, reserve);
  await capped.embed(['a'], { role: 'document' });
  assert.equal(budget.spent, 1);
  fails = true;
  await assert.rejects(capped.embed(['a'], { role: 'document' }), /away/);
  assert.equal(budget.spent, 1);
  fails = false;
  await capped.embed(['a'], { role: 'document' });
  await assert.rejects(capped.embed(['a'], { role: 'document' }), { code: 'COST_LIMIT' });
  assert.equal(asked, 3);
  const asides: number[] = [];
  const noting = cappedEmbedder(hosted, (tokens) => {
    asides.push(tokens);
    return () => undefined;
  });
  for (const texts of [['one text'], ['one text', 'one text'], []])
    await noting.embed(texts, { role: 'document' });
  assert.deepEqual(asides, [asides[0], 2 * asides[0]!, 0], 'money is set aside for all texts together');
  const own = { ...hosted, hosted: false };
  assert.equal(cappedEmbedder(own, reserve), own);
});
