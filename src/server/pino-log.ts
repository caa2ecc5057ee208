// The log of an HTTP server, through pino: JSON lines to stderr or a file, never to stdout and never with content.

import { pino, type DestinationStream } from 'pino';
import type { Log } from '../engine/deps.ts';
import type { LogLevel } from './log.ts';
import { rotatingFile } from './rotating-file.ts';

/** The log of a server in the background, which nobody else rotates. */
const ROTATION = { maxBytes: 20_000_000, keep: 5 };

export function pinoLog(level: LogLevel, file?: string): Log {
  const logger = pino({ level, base: { pid: process.pid } }, file ? toFile(file) : toStderr());
  const line =
    (name: LogLevel) =>
    (message: string, data: Record<string, unknown> = {}): void =>
      logger[name](data, message);
  return { debug: line('debug'), info: line('info'), warn: line('warn'), error: line('error') };
}

// The reader of the log is gone, or the disk is full: keep serving.

function toStderr(): DestinationStream {
  const destination = pino.destination({ dest: 2, sync: true });
  destination.on('error', () => {});
  return destination;
}

function toFile(file: string): DestinationStream {
  const lines = rotatingFile(file, ROTATION, () => new Date());
  return {
    write(line) {
      try {
        lines.append(line);
      } catch {
        // See above.
      }
    },
  };
}
