// Runs the commands of the package, each with a home of its own.

import { spawn } from 'node:child_process';
import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { NODE, script, type CommandName } from './package.ts';
import { tempFolder } from './temp-folder.ts';

export interface Run {
  status: number | null;
  stdout: string;
  stderr: string;
}

export interface Sandbox {
  folder: string;
  home: string;
  run(command: CommandName, args: readonly string[], options?: RunOptions): Promise<Run>;
  remove(): void;
}

export interface RunOptions {
  env?: Record<string, string>;
  input?: string;
  cwd?: string;
  uid?: number;
}

/** A temporary folder with a home in it; nothing of the user's own configuration or keys is visible. */
export function sandbox(): Sandbox {
  const folder = tempFolder('test');
  const home = join(folder, 'home');
  return {
    folder,
    home,
    run: (command, args, options = {}) =>
      new Promise((done, failed) => {
        const child = spawn(NODE, [script(command), ...args], {
          cwd: options.cwd ?? folder,
          // Whatever runs on the default port of this machine is none of a test's business.
          env: { PATH: process.env['PATH'], HOME: folder, VAI_HOME: home, PORT: '9', ...options.env },
          ...(options.uid === undefined ? {} : { uid: options.uid, gid: options.uid }),
        });
        const run: Run = { status: null, stdout: '', stderr: '' };
        child.stdout.setEncoding('utf8').on('data', (text: string) => (run.stdout += text));
        child.stderr.setEncoding('utf8').on('data', (text: string) => (run.stderr += text));
        child.on('error', failed);
        child.on('close', (status) => done({ ...run, status }));
        child.stdin.on('error', () => undefined);
        child.stdin.end(options.input ?? '');
      }),
    remove: () => rmSync(folder, { recursive: true, force: true }),
  };
}
