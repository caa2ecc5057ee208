// How the product is bundled: what ships and what a benchmark measures are made alike.

import { build } from 'esbuild';
import { cpSync, existsSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { packGrammars } from './grammars.js';

const root = join(dirname(fileURLToPath(import.meta.url)), '..');
const pkg = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));
/** What is heavy and rarely used stays outside the bundle and loads from node_modules when it is first needed. */
const external = [...Object.keys(pkg.dependencies), ...Object.keys(pkg.peerDependencies)];

/** Modules that are started by file name get an entry of their own. */
const WORKERS = {
  'write-worker': 'src/stores/sqlite/writer/worker.ts',
  'text-worker': 'src/worker/program.ts',
  'vector-worker': 'src/stores/sqlite/vectors/worker.ts',
};
/** Files looked up beside the module that reads them. */
const ASSETS = ['src/models/builtin/weights.bin'];

/** @satisfies {import('esbuild').BuildOptions} */
export const SETTINGS = {
  absWorkingDir: root,
  bundle: true,
  // Names stay as they are written: restoring shortened ones costs a call for every function that is made.
  minifyWhitespace: true,
  minifySyntax: true,
  format: 'esm',
  platform: 'node',
  target: 'node22.16',
  legalComments: 'none',
  banner: {
    js: "import { createRequire as __cr } from 'node:module'; const require = __cr(import.meta.url);",
  },
};

/** @param {Record<string, string>} entries @param {string} outdir */
export async function bundle(entries, outdir) {
  const result = await build({
    ...SETTINGS,
    entryPoints: { ...entries, ...WORKERS },
    outdir,
    splitting: true,
    external,
    // Its main file requires its parts by name at run time, which a bundle cannot follow.
    alias: { 'jsonc-parser': 'jsonc-parser/lib/esm/main.js' },
    chunkNames: '[name]-[hash]',
    metafile: true,
    logLevel: 'warning',
  });
  refuseLostNames(result.metafile.inputs);
  for (const asset of ASSETS)
    if (existsSync(join(root, asset))) cpSync(join(root, asset), join(outdir, asset.split('/').at(-1)));
  packGrammars(outdir);
  return result.metafile;
}

/**
 * Node finds the names of a CommonJS module that is imported dynamically; a bundle gives it `default` and nothing else.
 * The sources would work and the package would not, so such an import does not build.
 */
function refuseLostNames(inputs) {
  for (const [importer, { imports }] of Object.entries(inputs))
    for (const { path, kind } of imports)
      if (kind === 'dynamic-import' && inputs[path]?.format === 'cjs')
        throw new Error(
          `${importer} imports ${path} dynamically, which is CommonJS: its names would be lost in the bundle. ` +
            'Import it by name in a module of ours, and that module dynamically.',
        );
}
