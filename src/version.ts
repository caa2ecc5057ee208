// The version, from package.json: never a literal in code.

import pkg from '../package.json' with { type: 'json' };

export const VERSION: string = pkg.version;
