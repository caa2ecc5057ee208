// From the start of the process to the answer of `initialize`, and what it then weighs while nobody asks.

import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { setTimeout as wait } from 'node:timers/promises';
import { cpuMsOf } from './cpu.ts';

export interface Start {
  name: string;
  wallMs: number;
  wallMedianMs: number;
  /** User and system time until the answer. */
  cpuMs: number;
  cpuMedianMs: number;
  rssMb: number;
}

export interface Door {
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

export async function measureStart(doors: Door[], rounds: number): Promise<Start[]> {
  const samples = new Map(doors.map((door) => [door.name, [] as { wall: number; cpu: number }[]]));
  for (let round = 0; round < rounds; round += 1) {
    for (const door of doors) samples.get(door.name)!.push(await sample(door));
  }
  const rows: Start[] = [];
  for (const door of doors) {
    const wall = samples
      .get(door.name)!
      .map((one) => one.wall)
      .sort((a, b) => a - b);
    const cpu = samples
      .get(door.name)!
      .map((one) => one.cpu)
      .sort((a, b) => a - b);
    const middle = Math.floor(rounds / 2);
    rows.push({
      name: door.name,
      wallMs: wall[0]!,
      wallMedianMs: wall[middle]!,
      cpuMs: cpu[0]!,
      cpuMedianMs: cpu[middle]!,
      rssMb: await idleRss(door),
    });
  }
  return rows;
}

async function sample(door: Door): Promise<{ wall: number; cpu: number }> {
  const started = performance.now();
  const child = start(door);
  child.stdin.write(`${JSON.stringify(HELLO)}\n`);
  await once(child.stdout, 'data');
  const wall = performance.now() - started;
  const cpu = cpuMsOf(child.pid!);
  child.kill('SIGKILL');
  await once(child, 'close');
  return { wall, cpu };
}

/** Median of three, some time after the greeting and the list of tools. */
async function idleRss(door: Door): Promise<number> {
  const values: number[] = [];
  for (let round = 0; round < 3; round += 1) {
    const child = start(door);
    child.stdin.write(`${JSON.stringify(HELLO)}\n`);
    await once(child.stdout, 'data');
    await wait(IDLE_MS);
    values.push(
      Number(/VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${child.pid}/status`, 'utf8'))?.[1] ?? 0) / 1024,
    );
    child.kill('SIGKILL');
    await once(child, 'close');
  }
  return values.sort((a, b) => a - b)[1]!;
}

function start(door: Door) {
  return spawn(process.execPath, door.command, {
    env: { ...process.env, ...door.env },
    stdio: ['pipe', 'pipe', 'ignore'],
  });
}
