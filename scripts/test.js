// npm test: installs what is missing, then runs every test, or those named on the command line.

import { spawnSync } from 'node:child_process';
import { installMissing, node, root } from './install.js';

installMissing();
const given = process.argv.slice(2);
const files = given.length > 0 ? given : ['test/**/*.test.ts'];
const done = spawnSync(node, ['--test', '--test-reporter=spec', ...files], { cwd: root, stdio: 'inherit' });
process.exit(done.status ?? 1);
