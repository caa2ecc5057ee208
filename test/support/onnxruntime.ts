// The runtime of models on this machine, where it is installed: beside vai, or in the folder that `.ci/run` fills. It is
// no dependency, not even of development: 290 MB for one test (docs/decisions/dependencies.md).

import { createRequire } from 'node:module';
import { join } from 'node:path';
import { RUNTIME } from '../../src/models/local/index.ts';
import type { OnnxRuntime } from '../../src/models/local/runtime.ts';

const OPTIONAL = join(import.meta.dirname, '../../.work/optional/package.json');

function locate(): string | undefined {
  for (const from of [import.meta.filename, OPTIONAL]) {
    try {
      return createRequire(from).resolve(RUNTIME);
    } catch {
      continue;
    }
  }
  return undefined;
}

/** The file that `require` would load. */
export const RUNTIME_PLACE = locate();

/** Why tests of the package are skipped, or false. */
export const WITHOUT_RUNTIME: string | false = RUNTIME_PLACE
  ? false
  : `${RUNTIME} is not installed (.ci/run installs it into .work/optional)`;

export const loadRuntime = async (): Promise<OnnxRuntime> =>
  createRequire(import.meta.url)(RUNTIME_PLACE!) as OnnxRuntime;
