// Clients in other languages against the package. Python's come from its registry into an environment of their own under
// .work; where there is no Python, or nothing can be had from the registry, that is said and nothing else happens.

import { spawnSync } from 'node:child_process';
import { join, resolve } from 'node:path';
import { sandbox } from '../support/cli.ts';
import { NODE, script } from '../support/package.ts';
import { served } from '../support/served.ts';

const PACKAGES = ['mcp==2.3.0', 'fastmcp==4.1.2'];
const root = resolve(import.meta.dirname, '../..');
const environment = join(root, '.work/python-clients');
const python = join(environment, process.platform === 'win32' ? 'Scripts/python.exe' : 'bin/python');

function skip(why: string): never {
  console.log(`NOTICE: the Python clients were NOT tested: ${why}.`);
  process.exit(0);
}

const quietly = (command: string, args: string[]): boolean =>
  spawnSync(command, args, { stdio: ['ignore', 'ignore', 'ignore'], timeout: 300_000 }).status === 0;

if (!quietly(python, ['--version']) && !quietly('python3', ['-m', 'venv', environment]))
  skip('no python3 with venv here');
if (!quietly(python, ['-m', 'pip', 'install', '--quiet', '--disable-pip-version-check', ...PACKAGES]))
  skip(`${PACKAGES.join(' and ')} could not be installed`);

const box = sandbox();
try {
  const document = '# Herons\n\nHerons stand still for hours, and then strike.\n';
  await box.run('vai', ['ingest', '-', '-c', 'birds', '--source', 'herons.md'], { input: document });
  await using server = await served({ box });
  const program = join(import.meta.dirname, 'python_clients.py');
  const given = [NODE, script('vai'), box.home, `${server.url}/mcp`, server.key];
  const done = spawnSync(python, [program, ...given], { stdio: 'inherit', timeout: 240_000 });
  process.exitCode = done.status ?? 1;
} finally {
  box.remove();
}
