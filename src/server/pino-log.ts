// The log of an HTTP server, through pino: JSON lines to stderr or a file, never to stdout and never with content.

import { pino } from 'pino';
import type { Log } from '../engine/deps.ts';
import type { LogLevel } from './log.ts';

export function pinoLog(level: LogLevel, file?: string): Log {
  const destination = file
    ? pino.destination({ dest: file, sync: true, append: true, mode: 0o600, mkdir: true })
    : pino.destination({ dest: 2, sync: true });
  // Whoever read the log has gone, or the disk is full: no reason to stop serving.
  destination.on('error', () => {});
  const logger = pino({ level, base: { pid: process.pid } }, destination);
  const line =
    (name: LogLevel) =>
    (message: string, data: Record<string, unknown> = {}): void =>
      logger[name](data, message);
  return { debug: line('debug'), info: line('info'), warn: line('warn'), error: line('error') };
}
