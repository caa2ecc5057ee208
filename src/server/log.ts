// Log lines as JSON, to stderr or a file, never to stdout and never with content. pino is loaded only for HTTP; a stdio
// server mostly stays silent and must start fast, so it has a writer of its own with the same shape.

import type { Log } from '../engine/deps.ts';

const LEVELS = { debug: 20, info: 30, warn: 40, error: 50 } as const;
export type LogLevel = keyof typeof LEVELS;

export function plainLog(level: LogLevel, write: (line: string) => void, now: () => Date): Log {
  const line =
    (name: LogLevel) =>
    (message: string, data: Record<string, unknown> = {}): void => {
      if (LEVELS[name] < LEVELS[level]) return;
      write(`${JSON.stringify({ level: LEVELS[name], time: now().getTime(), ...data, msg: message })}\n`);
    };
  return { debug: line('debug'), info: line('info'), warn: line('warn'), error: line('error') };
}

export async function pinoLog(level: LogLevel, file?: string): Promise<Log> {
  // The default export: a bundled CommonJS module has no other.
  const { default: pino } = await import('pino');
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
