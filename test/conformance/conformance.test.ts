// The official suite, as part of the tests: every scenario a revision requires, less those written down as inapplicable.

import assert from 'node:assert/strict';
import { it } from 'node:test';
import { runBoth } from './run.ts';

it('conforms to 2026-07-28 and to 2025-11-25', async () => {
  const [modern, legacy] = await runBoth();
  assert.equal(modern!.status, 0, modern!.summary);
  assert.equal(legacy!.status, 0, legacy!.summary);
  const required = modern!.passed.filter((name) => !/^tasks-|^json-schema|^http-/.test(name));
  assert.equal(required.length, 37);
});
