// The package's server over HTTP in a home of its own, on a port of its own.

import { spawn } from 'node:child_process';
import { sandbox, type Sandbox } from './cli.ts';
import { NODE, script, type CommandName } from './package.ts';

const START_MS = 240_000;

export interface Served extends AsyncDisposable {
  url: string;
  port: number;
  /** Made before it started. */
  key: string;
  box: Sandbox;
  /** What it wrote to stderr so far. */
  stderr: () => string;
  pid: number;
  /** Ends it as a supervisor does; its exit status. */
  stop(): Promise<number | null>;
}

export interface ServedOptions {
  /** Taken over, and removed with the server unless it was given. */
  box?: Sandbox;
  command?: CommandName;
  args?: readonly string[];
  env?: Record<string, string>;
  /** Of its key; default `read,write`. */
  scopes?: string;
}

export async function served(options: ServedOptions = {}): Promise<Served> {
  const { box = sandbox(), command = 'vai', args = ['mcp-server'], env = {} } = options;
  const key = await newKey(box, options.scopes);
  const transport = ['--transport', 'http', ...(args.includes('--port') ? [] : ['--port', '0'])];
  const child = spawn(NODE, [script(command), ...args, ...transport], {
    cwd: box.folder,
    env: { PATH: process.env['PATH'], HOME: box.folder, VAI_HOME: box.home, ...env },
    stdio: ['ignore', 'ignore', 'pipe'],
  });
  let text = '';
  const ended = new Promise<number | null>((done) => child.once('exit', done));
  const port = await new Promise<number>((done, failed) => {
    const late = setTimeout(() => failed(new Error(`the server did not start: ${text}`)), START_MS);
    child.once('exit', () => failed(new Error(`the server ended: ${text}`)));
    child.stderr.setEncoding('utf8').on('data', (part: string) => {
      text += part;
      const found = /"port":(\d+)[^\n]*"msg":"listening"/.exec(text)?.[1];
      if (!found) return;
      clearTimeout(late);
      done(Number(found));
    });
  });
  const stop = (): Promise<number | null> => {
    child.kill('SIGTERM');
    return ended;
  };
  return {
    ...{ url: `http://127.0.0.1:${port}`, port, key, box, stop },
    stderr: () => text,
    pid: child.pid!,
    async [Symbol.asyncDispose]() {
      await stop();
      if (!options.box) box.remove();
    },
  };
}

/** A key made as a person makes one. */
export async function newKey(
  box: Sandbox,
  scopes = 'read,write',
  more: readonly string[] = [],
): Promise<string> {
  const made = await box.run('vai', ['mcp-server', 'generate-key', '--scopes', scopes, ...more]);
  const key = /vai-mcp-key-[0-9a-f]+/.exec(made.stdout)?.[0];
  if (!key) throw new Error(`no key was printed: ${made.stderr}`);
  return key;
}
