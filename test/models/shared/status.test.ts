// One table for every provider: what a status means, and whether the texts that follow would meet it too.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { ERRORS, type Ends, type ErrorCode } from '../../../src/domain/errors.ts';
import { codeOfStatus } from '../../../src/models/shared/status.ts';

const MEANINGS: [number[], ErrorCode, Ends][] = [
  [[401, 403], 'PROVIDER_AUTH', 'run'],
  [[404], 'MODEL_UNSUPPORTED', 'run'],
  [[429], 'PROVIDER_RATE_LIMIT', 'run'],
  [[400, 413, 422], 'PROVIDER_BAD_REQUEST', 'item'],
  [[500], 'PROVIDER_BAD_ANSWER', 'item'],
  [[0, 302, 408, 502, 503, 504, 529], 'PROVIDER_UNAVAILABLE', 'run'],
];

for (const [statuses, code, ends] of MEANINGS)
  test(`${statuses.join(', ')}: ${code} ends the ${ends}`, () => {
    for (const status of statuses) assert.equal(codeOfStatus(status), code);
    assert.equal(ERRORS[code].ends, ends);
  });
