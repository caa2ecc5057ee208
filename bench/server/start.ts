// From the start of the process to the answer of `initialize`, and what it then weighs while nobody asks.

import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { setTimeout as wait } from 'node:timers/promises';
import { percentile } from '../lib/measure.ts';
import { cpuMsOf, memoryMbOf } from '../lib/process.ts';

export interface Start {
  name: string;
  wallMs: number;
  wallMedianMs: number;
  /** User and system time until the answer. */
  cpuMs: number;
  cpuMedianMs: number;
  rssMb: number;
}

export interface ServerKind {
  name: string;
  command: string[];
  env: Record<string, string>;
}

export const HELLO = {
  jsonrpc: '2.0',
  id: 1,
  method: 'initialize',
  params: { protocolVersion: '2025-11-25', capabilities: {}, clientInfo: { name: 'bench', version: '1' } },
};

const IDLE_MS = 1_500;

export async function measureStart(servers: ServerKind[], rounds: number): Promise<Start[]> {
  const samples = new Map(servers.map((server) => [server.name, [] as { wall: number; cpu: number }[]]));
  for (let round = 0; round < rounds; round += 1) {
    for (const server of servers) samples.get(server.name)!.push(await sample(server));
  }
  const rows: Start[] = [];
  for (const server of servers) {
    const wall = samples.get(server.name)!.map((one) => one.wall);
    const cpu = samples.get(server.name)!.map((one) => one.cpu);
    rows.push({
      name: server.name,
      wallMs: Math.min(...wall),
      wallMedianMs: percentile(wall, 0.5),
      cpuMs: Math.min(...cpu),
      cpuMedianMs: percentile(cpu, 0.5),
      rssMb: await idleRss(server),
    });
  }
  return rows;
}

async function sample(server: ServerKind): Promise<{ wall: number; cpu: number }> {
  const started = performance.now();
  const child = start(server);
  child.stdin.write(`${JSON.stringify(HELLO)}\n`);
  await once(child.stdout, 'data');
  const wall = performance.now() - started;
  const cpu = cpuMsOf(child.pid!);
  child.kill('SIGKILL');
  await once(child, 'close');
  return { wall, cpu };
}

/** Median of three, some time after the greeting and the list of tools. */
async function idleRss(server: ServerKind): Promise<number> {
  const values: number[] = [];
  for (let round = 0; round < 3; round += 1) {
    const child = start(server);
    child.stdin.write(`${JSON.stringify(HELLO)}\n`);
    await once(child.stdout, 'data');
    await wait(IDLE_MS);
    values.push(memoryMbOf(child.pid!));
    child.kill('SIGKILL');
    await once(child, 'close');
  }
  return percentile(values, 0.5);
}

export function start(server: ServerKind) {
  return spawn(process.execPath, server.command, {
    env: { ...process.env, ...server.env },
    stdio: ['pipe', 'pipe', 'ignore'],
  });
}
