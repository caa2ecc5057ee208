// Commands of vai run in this process, over a home of their own.

import { join } from 'node:path';
import { Readable } from 'node:stream';
import { runProgram } from '../../../src/cli/frame.ts';
import { buildVai } from '../../../src/cli/vai/program.ts';

export interface Ran {
  status: number;
  stdout: string;
  stderr: string;
}

/**
 * Runs a command in the folder, piped or on a terminal without colours; what vai keeps lies in a folder inside, or in
 * `home`. `input` is read from standard input.
 */
export function commandsIn(
  folder: string,
  {
    terminal = false,
    input = '',
    home = join(folder, '.vai'),
  }: { terminal?: boolean; input?: string | Buffer; home?: string } = {},
): (...args: string[]) => Promise<Ran> {
  return async (...args) => {
    let [stdout, stderr] = ['', ''];
    const streams = {
      stdout: { isTTY: terminal, write: (text: string) => (stdout += text) },
      stderr: { isTTY: false, write: (text: string) => (stderr += text) },
      stdin: Readable.from([Buffer.from(input)]),
    };
    const env = { VAI_HOME: home, HOME: folder, NO_COLOR: '1' };
    const given = { name: 'vai', env, cwd: folder, streams, uriChoosesStore: true };
    return { status: await runProgram(given, buildVai, args), stdout, stderr };
  };
}
