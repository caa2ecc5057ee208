// Installs what is missing, for `npm start` and `npm test` of a fresh clone. Plain JavaScript for Node 20.

import { spawnSync } from 'node:child_process';
import { existsSync, statSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

export const root = join(dirname(fileURLToPath(import.meta.url)), '..');
export const node = join(root, 'node_modules', '.bin', process.platform === 'win32' ? 'node.exe' : 'node');

export function installMissing() {
  const mark = join(root, 'node_modules', '.package-lock.json');
  const lock = join(root, 'package-lock.json');
  if (existsSync(node) && existsSync(mark) && statSync(mark).mtimeMs >= statSync(lock).mtimeMs) return;
  process.stderr.write('Installing dependencies (once)…\n');
  const npm = process.platform === 'win32' ? 'npm.cmd' : 'npm';
  const done = spawnSync(npm, ['ci', '--no-audit', '--no-fund', '--loglevel=error'], {
    cwd: root,
    stdio: ['ignore', 2, 2],
  });
  if (done.status !== 0) process.exit(done.status ?? 1);
}

if (process.argv[1] === fileURLToPath(import.meta.url)) installMissing();
