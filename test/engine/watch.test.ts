// The watcher beside what its users test: it ends when it is told to, whatever the run under way says.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { VaiError } from '../../src/domain/errors.ts';
import { localCall } from '../../src/engine/call.ts';
import { watchPaths } from '../../src/engine/watch.ts';

test('a run that finds the index busy while it is stopped is not begun again', async (context) => {
  context.mock.timers.enable({ apis: ['setTimeout'] });
  let runs = 0;
  let busy = (): void => undefined;
  const watching = watchPaths({
    paths: () => [],
    call: localCall(),
    report: () => undefined,
    run: () => {
      runs += 1;
      return new Promise<void>((_, reject) => (busy = () => reject(new VaiError('INDEX_BUSY', 'Busy.'))));
    },
  });
  await Promise.resolve();
  const stopped = watching.stop();
  busy();
  await stopped;
  context.mock.timers.tick(10_000);
  await new Promise((resolve) => setImmediate(resolve));
  assert.equal(runs, 1);
});
