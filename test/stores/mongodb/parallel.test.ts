// A gate lets so many through, fewer after a failure, and as many as before once they succeed again.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createGate } from '../../../src/stores/mongodb/parallel.ts';

const MOST = 8;

test('a gate narrows when those inside fail and widens when they succeed', async () => {
  const gate = createGate(MOST);
  let inside = 0;
  /** How many were inside at once while so many asked to. */
  async function seen(asking: number, work: () => void = () => undefined): Promise<number> {
    let most = 0;
    const one = async (): Promise<void> => {
      inside += 1;
      most = Math.max(most, inside);
      await new Promise(setImmediate);
      inside -= 1;
      work();
    };
    await Promise.allSettled(Array.from({ length: asking }, () => gate(one)));
    return most;
  }
  const fail = (): never => {
    throw new Error('in the way');
  };
  assert.equal(await seen(30), MOST);
  await seen(1, fail);
  assert.equal(await seen(4), MOST / 2);
  await seen(10, fail);
  assert.equal(await seen(1), 1);
  assert.equal(await seen(100), MOST);
  await assert.rejects(gate(fail), /in the way/);
});
