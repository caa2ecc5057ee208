// npm test: every test on the sources, or those named on the command line. What runs on the package is
// `npm run test:package`.

import { runTests } from './run-tests.js';

const given = process.argv.slice(2);
process.exit(runTests(given.length > 0 ? given : ['test/*.test.ts', 'test/!(e2e)/**/*.test.ts']));
