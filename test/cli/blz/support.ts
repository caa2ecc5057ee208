// The blz command line in this process, with streams that are kept.

import { Readable } from 'node:stream';
import { buildBlz } from '../../../src/cli/blz/program.ts';
import { runProgram } from '../../../src/cli/frame.ts';

export interface BlzOptions {
  tty?: boolean;
  env?: Record<string, string>;
}

export async function runBlz(
  home: { cwd: string; env: Record<string, string> },
  args: string[],
  options: BlzOptions = {},
) {
  let stdout = '';
  let stderr = '';
  const streams = {
    stdout: { isTTY: options.tty ?? false, columns: 100, write: (text: string) => (stdout += text) },
    stderr: { isTTY: false, write: (text: string) => (stderr += text) },
    stdin: Readable.from([]),
  };
  const env = { ...home.env, NO_COLOR: '1', ...options.env };
  const input = { name: 'blz', env, cwd: home.cwd, streams, uriChoosesStore: false };
  const code = await runProgram(input, buildBlz, args);
  return { code, stdout, stderr, json: () => JSON.parse(stdout) };
}
