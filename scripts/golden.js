// npm run golden: writes anew what the golden tests compare with. What it changes is seen by every client: look at the
// difference before you commit it.

import { spawnSync } from 'node:child_process';
import { node, root } from './install.js';

const tests = ['test/server/greetings.test.ts', 'test/engine/index/version.test.ts'];
const written = ['test/server/greetings.golden.json', 'test/engine/index/version.golden.json'];

run(['--test', ...tests], { UPDATE_GOLDEN: '1' });
run(['node_modules/prettier/bin/prettier.cjs', '--write', ...written]);

function run(args, env = {}) {
  const done = spawnSync(node, args, { cwd: root, stdio: 'inherit', env: { ...process.env, ...env } });
  if (done.status !== 0) process.exit(done.status ?? 1);
}
