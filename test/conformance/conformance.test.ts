// The official suite, as part of the tests: every scenario of both revisions, required or not, less those written down as
// inapplicable; and the page that says so.

import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { it } from 'node:test';
import { conformancePage, PAGE } from './page.ts';
import { runBoth, type Scenario } from './run.ts';

const names = (scenarios: readonly Scenario[], outcome: Scenario['outcome']): string[] =>
  scenarios.filter((one) => one.outcome === outcome).map(({ name }) => name);

it('conforms to 2026-07-28 and to 2025-11-25, and docs/conformance.md says so', async () => {
  const [modern, legacy] = await runBoth();
  assert.equal(modern!.status, 0, modern!.summary);
  assert.equal(legacy!.status, 0, legacy!.summary);
  // Those that are optional do not change the status.
  assert.deepEqual(names(modern!.scenarios, 'fails'), [], modern!.summary);
  assert.equal(modern!.scenarios.length, 50);
  assert.equal(modern!.scenarios.filter(({ required }) => required).length, 37);
  assert.deepEqual(names(modern!.scenarios, 'not checked'), ['tasks-status-notifications']);
  assert.equal(
    readFileSync(PAGE, 'utf8'),
    conformancePage([modern!, legacy!]),
    'docs/conformance.md is not current: run `npm run conformance -- --write`',
  );
});
