// What must fail, and the error of ours that it fails with.

import assert from 'node:assert/strict';
import { VaiError, type ErrorCode } from '../../src/domain/errors.ts';

/** For `assert.rejects` and `assert.throws`. */
export const fails = (code: ErrorCode, pattern?: RegExp) => (error: unknown) => {
  assert.ok(error instanceof VaiError, String(error));
  assert.equal(error.code, code, error.message);
  if (pattern) assert.match(error.message, pattern);
  return true;
};

/** The error itself. No key and no text that was sent is repeated in it. */
export async function failure(work: Promise<unknown>): Promise<VaiError> {
  const error = await work.then(
    () => assert.fail('it should have failed'),
    (thrown: unknown) => thrown,
  );
  assert.ok(error instanceof VaiError, String(error));
  const { message, hint, data } = error;
  assert.doesNotMatch(JSON.stringify([message, hint, data]), /pa-test|SECRET/);
  return error;
}
