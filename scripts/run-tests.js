// How test files are run, whichever script was asked for them.

import { spawnSync } from 'node:child_process';
import { rmSync } from 'node:fs';
import { installMissing, node, root } from './install.js';

// The limit ends what hangs. It holds for whole files as well, and must not depend on how busy the machine is.
const OPTIONS = ['--test', '--test-concurrency=2', '--test-timeout=1200000', '--test-reporter=spec'];

/** On the sources. Returns the exit status. */
export function runTests(files, env = {}) {
  installMissing();
  const done = spawnSync(node, [...OPTIONS, ...files], {
    cwd: root,
    stdio: 'inherit',
    env: { ...process.env, ...env },
  });
  return done.status ?? 1;
}

/** On the package, which is installed once for all of them, unless VAI_TEST_PACKAGE names where it is already. */
export async function runPackageTests(files, env = {}) {
  if (process.env.VAI_TEST_PACKAGE) return runTests(files, env);
  installMissing();
  const { installPackage } = await import('./install-package.js');
  const folder = await installPackage();
  try {
    return runTests(files, { ...env, VAI_TEST_PACKAGE: folder });
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}
