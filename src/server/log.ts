// Log lines as JSON, in the shape of pino that operators know, never to stdout and never with content.

const LEVELS = { debug: 20, info: 30, warn: 40, error: 50 } as const;
type LogLevel = keyof typeof LEVELS;

export type Log = Record<LogLevel, (message: string, data?: Record<string, unknown>) => void>;

export const SILENT: Log = { debug() {}, info() {}, warn() {}, error() {} };

/** `base` stands in every line. */
export function plainLog(
  level: LogLevel,
  write: (line: string) => void,
  now: () => Date,
  base: Record<string, unknown> = {},
): Log {
  const line =
    (name: LogLevel) =>
    (message: string, data: Record<string, unknown> = {}): void => {
      if (LEVELS[name] < LEVELS[level]) return;
      write(
        `${JSON.stringify({ level: LEVELS[name], time: now().getTime(), ...base, ...data, msg: message })}\n`,
      );
    };
  return { debug: line('debug'), info: line('info'), warn: line('warn'), error: line('error') };
}
