// How many bytes a model's host reads before anything is asked: the lines as they go over stdio.

import { spawn } from 'node:child_process';
import { createInterface } from 'node:readline';
import { HELLO, type Door } from './start.ts';

export interface Bytes {
  name: string;
  initialize: number;
  tools: number;
}

export async function measureBytes(doors: Door[]): Promise<Bytes[]> {
  const rows: Bytes[] = [];
  for (const door of doors) {
    const child = spawn(process.execPath, door.command, {
      env: { ...process.env, ...door.env },
      stdio: ['pipe', 'pipe', 'ignore'],
    });
    const lines = createInterface({ input: child.stdout })[Symbol.asyncIterator]();
    child.stdin.write(`${JSON.stringify(HELLO)}\n`);
    const initialize = Buffer.byteLength((await lines.next()).value as string);
    child.stdin.write(`${JSON.stringify({ jsonrpc: '2.0', id: 2, method: 'tools/list' })}\n`);
    const tools = Buffer.byteLength((await lines.next()).value as string);
    child.kill('SIGKILL');
    rows.push({ name: door.name, initialize, tools });
  }
  return rows;
}
