// Processor time of another process, all its threads, finer than the ticks of /proc/…/stat.

import { readdirSync, readFileSync } from 'node:fs';

export function cpuMsOf(pid: number): number {
  try {
    return readdirSync(`/proc/${pid}/task`)
      .map((task) => Number(readFileSync(`/proc/${pid}/task/${task}/schedstat`, 'utf8').split(' ')[0]) / 1e6)
      .reduce((sum, one) => sum + one, 0);
  } catch {
    return Number.NaN;
  }
}
