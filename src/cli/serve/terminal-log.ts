// The log of a server whose standard error is a person's terminal: time, message and what belongs to it, on one line.
// A service manager or a pipe gets JSON lines.

import type { Log } from '../../server/log.ts';
import type { Frame } from '../frame.ts';
import { describeTerminal, printable } from '../terminal.ts';

export function terminalLog(frame: Frame, verbose: boolean, now: () => Date): Log {
  const paint = describeTerminal(frame.streams.stderr, frame.env);
  const line =
    (colour: (text: string) => string) =>
    (message: string, data: Record<string, unknown> = {}): void => {
      const details = Object.entries(data)
        .filter(([, value]) => value !== undefined)
        // Text from a request must not start a line that looks like a log line of ours.
        .map(
          ([name, value]) =>
            `${name}=${typeof value === 'string' ? value.replaceAll(/\s+/g, ' ') : JSON.stringify(value)}`,
        );
      const time = now().toTimeString().slice(0, 8);
      frame.note(
        printable(`${time}  ${message}  ${details.join(' ')}`)
          .trimEnd()
          .replace(message, colour),
      );
    };
  const plain = (text: string): string => text;
  return {
    debug: verbose ? line(paint.dim) : () => {},
    info: line(plain),
    warn: line(paint.yellow),
    error: line(paint.red),
  };
}
