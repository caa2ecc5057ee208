// A background server: a separate process that reports once it listens, is found by its pid file and stopped by a
// signal. The parent exits only when the child is serving or has reported why it cannot.

import { spawn } from 'node:child_process';
import { chmodSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { open, rename, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import type { Settings } from '../../config/index.ts';
import { toVaiError, VaiError } from '../../domain/errors.ts';
import { makeFolder } from '../../make-folder.ts';
import type { Frame } from '../frame.ts';

const MARK = 'VAI_MCP_DAEMON_CHILD';
const START_PATIENCE_MS = 20_000;
const STOP_PATIENCE_MS = 12_000;

interface Report {
  vaiDaemon: 'ready' | 'failed';
  port?: number;
  message?: string;
  hint?: string;
}

/** A server of this home on this machine, however it was started. */
export interface RunFile {
  port: number;
  pid: number;
  host: string;
}

export function isDaemonChild(env: Frame['env']): boolean {
  return env[MARK] === '1';
}

function runFolder(home: string): string {
  return join(home, 'run');
}

const runFile = (home: string, port: number): string => join(runFolder(home), `mcp-server-${port}.pid`);
const logFile = (home: string, port: number): string => join(runFolder(home), `mcp-server-${port}.log`);

export async function startDaemon(frame: Frame, settings: Settings): Promise<void> {
  const { home, port } = settings;
  const running = listRunning(home).find((file) => file.port === port);
  if (running) {
    throw new VaiError('INTERNAL', `A server already runs on port ${port} (pid ${running.pid}).`, {
      hint: 'Stop it with `vai mcp-server stop`, or choose another --port.',
    });
  }
  const log = logFile(home, port);
  try {
    makeFolder(runFolder(home), 0o700);
    await (await open(log, 'a', 0o600)).close();
    chmodSync(log, 0o600);
  } catch (error) {
    throw new VaiError('WRITE_FAILED', 'The folder for run files is not writable.', {
      hint: 'Check the permissions of the vai home folder, or set VAI_HOME to another.',
      cause: error,
    });
  }
  const child = spawn(process.execPath, [...process.execArgv, ...process.argv.slice(1)], {
    detached: true,
    stdio: ['ignore', 'ignore', 'ignore', 'ipc'],
    env: { ...frame.env, [MARK]: '1', VAI_MCP_LOG_FILE: log },
  });
  const report = await firstReport(child);
  child.disconnect();
  child.unref();
  if (report.vaiDaemon === 'failed') {
    throw new VaiError('INTERNAL', report.message ?? 'The server could not be started.', {
      hint: report.hint ?? 'See the log file in the run folder.',
    });
  }
  frame.print(`vai-mcp-server runs in the background on port ${report.port} (pid ${child.pid}).`);
  frame.print(`Log: ${log}`);
}

function firstReport(child: ReturnType<typeof spawn>): Promise<Report> {
  return new Promise((resolve) => {
    const failed = (message: string): void => resolve({ vaiDaemon: 'failed', message });
    const timer = setTimeout(() => {
      child.kill();
      failed('The server did not start in time.');
    }, START_PATIENCE_MS);
    child.once('message', (message) => {
      clearTimeout(timer);
      resolve(message as Report);
    });
    child.once('error', () => (clearTimeout(timer), failed('The server process could not be started.')));
    child.once('exit', () => (clearTimeout(timer), failed('The server ended before it was ready.')));
  });
}

export function announce(port: number): void {
  process.send?.({ vaiDaemon: 'ready', port } satisfies Report);
}

export function failStart(thrown: unknown): void {
  const error = toVaiError(thrown);
  process.send?.({ vaiDaemon: 'failed', message: error.message, hint: error.hint } satisfies Report);
}

/** Returns what removes it again. */
export async function writeRunFile(home: string, port: number, host: string): Promise<() => Promise<void>> {
  const file = runFile(home, port);
  makeFolder(runFolder(home), 0o700);
  // Put in place whole: another command takes a file without a number for one that was left behind, and removes it.
  const temporary = `${file}.${process.pid}`;
  await writeFile(temporary, `${process.pid}\n${host}\n`, { mode: 0o600 });
  await rename(temporary, file);
  return () => rm(file, { force: true });
}

/** Servers that wrote such a file; the files of those that are gone are removed. */
export function listRunning(home: string): RunFile[] {
  let names: string[];
  try {
    names = readdirSync(runFolder(home));
  } catch {
    return [];
  }
  return names.flatMap((name) => {
    const port = /^mcp-server-(\d+)\.pid$/.exec(name)?.[1];
    if (!port) return [];
    const file = join(runFolder(home), name);
    const [first, host = '127.0.0.1'] = readIfThere(file).trim().split('\n');
    const pid = Number(first);
    if (Number.isSafeInteger(pid) && pid > 1 && isOurs(pid)) return [{ port: Number(port), pid, host }];
    rmSync(file, { force: true });
    return [];
  });
}

/** Empty where its server has just ended and taken it away. */
function readIfThere(file: string): string {
  try {
    return readFileSync(file, 'utf8');
  } catch {
    return '';
  }
}

/** Alive, and still a server of ours: the system may have given the number to another process since. */
function isOurs(pid: number): boolean {
  try {
    process.kill(pid, 0);
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM';
  }
  try {
    return /mcp/.test(readFileSync(`/proc/${pid}/cmdline`, 'utf8'));
  } catch {
    return true;
  }
}

export async function stopServer(pid: number): Promise<boolean> {
  process.kill(pid, 'SIGTERM');
  const deadline = performance.now() + STOP_PATIENCE_MS;
  while (performance.now() < deadline) {
    if (!isOurs(pid)) return true;
    await wait(50);
  }
  return false;
}
