// npm run test:package: the end-to-end tests on the packed and installed package, or those named on the command line.
// `--node PATH` runs the package on another Node than this one.

import { runPackageTests } from './run-tests.js';

const given = process.argv.slice(2);
const at = given.indexOf('--node');
const env = at === -1 ? {} : { VAI_TEST_NODE: given.splice(at, 2)[1] };
process.exit(await runPackageTests(given.length > 0 ? given : ['test/e2e/**/*.test.ts'], env));
