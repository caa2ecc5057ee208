// The process around a server: signals, faults nobody caught, and the exit status. Nothing here knows a transport.

import type { Log } from '../engine/deps.ts';
import type { RunningServer } from './start.ts';

/** A shutdown that hangs must not outlast what a container runtime waits. */
const LAST_RESORT_MS = 10_000;

/** Resolves with the exit status once the server has ended, by itself or by a signal. */
export function runUntilStopped(server: RunningServer, log: Pick<Log, 'error'>): Promise<number> {
  return new Promise((resolve) => {
    let stopping = false;
    const stop = (): void => {
      if (stopping) return;
      stopping = true;
      setTimeout(() => process.exit(1), LAST_RESORT_MS).unref();
      server.close().then(
        () => resolve(0),
        () => resolve(1),
      );
    };
    // Not SIGHUP: a handler for it would undo `nohup`.
    for (const signal of ['SIGTERM', 'SIGINT'] as const) process.on(signal, stop);
    // A promise somebody forgot is a bug to report, not a reason to drop every client.
    process.on('unhandledRejection', (reason) => {
      const error =
        reason instanceof Error ? { name: reason.name, stack: reason.stack?.slice(0, 4_000) } : {};
      log.error('unhandled rejection', error);
    });
    server.done.then(
      () => resolve(0),
      () => resolve(1),
    );
  });
}
