// Two things in the bundle that nobody uses and every start would pay for: the SDK's JSON Schema checker (we validate
// with zod and hand the SDK our own) and zod's messages in forty languages, which come along with `import { z }`.

import { readFileSync } from 'node:fs';

/** Packages on the way to the first answer: inside the bundle they load in half the time. */
export const BUNDLED = ['@modelcontextprotocol/server', 'zod', 'commander'];

const SHIMS = `
import process from 'node:process';
class DefaultJsonSchemaValidator {
  getValidator() {
    throw new Error('no JSON Schema checker in this bundle');
  }
}
export { process, DefaultJsonSchemaValidator };
`;

/** @type {import('esbuild').Plugin} */
export const lean = {
  name: 'lean',
  setup(build) {
    build.onResolve({ filter: /^@modelcontextprotocol\/server\/_shims$/ }, () => ({
      path: 'shims',
      namespace: 'lean',
    }));
    build.onLoad({ filter: /^shims$/, namespace: 'lean' }, () => ({ contents: SHIMS, loader: 'js' }));
    build.onLoad({ filter: /[\\/]src[\\/].*\.ts$/ }, ({ path }) => ({
      contents: readFileSync(path, 'utf8').replace(/^import \{ z \} from 'zod'/m, "import * as z from 'zod'"),
      loader: 'ts',
    }));
  },
};
