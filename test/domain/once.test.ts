import assert from 'node:assert/strict';
import { test } from 'node:test';
import { once, oncePerKey } from '../../src/domain/once.ts';

test('each key is asked for once, also where there is nothing to find', () => {
  const asked: number[] = [];
  const half = oncePerKey((key: number) => {
    asked.push(key);
    return key % 2 === 0 ? key / 2 : undefined;
  });
  assert.deepEqual([half(4), half(3), half(4), half(3)], [2, undefined, 2, undefined]);
  assert.deepEqual(asked, [4, 3]);
});

test('what failed is made again, and what was made can be looked at', async () => {
  let tries = 0;
  const made = once(async () => {
    if ((tries += 1) === 1) throw new Error('not yet');
    return tries;
  });
  assert.equal(made.asked(), undefined);
  await assert.rejects(made());
  assert.deepEqual(await Promise.all([made(), made(), made.asked()]), [2, 2, 2]);
});

test('what fails is asked for again', () => {
  let fails = true;
  const made = oncePerKey((key: string) => {
    if (fails) throw new Error('not yet');
    return key;
  });
  assert.throws(() => made('a'));
  fails = false;
  assert.equal(made('a'), 'a');
});
