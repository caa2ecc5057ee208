// Injected faults, in the form of MongoDB's own `configureFailPoint` for `failCommand`, so that the same test can drive
// a real server started with test commands. Ours adds `afterExecution`: the command is done, its reply is lost.

import { setTimeout as sleep } from 'node:timers/promises';
import { ServerError } from './errors.ts';
import { isDoc } from './storage/values.ts';
import type { Doc } from './wire/framing.ts';

export interface Fault {
  closeConnection: boolean;
  afterExecution: boolean;
  blockMs: number;
  error: ServerError | undefined;
}

interface FailPoint {
  mode: { kind: 'on' } | { kind: 'times' | 'skip'; left: number };
  data: Doc;
  triggered: number;
}

export interface Faults {
  configure(command: Doc): Doc;
  /** The fault that strikes this command, counted as used. */
  strike(name: string, command: Doc): Fault | undefined;
}

export function createFaults(): Faults {
  const points = new Map<string, FailPoint>();
  return {
    configure(command) {
      const name = String(command.configureFailPoint);
      const before = points.get(name)?.triggered ?? 0;
      const mode = parseMode(command.mode);
      if (mode) points.set(name, { mode, data: isDoc(command.data) ? command.data : {}, triggered: 0 });
      else points.delete(name);
      return { ok: 1, count: before };
    },
    strike(name, command) {
      for (const [key, point] of points) {
        const { data } = point;
        if (!((data.failCommands as string[] | undefined) ?? []).includes(name)) continue;
        if (
          typeof data.namespace === 'string' &&
          data.namespace !== `${String(command.$db)}.${String(command[name])}`
        )
          continue;
        if (!fires(point)) continue;
        point.triggered += 1;
        if (point.mode.kind === 'times' && point.mode.left === 0) points.delete(key);
        return describe(data);
      }
      return undefined;
    },
  };
}

function parseMode(mode: unknown): FailPoint['mode'] | undefined {
  if (mode === 'alwaysOn') return { kind: 'on' };
  if (!isDoc(mode)) return undefined;
  if (typeof mode.times === 'number') return mode.times > 0 ? { kind: 'times', left: mode.times } : undefined;
  if (typeof mode.skip === 'number') return { kind: 'skip', left: mode.skip };
  return undefined;
}

function fires({ mode }: FailPoint): boolean {
  if (mode.kind === 'skip') return mode.left-- <= 0;
  if (mode.kind === 'times') mode.left -= 1;
  return true;
}

function describe(data: Doc): Fault {
  const code = typeof data.errorCode === 'number' ? data.errorCode : undefined;
  return {
    closeConnection: data.closeConnection === true,
    afterExecution: data.afterExecution === true,
    blockMs: data.blockConnection === true ? Number(data.blockTimeMS ?? 0) : 0,
    error:
      code === undefined
        ? undefined
        : new ServerError(code, "Failing command via 'failCommand' failpoint", {
            labels: data.errorLabels as string[] | undefined,
          }),
  };
}

/** Waits out a slow reply, but no longer than the command's own time limit. */
export async function block(fault: Fault, maxTimeMS: number | undefined): Promise<void> {
  if (fault.blockMs === 0) return;
  await sleep(Math.min(fault.blockMs, maxTimeMS ?? Infinity), undefined, { ref: false });
  if (maxTimeMS !== undefined && fault.blockMs >= maxTimeMS)
    throw new ServerError(50, 'operation exceeded time limit');
}
