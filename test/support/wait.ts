// Waiting for what another process does, or this one does later. A busy machine may take its time: the limit only ends
// what would never come.

import assert from 'node:assert/strict';

const NEVER_MS = 120_000;
const LOOK_AGAIN_MS = 10;

export async function until(condition: () => boolean | Promise<boolean>): Promise<void> {
  const end = performance.now() + NEVER_MS;
  while (!(await condition())) {
    assert.ok(performance.now() < end, `not true after ${NEVER_MS / 1000} seconds: ${String(condition)}`);
    await new Promise((done) => setTimeout(done, LOOK_AGAIN_MS));
  }
}
