// Who holds a lock, so that what a killed process left behind is recognised at once instead of after its time. A process
// is known by its machine, its number and its start; anything that cannot be told for certain counts as alive, because
// waiting is safe and two writers are not.

import { randomUUID } from 'node:crypto';
import { readFileSync, readlinkSync } from 'node:fs';
import { hostname } from 'node:os';

const SEPARATOR = '\n';

/** A new owner of this process: never the same twice. */
export function newOwner(): string {
  return [randomUUID(), machine(), process.pid, startOf(process.pid) ?? ''].join(SEPARATOR);
}

/** Whether the owner was a process of this machine that certainly does not run any more. */
export function isGone(owner: string): boolean {
  const [, place, number, start] = owner.split(SEPARATOR);
  const pid = Number(number);
  if (place !== machine() || !Number.isSafeInteger(pid) || pid <= 0) return false;
  if (!runs(pid)) return true;
  // The number may belong to another process by now. Without a start to compare, it counts as the same.
  const now = startOf(pid);
  return Boolean(start) && now !== undefined && now !== start;
}

/** Whether the owner is a process of this machine that runs, as far as can be told. */
export function isRunning(owner: string): boolean {
  return owner.split(SEPARATOR)[1] === machine() && !isGone(owner);
}

let known: string | undefined;

/**
 * Process numbers mean something within one running system, and within one namespace of it: two containers over the same
 * folder have their own each.
 */
function machine(): string {
  known ??= [
    hostname(),
    orNothing(() => readFileSync('/proc/sys/kernel/random/boot_id', 'utf8').trim()),
    orNothing(() => readlinkSync('/proc/self/ns/pid')),
  ].join(' ');
  return known;
}

function runs(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    // Not being allowed to signal it means that it is there.
    return (error as NodeJS.ErrnoException).code !== 'ESRCH';
  }
}

const DEAD = 'ended';

/** When a process started, in ticks since the machine did; a process that only waits to be reaped has ended. */
function startOf(pid: number): string | undefined {
  const stat = orNothing(() => readFileSync(`/proc/${pid}/stat`, 'utf8'));
  if (stat === '') return undefined;
  // The name in parentheses may hold anything, spaces and parentheses included.
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
  return /^[ZXx]$/.test(fields[0] ?? '') ? DEAD : fields[19];
}

function orNothing(read: () => string): string {
  try {
    return read();
  } catch {
    return '';
  }
}
