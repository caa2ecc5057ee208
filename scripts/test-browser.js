// npm run test:browser: builds the page and tests it in Chromium against the real server. Without Chromium nothing is
// tested, and that is said loudly.

import { spawnSync } from 'node:child_process';
import { installMissing, node, root } from './install.js';

installMissing();
const { buildWeb } = await import('./build-web.js');
await buildWeb();
const given = process.argv.slice(2);
const files = given.length > 0 ? given : ['test/web/**/*.browser.ts'];
const done = spawnSync(node, ['--test', '--test-reporter=spec', ...files], { cwd: root, stdio: 'inherit' });
process.exit(done.status ?? 1);
