// One client over stdin and stdout. Ends when its input ends or the process is asked to stop; `done` then resolves and
// whoever started it closes the engine.

import { serveStdio } from '@modelcontextprotocol/server/stdio';
import type { Log } from '../log.ts';
import type { Factory } from '../protocol/factory.ts';
import { guardStdout } from './stdout-guard.ts';
import { createLineTransport } from './transport.ts';

export interface StdioServer {
  /** Resolves when the client has disconnected. */
  done: Promise<void>;
  close(): Promise<void>;
}

export function startStdio(factory: Factory, log: Log): StdioServer {
  const write = guardStdout(process.stdout, process.stderr);
  const transport = createLineTransport({ input: process.stdin, write });
  // A client that closed its end early makes every later write fail; there is nobody left to tell.
  process.stdout.on('error', () => void transport.close());

  const handle = serveStdio(factory, {
    transport,
    onerror: (error) => log.debug('protocol', { message: error.message.slice(0, 500) }),
  });
  // serveStdio has set its own handler by now; ours follows it.
  const closeWire = transport.onclose;
  const done = new Promise<void>((resolve) => {
    transport.onclose = () => {
      closeWire?.();
      // An open stdin would keep a finished process alive.
      process.stdin.destroy();
      resolve();
    };
  });
  return { done, close: () => handle.close() };
}
