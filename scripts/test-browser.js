// npm run test:browser: the page in Chromium, served by the package. Without Chromium nothing is tested, and that is
// said loudly.

import { runPackageTests } from './run-tests.js';

const given = process.argv.slice(2);
process.exit(await runPackageTests(given.length > 0 ? given : ['test/web/**/*.browser.ts']));
