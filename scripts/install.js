// Installs what is missing, for `npm start` and `npm test` of a fresh clone. Plain JavaScript for Node 20.

import { spawnSync } from 'node:child_process';
import { existsSync, lstatSync, statSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

export const root = join(dirname(fileURLToPath(import.meta.url)), '..');
export const node = join(root, 'node_modules', '.bin', process.platform === 'win32' ? 'node.exe' : 'node');

export function installMissing() {
  const mark = join(root, 'node_modules', '.package-lock.json');
  const lock = join(root, 'package-lock.json');
  if (existsSync(node) && existsSync(mark) && statSync(mark).mtimeMs >= statSync(lock).mtimeMs) return;
  refuseLink(join(root, 'node_modules'));
  process.stderr.write('Installing dependencies (once)…\n');
  const npm = process.platform === 'win32' ? 'npm.cmd' : 'npm';
  const done = spawnSync(npm, ['ci', '--no-audit', '--no-fund', '--loglevel=error'], {
    cwd: root,
    stdio: ['ignore', 2, 2],
  });
  if (done.status !== 0) process.exit(done.status ?? 1);
}

/** `npm ci` empties node_modules first: of a link, the folder it leads to, which another clone uses. */
function refuseLink(folder) {
  if (!lstatSync(folder, { throwIfNoEntry: false })?.isSymbolicLink()) return;
  process.stderr.write(
    `${folder} is a symbolic link, and what it leads to does not fit package-lock.json. Installing would empty that folder. Remove the link, or run \`npm ci\` where it leads.\n`,
  );
  process.exit(1);
}

if (process.argv[1] === fileURLToPath(import.meta.url)) installMissing();
