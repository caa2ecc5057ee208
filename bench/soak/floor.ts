// How fast the machine itself is while the servers are asked: a process that does a little fixed work for every request
// and nothing else. What makes it slower makes everything slower, and is not ours.

import { fork } from 'node:child_process';
import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { fileURLToPath } from 'node:url';

const SELF = fileURLToPath(import.meta.url);
/** Some milliseconds of work on a machine that has nothing else to do, like a search. */
const WORK = Buffer.alloc(2_000_000, 'vai');

export interface Floor {
  /** Milliseconds of one request. */
  ask(): Promise<number>;
  stop(): void;
}

export async function startFloor(): Promise<Floor> {
  const child = fork(SELF);
  const [port] = (await once(child, 'message')) as [number];
  return {
    async ask() {
      const began = performance.now();
      // Its end of a connection may close while a starved machine still sends on it; that took its time as well.
      await fetch(`http://127.0.0.1:${port}`)
        .then((reply) => reply.text())
        .catch(() => undefined);
      return performance.now() - began;
    },
    stop: () => void child.kill(),
  };
}

if (process.argv[1] === SELF) {
  const server = createServer((_, response) => {
    response.end(createHash('sha256').update(WORK).digest('hex'));
  }).listen(0, '127.0.0.1', () => process.send!((server.address() as AddressInfo).port));
  process.once('disconnect', () => process.exit());
}
