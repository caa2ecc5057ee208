// What questions cost a process that was just started, as a client meets it: a server over stdio, beside bare FTS5.

import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { percentile } from './measure.ts';
import { handshake, openPipe, type Pipe } from './mcp-pipe.ts';

export const VAI = join(import.meta.dirname, '../../bin/vai.js');
const PROCESSES = 5;

export interface Span {
  /** Questions before those that count. */
  from: number;
  to: number;
}

/** CPU milliseconds per question of the span; the median of five fresh processes. */
export async function freshQuestions(
  env: Record<string, string>,
  ask: (pipe: Pipe, question: string) => Promise<unknown>,
  questions: readonly string[],
  { from, to }: Span,
): Promise<number> {
  const costs: number[] = [];
  for (let round = 0; round < PROCESSES; round += 1) {
    const pipe = openPipe([VAI, 'mcp-server'], env);
    await handshake(pipe);
    // The first question opens the database and loads what it needs; start-up has a figure of its own.
    await ask(pipe, 'hello');
    for (const question of questions.slice(0, from)) await ask(pipe, question);
    const before = pipe.cpu();
    for (const question of questions.slice(from, to)) await ask(pipe, question);
    costs.push((pipe.cpu() - before) / (to - from));
    await pipe.end();
  }
  return percentile(costs, 0.5);
}

/** The same questions to bare FTS5, any word of them, in fresh processes. */
export function freshFloor(program: string, file: string, questions: readonly string[]): number {
  const costs = Array.from({ length: PROCESSES }, () => {
    const done = spawnSync(process.execPath, [program, file], {
      input: JSON.stringify(questions),
      encoding: 'utf8',
    });
    if (done.status !== 0) throw new Error(`the floor failed: ${done.stderr}`);
    return Number(done.stdout);
  });
  return percentile(costs, 0.5);
}

export async function callTool(pipe: Pipe, name: string, args: object): Promise<number> {
  const { result, ms } = await pipe.request('tools/call', { name, arguments: args });
  if (result.isError) throw new Error(`${name}: ${JSON.stringify(result.content)}`);
  return ms;
}

/** `count` questions nobody asked before, the kinds taking turns. */
export function mixed(kinds: readonly { queries: readonly string[] }[], count: number): string[] {
  const longest = Math.max(...kinds.map(({ queries }) => queries.length));
  const turns = Array.from({ length: longest }, (_, at) => kinds.flatMap(({ queries }) => queries[at] ?? []));
  return [...new Set(turns.flat())].filter((query) => /[a-z]{2}/i.test(query)).slice(0, count);
}
