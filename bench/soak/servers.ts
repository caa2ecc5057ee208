// The home, on a small disk where that can be had, and the servers on it: the built ones, which can be killed and started
// again at their port.

import { spawn, spawnSync, type ChildProcess } from 'node:child_process';
import { cpSync, existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { memoryMbOf } from '../lib/process.ts';

const ROOT = join(import.meta.dirname, '../..');
const DISK_MB = 400;

export interface Home {
  folder: string;
  /** The command, built for this run: another build meanwhile takes nothing from it. */
  vai: string;
  key: string;
  /** Whether it is a disk of its own, which can be filled. */
  smallDisk: boolean;
  env: NodeJS.ProcessEnv;
  fill(): void;
  free(): void;
  remove(): void;
}

export function openHome(): Home {
  const built = spawnSync(process.execPath, [join(ROOT, 'scripts/build.js')], {
    cwd: ROOT,
    stdio: ['ignore', 2, 2],
  });
  if (built.status !== 0) throw new Error('the build failed');
  const program = mkdtempSync(join(tmpdir(), 'vai-soak-program-'));
  cpSync(join(ROOT, 'dist'), program, { recursive: true });
  writeFileSync(join(program, 'package.json'), '{"type":"module"}');
  const vai = join(program, 'vai.js');
  const folder = mkdtempSync(join(tmpdir(), 'vai-soak-'));
  const mounted =
    spawnSync('mount', ['-t', 'tmpfs', '-o', `size=${DISK_MB}m`, 'vai-soak', folder]).status === 0;
  if (!mounted)
    console.error('NOTICE: no small disk could be mounted (that takes root), so a full disk is NOT TRIED.');
  const env = { PATH: process.env['PATH'], HOME: folder, VAI_HOME: folder };
  const made = spawnSync(process.execPath, [vai, 'mcp-server', 'generate-key', '--json'], {
    env,
    encoding: 'utf8',
  });
  const { key } = JSON.parse(made.stdout) as { key: string };
  const ballast = join(folder, 'ballast');
  return {
    folder,
    vai,
    key,
    smallDisk: mounted,
    env,
    fill() {
      // To the last byte: the disk is full when a write of one block fails.
      for (const size of [1 << 20, 4_096])
        try {
          for (;;) writeFileSync(ballast, Buffer.alloc(size), { flag: 'a' });
        } catch {
          continue;
        }
    },
    free: () => rmSync(ballast, { force: true }),
    remove() {
      if (mounted) spawnSync('umount', [folder]);
      for (const one of [folder, program]) rmSync(one, { recursive: true, force: true });
    },
  };
}

export interface Server {
  name: string;
  url: string;
  key: string;
  /** Megabytes of its largest process. */
  rss(): number;
  /** Ends one of its workers, or itself, at once. */
  killWorker(): boolean;
  kill(): Promise<void>;
  stop(): Promise<void>;
  start(): Promise<void>;
}

export async function startServer(home: Home, name: string, flags: readonly string[]): Promise<Server> {
  let child: ChildProcess | undefined;
  let port = 0;
  const start = async (): Promise<void> => {
    const args = [home.vai, 'mcp-server', '--transport', 'http', '--port', String(port), '--rate-limit', '0'];
    child = spawn(process.execPath, [...args, ...flags], {
      cwd: home.folder,
      env: home.env,
      stdio: ['ignore', 'ignore', 'pipe'],
    });
    port = await listening(child);
  };
  const ended = (): Promise<void> => {
    const one = child;
    if (!one || one.exitCode !== null || one.signalCode !== null) return Promise.resolve();
    return new Promise((resolve) => one.once('exit', () => resolve()));
  };
  await start();
  return {
    name,
    url: `http://127.0.0.1:${port}`,
    key: home.key,
    rss: () => Math.max(0, ...[child!.pid!, ...childrenOf(child!.pid!)].map(memoryMbOf)),
    killWorker() {
      const [worker] = childrenOf(child!.pid!);
      if (worker !== undefined) process.kill(worker, 'SIGKILL');
      return worker !== undefined;
    },
    async kill() {
      const gone = ended();
      for (const pid of [...childrenOf(child!.pid!), child!.pid!]) process.kill(pid, 'SIGKILL');
      await gone;
    },
    async stop() {
      const gone = ended();
      child!.kill('SIGTERM');
      await gone;
    },
    start,
  };
}

function listening(child: ChildProcess): Promise<number> {
  return new Promise((resolve, reject) => {
    let text = '';
    child.once('exit', () => reject(new Error(`the server ended: ${text.slice(-2_000)}`)));
    child.stderr!.setEncoding('utf8').on('data', (part: string) => {
      text = (text + part).slice(-20_000);
      const found = /"port":(\d+)[^\n]*"msg":"listening"/.exec(text)?.[1];
      if (found) resolve(Number(found));
    });
  });
}

/** Processes that serve: those that read documents come and go. */
function childrenOf(pid: number): number[] {
  const file = `/proc/${pid}/task/${pid}/children`;
  if (!existsSync(file)) return [];
  return readFileSync(file, 'utf8')
    .split(' ')
    .filter(Boolean)
    .map(Number)
    .filter((child) => commandOf(child).includes('mcp-server'));
}

function commandOf(pid: number): string {
  try {
    return readFileSync(`/proc/${pid}/cmdline`, 'utf8');
  } catch {
    return '';
  }
}
