// The program of the worker process: does one task after the other, writes nothing, and ends with the process that started
// it. A thread beside the work watches memory and CPU time, because the work itself may never come to rest.

import { Worker } from 'node:worker_threads';
import { pack, toWire, type Answer, type Sent } from './protocol.ts';
import { TASKS } from './tasks.ts';

const [megabytes, cpuMs] = process.argv.slice(2).map(Number);

/** CPU time of this process when the task at hand began. */
const begun = new Float64Array(new SharedArrayBuffer(8)).fill(Infinity);

/**
 * Ends this process when it has grown too large, when a task takes too long (with a signal of its own), or when the parent
 * has gone while it was busy.
 */
const WATCH = `
  const { bytes, cpuMs, begun } = require('node:worker_threads').workerData;
  const parent = process.ppid;
  const never = new Int32Array(new SharedArrayBuffer(4));
  for (;;) {
    Atomics.wait(never, 0, 0, 20);
    const { user, system } = process.cpuUsage();
    if ((user + system) / 1000 - begun[0] > cpuMs) process.kill(process.pid, 'SIGVTALRM');
    if (process.memoryUsage.rss() > bytes || process.ppid !== parent) process.kill(process.pid, 'SIGKILL');
  }`;

const limits = { bytes: megabytes! * 1024 * 1024, cpuMs, begun };
new Worker(WATCH, { eval: true, workerData: limits }).unref();

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
  const { user, system } = process.cpuUsage();
  begun[0] = (user + system) / 1000;
  try {
    // Each task takes its own input; the table says which.
    return pack(name, await (TASKS[name] as (value: unknown) => Promise<never>)(input));
  } catch (thrown) {
    return { error: toWire(thrown) };
  } finally {
    begun[0] = Infinity;
  }
}
