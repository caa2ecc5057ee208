import assert from 'node:assert/strict';
import { test } from 'node:test';
import { atMost, inGroups } from '../../src/domain/few-at-a-time.ts';

test('so many at once, and after a failure only what had begun', async () => {
  const log: string[] = [];
  const work = async (item: number): Promise<number> => {
    log.push(`begin ${item}`);
    await Promise.resolve();
    log.push(`end ${item}`);
    if (item === 3) throw new Error('three');
    return item * 2;
  };
  assert.deepEqual(await atMost(9, [1, 2], work), [2, 4]);
  await assert.rejects(atMost(2, [3, 4, 5], work), /three/);
  assert.deepEqual(inGroups(log, 2).slice(2), [
    ['begin 3', 'begin 4'],
    ['end 3', 'end 4'],
  ]);
});
