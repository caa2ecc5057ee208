// One fault after another, each with the errors it may cause. Everything else that goes wrong meanwhile is ours.

import { setTimeout as wait } from 'node:timers/promises';
import type { Record } from './record.ts';
import type { Home, Server } from './servers.ts';

const CALM_MS = 12_000;
const FULL_MS = 4_000;
/** What a client sees of a process that is gone, or that cut its call when it had to end. */
const GONE =
  /status 499|ECONNREFUSED|ECONNRESET|EPIPE|socket hang up|other side closed|terminated|fetch failed|no answer/;
/** What a full disk may be answered with; reads go on. */
const FULL = /STORE_FULL|WRITE_FAILED|disk|no room/i;

export async function runFaults({
  servers,
  home,
  record,
  stop,
}: {
  servers: readonly Server[];
  home: Home;
  record: Record;
  stop: AbortSignal;
}): Promise<void> {
  const [workers, single] = servers as [Server, Server];
  const faults: (() => Promise<unknown>)[] = [
    () =>
      record.fault(workers.name, 'worker killed', GONE, async () => {
        workers.killWorker();
        await wait(1_000);
      }),
    () =>
      record.fault(single.name, 'server killed', GONE, async () => {
        await single.kill();
        await single.start();
      }),
    () =>
      record.fault(workers.name, 'server restarted', GONE, async () => {
        await workers.stop();
        await workers.start();
      }),
    ...(home.smallDisk
      ? [
          () =>
            record.fault('*', 'disk full', FULL, async () => {
              home.fill();
              await wait(FULL_MS);
              home.free();
            }),
        ]
      : []),
  ];
  for (let turn = 0; ; turn += 1) {
    await wait(CALM_MS, undefined, { signal: stop }).catch(() => undefined);
    if (stop.aborted) return;
    await faults[turn % faults.length]!();
  }
}
