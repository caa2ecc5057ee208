import assert from 'node:assert/strict';
import { test } from 'node:test';
import { estimateCosts } from '../../../src/engine/estimate/costs.ts';
import { estimateText } from '../../../src/tools/vai/estimate.ts';
import { createModels } from '../../../src/models/index.ts';

const models = createModels({ settings: {}, env: {}, fetch, now: () => new Date(0) }).list();

test('the worked example of the reference, to the cent', () => {
  const answer = estimateCosts(models, { docs: 50_000, queries: 1_000_000, months: 12 });
  const rows = Object.fromEntries(
    [...answer.estimates, ...answer.domainEstimates].map((row) => [
      row.name,
      [row.embeddingCost, row.monthlyCost, row.totalCost],
    ]),
  );
  assert.deepEqual(rows, {
    'asymmetric-local': [3, 0, 3],
    'voyage-4-lite': [0.5, 0.6, 7.7],
    asymmetric: [3, 0.6, 10.2],
    'voyage-4': [1.5, 1.8, 23.1],
    'voyage-4-large': [3, 3.6, 46.2],
    'voyage-finance-2': [3, 3.6, 46.2],
    'voyage-law-2': [3, 3.6, 46.2],
    'voyage-code-3': [4.5, 5.4, 69.3],
  });
  assert.deepEqual(
    answer.rerank.map((row) => [row.model, row.tokensPerQuery, row.monthlyCost]),
    [
      ['rerank-2.5', 3160, 158],
      ['rerank-2.5-lite', 3160, 63.2],
    ],
  );
  assert.equal(answer.recommendation.name, 'asymmetric');
  assert.equal(answer.recommendation.savingsVsSymmetric, 36);
  assert.match(answer.recommendation.reason, /asymmetric-local, means running .* gives up query quality/);
  assert.deepEqual(answer.input, { docs: 50_000, queries: 1_000_000, months: 12 });
  assert.equal(answer.assumptions.docTokens, 500);
  // 500 tokens are four chunks of 128, and each has its vector.
  assert.equal(answer.storage.chunks, 200_000);
  assert.equal(answer.storage.vectorBytes, 200_000 * 1024 * 4);
});

test('sorted by total; no domain model competes; assumptions can be replaced', () => {
  const answer = estimateCosts(models, { docs: 1, docTokens: 1_000_000 });
  const totals = answer.estimates.map((row) => row.totalCost);
  assert.deepEqual(
    totals,
    totals.toSorted((a, b) => a - b),
  );
  assert.ok(answer.estimates.every((row) => row.docModel.startsWith('voyage-4')));
  assert.equal(answer.estimates.find((row) => row.name === 'voyage-4')?.embeddingCost, 0.06);
  assert.ok(answer.rerank.every((row) => row.monthlyCost === 0));
  // Without queries two models save nothing, so none is recommended for being cheaper.
  assert.equal(answer.recommendation.name, 'voyage-4-large');
  assert.equal(answer.recommendation.savingsVsSymmetric, 0);
  assert.doesNotMatch(estimateText(answer), /\$0\.00 cheaper/);
});
