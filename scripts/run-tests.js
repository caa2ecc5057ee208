// How test files are run, whichever script was asked for them.

import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, relative } from 'node:path';
import { pathToFileURL } from 'node:url';
import { installMissing, node, root } from './install.js';

// The limit ends what hangs. It holds for whole files as well, and must not depend on how busy the machine is.
const OPTIONS = [
  '--test',
  '--test-timeout=1200000',
  '--test-reporter=spec',
  '--test-reporter-destination=stdout',
];

/** More failing files than this are a defect, not a busy machine. */
const MAX_REPEATED = 3;

/** On the sources. Returns the exit status. */
export function runTests(files, env = {}) {
  installMissing();
  const scratch = mkdtempSync(join(tmpdir(), 'vai-tests-'));
  try {
    const list = join(scratch, 'failed');
    const reporter = pathToFileURL(join(root, 'scripts', 'failed-files.js')).href;
    const status = run(
      [
        '--test-concurrency=2',
        `--test-reporter=${reporter}`,
        `--test-reporter-destination=${list}`,
        ...files,
      ],
      env,
    );
    return status === 0 || !process.env.VAI_TEST_REPEAT ? status : repeat(readFileSync(list, 'utf8'), env);
  } finally {
    rmSync(scratch, { recursive: true, force: true });
  }
}

/**
 * Runs the few files that failed a second time, one after the other. With VAI_TEST_REPEAT, which `.ci/run` sets: one
 * test that a busy machine upset does not refuse a change, and is named so that it gets repaired.
 */
function repeat(list, env) {
  const failed = list.split('\n').filter(Boolean);
  if (failed.length === 0 || failed.length > MAX_REPEATED) return 1;
  const names = failed.map((file) => relative(root, file)).join(', ');
  console.log(`\nFAILED, and run once more by themselves: ${names}\n`);
  const status = run(['--test-concurrency=1', ...failed], env);
  if (status === 0) console.log(`\nFLAKY, passed only the second time, to be repaired: ${names}\n`);
  return status;
}

function run(options, env) {
  const done = spawnSync(node, [...OPTIONS, ...options], {
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
