// What is asked of a thread and how it ends, with threads whose program is as short as the case needs.

import assert from 'node:assert/strict';
import { test, type TestContext } from 'node:test';
import { Worker } from 'node:worker_threads';
import { VaiError } from '../../../src/domain/errors.ts';
import { createThread } from '../../../src/stores/sqlite/thread.ts';

/** Runs when a task comes; `number` is that of the task, `told` is what the test waits for. */
function openThread(t: TestContext, program: string) {
  const told = new Int32Array(new SharedArrayBuffer(4));
  const tell = 'Atomics.store(told, 0, 1); Atomics.notify(told, 0);';
  const code = `const { parentPort, workerData: { told } } = require('node:worker_threads');
    parentPort.on('message', ({ number }) => { ${program.replace('TELL', tell)} });`;
  let worker: Worker | undefined;
  const thread = createThread<unknown, string>({
    source: './thread.ts',
    built: './thread.js',
    options: { workerData: { database: '', file: '' } },
    start: () => (worker = new Worker(code, { eval: true, workerData: { told } })),
    idleMs: 60_000,
    lost: (cause) => new VaiError('INTERNAL', 'lost', { cause }),
  })!;
  t.after(() => thread.close());
  return {
    thread,
    isOver: () => worker!.threadId === -1,
    /** Without a turn of the event loop: nothing that the thread sent is read meanwhile. */
    waitForIt: () => void Atomics.wait(told, 0, 0, 10_000),
  };
}

const ANSWER = "parentPort.postMessage({ number, result: 'done' });";

test('what a thread has done is told, also when it is closed before its answer was read', async (t) => {
  const { thread, waitForIt } = openThread(t, `${ANSWER} TELL`);
  const asked = thread.ask('task');
  waitForIt();
  await thread.close();
  assert.equal(await asked, 'done');
});

test('a task is told to be lost only when its thread has ended and holds nothing any more', async (t) => {
  const { thread, isOver, waitForIt } = openThread(t, 'TELL for (;;);');
  const lost = assert.rejects(thread.ask('task'), () => isOver());
  waitForIt();
  await thread.close();
  await lost;
});

test('a closed thread starts again for the next task, which does not end with the one before', async (t) => {
  const { thread } = openThread(t, ANSWER);
  assert.equal(await thread.ask('task'), 'done');
  const closed = thread.close();
  const next = thread.ask('task');
  await closed;
  assert.equal(await next, 'done');
  assert.equal(thread.isRunning, true);
});

test('what cannot be sent to a thread is refused, and the next task is done', async (t) => {
  const { thread } = openThread(t, ANSWER);
  await assert.rejects(async () => thread.ask(() => undefined), { name: 'DataCloneError' });
  assert.equal(await thread.ask('task'), 'done');
});
