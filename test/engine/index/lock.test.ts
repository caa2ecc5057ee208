import assert from 'node:assert/strict';
import { it } from 'node:test';
import { withRunLock } from '../../../src/engine/index/lock.ts';
import type { LockResult, Store } from '../../../src/ports/store.ts';

function lockable(taken?: { info: string; since: string }) {
  const asked: unknown[][] = [];
  const log: string[] = [];
  const lock: LockResult = taken
    ? { held: false, ...taken }
    : {
        held: true,
        renew: (info) =>
          Promise.resolve(void log.push(`renew ${info}`)).then(() => Promise.reject(new Error('late'))),
        release: () => Promise.resolve(void log.push('release')),
      };
  const store = { lock: (...given: unknown[]) => Promise.resolve(asked.push(given)).then(() => lock) };
  return { store: store as unknown as Store, asked, log };
}

it('a run holds the lock of its collection and renews it every two seconds, until it ends', async (context) => {
  context.mock.timers.enable({ apis: ['setInterval'] });
  const { store, asked, log } = lockable();
  const answer = await withRunLock(store, 'docs', (lock) => {
    context.mock.timers.tick(1_999);
    assert.deepEqual(log, []);
    lock.info = '7 of 9 documents';
    context.mock.timers.tick(1);
    context.mock.timers.tick(2_000);
    return Promise.resolve('done');
  });
  assert.equal(answer, 'done');
  assert.deepEqual(asked, [['index:docs', '0 documents', 10_000]]);
  context.mock.timers.tick(10_000);
  assert.deepEqual(log, ['renew 7 of 9 documents', 'renew 7 of 9 documents', 'release']);
});

it('a run that fails gives the lock back', async () => {
  const { store, log } = lockable();
  await assert.rejects(
    withRunLock(store, 'docs', () => Promise.reject(new Error('broken'))),
    /broken/,
  );
  assert.deepEqual(log, ['release']);
});

it('a second run is told of the first and does nothing', async () => {
  const { store } = lockable({ info: '3 of 9 documents', since: 'monday' });
  await assert.rejects(
    withRunLock(store, 'docs', () => assert.fail('must not run')),
    {
      code: 'INDEX_BUSY',
      message: 'Another run is writing to `docs`: 3 of 9 documents done, started monday.',
      data: { since: 'monday' },
    },
  );
});
