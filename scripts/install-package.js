// The package as a user has it: built, packed by `npm pack`, and installed into an empty folder outside this checkout,
// so that nothing it forgot to bring can be found by climbing up to the checkout's own node_modules. The packages it
// depends on are copied from here in the versions of the lockfile: tests must not need a network.

import { execFileSync } from 'node:child_process';
import { chmodSync, cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { build } from './build.js';
import { root } from './install.js';

const read = (file) => JSON.parse(readFileSync(file, 'utf8'));

/** Returns the folder; whoever asked removes it. */
export async function installPackage() {
  const { name, files, bin } = read(join(root, 'package.json'));
  const folder = mkdtempSync(join(tmpdir(), 'vai-package-'));
  // Another user may run it too, as after `npm install -g`.
  chmodSync(folder, 0o755);
  const staged = join(folder, 'staged');
  await build(join(staged, 'dist'));
  for (const file of ['package.json', ...files.filter((one) => one !== 'dist')])
    cpSync(join(root, file), join(staged, file), { recursive: true });
  const args = ['pack', '--json', '--ignore-scripts', '--loglevel=error', '--pack-destination', folder];
  const [{ filename }] = JSON.parse(execFileSync('npm', args, { cwd: staged, encoding: 'utf8' }));
  rmSync(staged, { recursive: true });

  const installed = join(folder, 'node_modules', name);
  mkdirSync(join(folder, 'node_modules/.bin'), { recursive: true });
  mkdirSync(installed);
  execFileSync('tar', ['-xzf', join(folder, filename), '--strip-components=1', '-C', installed]);
  for (const [path, { dev, devOptional, peer }] of Object.entries(
    read(join(root, 'package-lock.json')).packages,
  ))
    if (path && !dev && !devOptional && !peer)
      cpSync(join(root, path), join(folder, path), { recursive: true });
  for (const [command, file] of Object.entries(bin)) {
    chmodSync(join(installed, file), 0o755);
    symlinkSync(join('..', name, file), join(folder, 'node_modules/.bin', command));
  }
  return folder;
}

if (process.argv[1] === fileURLToPath(import.meta.url)) process.stdout.write(`${await installPackage()}\n`);
