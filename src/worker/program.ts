// The program of the worker process: does one task after the other, writes nothing, and ends with the process that started
// it. A thread beside the work watches the memory, because the work itself may never come to rest.

import { Worker } from 'node:worker_threads';
import { pack, toWire, type Answer, type Sent } from './protocol.ts';
import { TASKS } from './tasks.ts';

const [megabytes] = process.argv.slice(2).map(Number);

/** Ends this process when it has grown too large, or when its parent has gone while it was busy. */
const WATCH = `
  const { workerData } = require('node:worker_threads');
  const parent = process.ppid;
  const never = new Int32Array(new SharedArrayBuffer(4));
  for (;;) {
    Atomics.wait(never, 0, 0, 20);
    if (process.memoryUsage.rss() > workerData || process.ppid !== parent) process.kill(process.pid, 'SIGKILL');
  }`;

new Worker(WATCH, { eval: true, workerData: megabytes! * 1024 * 1024 }).unref();

// The main process decides when this one ends; a signal to both must not lose a text.
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => undefined);
process.on('disconnect', () => process.exit());

let last = Promise.resolve();
process.on('message', (batch: Sent[]) => {
  last = last.then(async () => {
    const answers: Answer[] = [];
    for (const sent of batch) answers.push(await answer(sent));
    process.send!(answers);
  });
});

async function answer({ name, input }: Sent): Promise<Answer> {
  try {
    // Each task takes its own input; the table says which.
    return pack(name, await (TASKS[name] as (value: unknown) => Promise<never>)(input));
  } catch (thrown) {
    return { error: toWire(thrown) };
  }
}
