// The process around a server: signals, faults nobody caught, and the exit status. Nothing here knows a transport.

import { isatty } from 'node:tty';
import type { Log } from './log.ts';
import type { RunningServer } from './start.ts';

/** A shutdown that hangs must not outlast what a container runtime waits. */
const LAST_RESORT_MS = 10_000;

/**
 * Starts a server and resolves with the exit status once it has ended, by itself or by a signal. Signals are listened
 * for before it starts: one that comes in between still ends it in order.
 */
export function runUntilStopped(
  start: () => Promise<RunningServer>,
  log: Pick<Log, 'error'>,
  options: { outlivesTerminal?: boolean } = {},
): Promise<number> {
  return new Promise((resolve, reject) => {
    let server: RunningServer | undefined;
    let stopping = false;
    const close = (): void => {
      server?.close().then(
        () => resolve(0),
        () => resolve(1),
      );
    };
    const stop = (): void => {
      if (stopping) return;
      stopping = true;
      setTimeout(() => process.exit(1), LAST_RESORT_MS).unref();
      close();
    };
    process.stderr.on('error', () => {});
    for (const signal of ['SIGTERM', 'SIGINT'] as const) process.on(signal, stop);
    process.on('SIGHUP', options.outlivesTerminal && !hasTerminal() ? () => {} : stop);
    // An unhandled rejection is a bug to report, not a reason to drop every client.
    process.on('unhandledRejection', (reason) => {
      const error =
        reason instanceof Error ? { name: reason.name, stack: reason.stack?.slice(0, 4_000) } : {};
      log.error('unhandled rejection', error);
    });
    start().then((started) => {
      server = started;
      if (stopping) close();
      server.done.then(
        () => resolve(0),
        () => resolve(1),
      );
    }, reject);
  });
}

/**
 * The end of a terminal is the end of a server that was started in it. Node undoes what `nohup` asked of the signal, so
 * it is told from the streams: none of them is left on a terminal then.
 */
function hasTerminal(): boolean {
  return [0, 1, 2].some((stream) => isatty(stream));
}
