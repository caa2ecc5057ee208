// What another process uses, as the kernel counts it.

import { execFile } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import { promisify } from 'node:util';

/** Processor time so far of all threads that still live, finer than the ticks of /proc/…/stat. */
export function cpuMsOf(pid: number): number {
  try {
    return readdirSync(`/proc/${pid}/task`)
      .map((task) => Number(readFileSync(`/proc/${pid}/task/${task}/schedstat`, 'utf8').split(' ')[0]) / 1e6)
      .reduce((sum, one) => sum + one, 0);
  } catch {
    return Number.NaN;
  }
}

/** Resident memory in megabytes; 0 of a process that has gone. */
export function memoryMbOf(pid: number): number {
  try {
    return Number(/VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1] ?? 0) / 1024;
  } catch {
    return 0;
  }
}

/** Processor time of a whole program of ours, from its start to its end. */
export async function cpuMsOfRun(args: readonly string[], env: NodeJS.ProcessEnv): Promise<number> {
  const timed = 'TIMEFORMAT="%U %S"; time "$@" >/dev/null';
  const { stderr } = await promisify(execFile)('bash', ['-c', timed, 'bash', process.execPath, ...args], {
    env,
  });
  const [user, system] = (stderr.trim().split('\n').at(-1) ?? '').split(' ').map(Number);
  return (user! + system!) * 1000;
}
