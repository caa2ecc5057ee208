// How many bytes a model's host reads before anything is asked: the lines as they go over stdio.

import { createInterface } from 'node:readline';
import { HELLO, start, type ServerKind } from './start.ts';

export interface Bytes {
  name: string;
  initialize: number;
  tools: number;
}

export async function measureBytes(servers: ServerKind[]): Promise<Bytes[]> {
  const rows: Bytes[] = [];
  for (const server of servers) {
    const child = start(server);
    const lines = createInterface({ input: child.stdout })[Symbol.asyncIterator]();
    child.stdin.write(`${JSON.stringify(HELLO)}\n`);
    const initialize = Buffer.byteLength((await lines.next()).value as string);
    child.stdin.write(`${JSON.stringify({ jsonrpc: '2.0', id: 2, method: 'tools/list' })}\n`);
    const tools = Buffer.byteLength((await lines.next()).value as string);
    child.kill('SIGKILL');
    rows.push({ name: server.name, initialize, tools });
  }
  return rows;
}
