// npm test: installs what is missing, builds, then runs every test, or those named on the command line.

import { spawnSync } from 'node:child_process';
import { installMissing, node, root } from './install.js';

installMissing();
const built = spawnSync(node, ['scripts/build.js'], { cwd: root, stdio: 'inherit' });
if (built.status !== 0) process.exit(built.status ?? 1);
const given = process.argv.slice(2);
const files = given.length > 0 ? given : ['test/**/*.test.ts'];
const done = spawnSync(
  node,
  ['--test', '--test-concurrency=2', '--test-timeout=240000', '--test-reporter=spec', ...files],
  {
    cwd: root,
    stdio: 'inherit',
  },
);
process.exit(done.status ?? 1);
