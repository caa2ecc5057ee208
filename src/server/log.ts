// Log lines as JSON, never to stdout and never with content. A stdio server mostly stays silent and must start fast, so
// it has this writer of its own; pino-log.ts writes the same shape for HTTP.

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
