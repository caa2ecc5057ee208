// The process above the workers: starts them, keeps what they share, replaces one that dies, and ends them in order. It
// answers no request and opens no store itself.

import cluster, { type Worker } from 'node:cluster';
import { VaiError } from '../../domain/errors.ts';
import type { Log } from '../log.ts';
import { createLimiter, type Limiter } from '../limits/limiter.ts';
import { isOurs, type FromPrimary, type FromWorker } from './messages.ts';

const GATHER_MS = 1_000;
const STOP_MS = 9_500;
/** So many deaths within a minute mean that restarting does not help. */
const MAX_DEATHS = 10;

export interface Primary {
  port: number;
  /** Resolves when the workers are gone for a reason other than `close`. */
  failed: Promise<VaiError>;
  close(): Promise<void>;
}

export async function startPrimary(count: number, log: Log, now: () => number): Promise<Primary> {
  // Workers accept for themselves. Were connections dealt out from here, one on its way to a worker that dies would be
  // neither taken nor closed, and its client would wait for ever.
  cluster.schedulingPolicy = cluster.SCHED_NONE;
  const limiter = createLimiter(now);
  const gathering = createGathering();
  const ready = new Set<Worker>();
  let deaths: number[] = [];
  let stopping = false;
  let giveUp: (error: VaiError) => void = () => {};
  const failed = new Promise<VaiError>((resolve) => (giveUp = resolve));

  const start = (): Promise<number> =>
    new Promise((resolve, reject) => {
      const worker = cluster.fork();
      const running = new Map<string, number>();
      worker.on('message', (message: unknown) => {
        if (!isOurs(message)) return;
        const sent = message as FromWorker;
        if (sent.vai === 'ready') {
          ready.add(worker);
          resolve(sent.port);
        } else if (sent.vai === 'cannot start')
          reject(new VaiError('INTERNAL', sent.message, { hint: sent.hint }));
        else void answer(worker, sent, { limiter, running, gathering });
      });
      worker.on('exit', (code) => {
        ready.delete(worker);
        // What a dead worker was doing no longer counts as running.
        for (const [key, calls] of running) limiter.release(key, calls);
        reject(new VaiError('INTERNAL', 'A worker ended before it was ready.'));
        if (stopping) return;
        log.error('a worker died', { code });
        deaths = [...deaths, now()].filter((at) => at > now() - 60_000);
        if (deaths.length > MAX_DEATHS) giveUp(new VaiError('INTERNAL', 'The workers keep dying.'));
        else start().catch(() => {});
      });
    });

  const ports = await Promise.all(Array.from({ length: count }, start)).catch(async (error: unknown) => {
    stopping = true;
    await stopAll(ready);
    throw error;
  });

  return {
    port: ports[0]!,
    failed,
    async close() {
      stopping = true;
      await stopAll(ready);
    },
  };
}

interface Shared {
  limiter: Limiter;
  running: Map<string, number>;
  gathering: Gathering;
}

async function answer(
  worker: Worker,
  sent: FromWorker,
  { limiter, running, gathering }: Shared,
): Promise<void> {
  const reply = (message: FromPrimary): void => {
    if (worker.isConnected()) worker.send(message);
  };
  switch (sent.vai) {
    case 'admit': {
      const { key, calls } = sent.admission;
      const verdict = await limiter.admit(sent.admission);
      if (verdict.ok) running.set(key, (running.get(key) ?? 0) + calls);
      return reply({ vai: 'admitted', id: sent.id, verdict });
    }
    case 'release': {
      const left = (running.get(sent.key) ?? 0) - sent.calls;
      if (left > 0) running.set(sent.key, left);
      else running.delete(sent.key);
      return limiter.release(sent.key, sent.calls);
    }
    case 'fail':
      return reply({ vai: 'failed', id: sent.id, wait: await limiter.fail(sent.address) });
    case 'gather':
      return reply({ vai: 'gathered', id: sent.id, all: await gathering.all() });
    case 'samples':
      return gathering.add(sent.id, sent.samples);
    case 'ready':
    case 'cannot start':
      return;
  }
}

interface Gathering {
  all(): Promise<object[][]>;
  add(id: number, samples: object[]): void;
}

/** Samples of all workers; one that is too slow is left out rather than waited for. */
function createGathering(): Gathering {
  const open = new Map<number, (samples: object[]) => void>();
  let last = 0;
  return {
    all() {
      const workers = Object.values(cluster.workers ?? {}).filter((worker) => worker?.isConnected());
      return Promise.all(
        workers.map(
          (worker) =>
            new Promise<object[]>((resolve) => {
              const id = ++last;
              const timer = setTimeout(() => (open.delete(id), resolve([])), GATHER_MS);
              open.set(id, (samples) => (clearTimeout(timer), resolve(samples)));
              worker!.send({ vai: 'sample', id } satisfies FromPrimary);
            }),
        ),
      ).then((all) => all.filter((samples) => samples.length > 0));
    },
    add(id, samples) {
      open.get(id)?.(samples);
      open.delete(id);
    },
  };
}

/** One that is not ready yet has nothing to finish, and may not hear what it is told. */
async function stopAll(ready: ReadonlySet<Worker>): Promise<void> {
  const workers = Object.values(cluster.workers ?? {}).filter((worker) => worker !== undefined);
  await Promise.all(
    workers.map(
      (worker) =>
        new Promise<void>((resolve) => {
          if (worker.isDead()) return resolve();
          const timer = setTimeout(() => worker.process.kill('SIGKILL'), STOP_MS);
          worker.once('exit', () => (clearTimeout(timer), resolve()));
          if (ready.has(worker) && worker.isConnected()) worker.send({ vai: 'stop' } satisfies FromPrimary);
          else worker.process.kill('SIGKILL');
        }),
    ),
  );
}
