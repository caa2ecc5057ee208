// Text that commands take as an argument or, for `-` and pipes, from standard input.

import { usage, type Frame } from '../frame.ts';

export async function textOrInput(frame: Frame, given: string | undefined, what: string): Promise<string> {
  if (given !== undefined && given !== '-') return given;
  if (given === undefined && frame.streams.stdin.isTTY)
    throw usage(`${what} is missing.`, 'Give it as an argument, or pipe it in.');
  return (await readInput(frame)).trimEnd();
}

export async function readInput(frame: Frame, megabytes = 10, instead?: string): Promise<string> {
  const parts: Buffer[] = [];
  let size = 0;
  for await (const part of frame.streams.stdin) {
    const bytes = Buffer.from(part as Uint8Array | string);
    size += bytes.length;
    if (size > megabytes * 1_000_000) throw usage(`Standard input holds more than ${megabytes} MB.`, instead);
    parts.push(bytes);
  }
  return Buffer.concat(parts).toString('utf8');
}
