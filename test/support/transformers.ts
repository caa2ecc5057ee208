// The package of local embeddings, where this machine has it: installed beside vai, or in the folder that `.ci/run`
// fills. It is no dependency, not even of development: 470 MB for one test (docs/decisions/dependencies.md).

import { createRequire } from 'node:module';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { LOCAL_PACKAGE } from '../../src/models/local/index.ts';
import type { TransformersModule } from '../../src/models/local/provider.ts';

const OPTIONAL = join(import.meta.dirname, '../../.work/optional/package.json');

function locate(): string | undefined {
  for (const from of [import.meta.filename, OPTIONAL]) {
    try {
      // What `require` would load has the module that `import` loads beside it.
      const entry = createRequire(from).resolve(LOCAL_PACKAGE);
      return pathToFileURL(entry.replace(/\.cjs$/, '.mjs')).href;
    } catch {
      continue;
    }
  }
  return undefined;
}

const place = locate();

/** Why tests of the package are skipped, or false. */
export const WITHOUT_TRANSFORMERS: string | false = place
  ? false
  : `${LOCAL_PACKAGE} is not installed (.ci/run installs it into .work/optional)`;

export async function loadTransformers(): Promise<TransformersModule> {
  return (await import(place!)) as TransformersModule;
}
