// A client at the other end of a pipe with nothing in between: one line out, one line in, the time between them.

import { spawn } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { memoryMbOf } from './process.ts';

export interface Reply {
  result: any; // eslint-disable-line @typescript-eslint/no-explicit-any
  /** The line as it came. */
  bytes: number;
  ms: number;
}

export interface Pipe {
  request(method: string, params?: object): Promise<Reply>;
  notify(method: string): void;
  /** Resident memory in megabytes. */
  memory(): number;
  /** CPU milliseconds the process has used; a loaded machine does not change it much. */
  cpu(): number;
  end(): Promise<void>;
}

export function openPipe(args: readonly string[], env: Record<string, string>): Pipe {
  const child = spawn(process.execPath, args, {
    env: { PATH: process.env.PATH ?? '', HOME: process.env.HOME ?? '', ...env },
    stdio: ['pipe', 'pipe', 'inherit'],
  });
  const waiting = new Map<
    number,
    { done: (reply: Reply) => void; fail: (error: Error) => void; at: number }
  >();
  let next = 1;
  let rest = '';
  child.stdout.setEncoding('utf8');
  child.stdout.on('data', (part: string) => {
    rest += part;
    for (let end = rest.indexOf('\n'); end !== -1; end = rest.indexOf('\n')) {
      const line = rest.slice(0, end);
      rest = rest.slice(end + 1);
      receive(line);
    }
  });
  child.once('exit', () => {
    for (const { fail } of waiting.values()) fail(new Error('the server ended'));
  });
  function receive(line: string): void {
    const now = performance.now();
    const message = JSON.parse(line) as { id?: number; result?: unknown; error?: { message: string } };
    const entry = message.id === undefined ? undefined : waiting.get(message.id);
    if (!entry) return;
    waiting.delete(message.id!);
    if (message.error) entry.fail(new Error(message.error.message));
    else entry.done({ result: message.result, bytes: Buffer.byteLength(line), ms: now - entry.at });
  }
  return {
    request(method, params = {}) {
      const id = next++;
      return new Promise((done, fail) => {
        waiting.set(id, { done, fail, at: performance.now() });
        child.stdin.write(`${JSON.stringify({ jsonrpc: '2.0', id, method, params })}\n`);
      });
    },
    notify: (method) => void child.stdin.write(`${JSON.stringify({ jsonrpc: '2.0', method })}\n`),
    memory: () => memoryMbOf(child.pid!),
    cpu() {
      const fields = readFileSync(`/proc/${child.pid}/stat`, 'utf8').split(') ')[1]!.split(' ');
      return (Number(fields[11]) + Number(fields[12])) * 10;
    },
    async end() {
      const gone = new Promise((resolve) => child.once('exit', resolve));
      child.stdin.end();
      await gone;
    },
  };
}

const INITIALIZE = {
  protocolVersion: '2025-06-18',
  capabilities: {},
  clientInfo: { name: 'bench', version: '1' },
};

export async function handshake(pipe: Pipe): Promise<Reply> {
  const reply = await pipe.request('initialize', INITIALIZE);
  pipe.notify('notifications/initialized');
  return reply;
}
