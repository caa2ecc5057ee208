// Builds dist/: the three commands as bundled modules that share their chunks, beside the files they read at run time.
// What is heavy and rarely used stays outside the bundle and loads from node_modules when it is first needed.

import { build } from 'esbuild';
import { cpSync, existsSync, mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { buildWeb } from './build-web.js';
import { BUNDLED, lean } from './lean.js';

const root = join(dirname(fileURLToPath(import.meta.url)), '..');
const finished = join(root, 'dist');
const out = join(root, `.dist-${process.pid}`);
const pkg = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));
const external = [...Object.keys(pkg.dependencies ?? {}), ...Object.keys(pkg.peerDependencies ?? {})].filter(
  (name) => !BUNDLED.includes(name),
);

/** Modules that are started by file name (workers) get an entry of their own. */
const entries = {
  vai: 'src/cli/bin/vai.ts',
  blz: 'src/cli/bin/blz.ts',
  'flowrag-mcp': 'src/cli/bin/flowrag-mcp.ts',
  'vector-worker': 'src/stores/sqlite/vectors/worker.ts',
  'prepare-worker': 'src/engine/ingest/thread/worker.ts',
};
/** Files looked up beside the module that reads them. */
const assets = ['src/models/builtin/weights.bin'];

mkdirSync(out, { recursive: true });
const result = await build({
  absWorkingDir: root,
  entryPoints: Object.fromEntries(Object.entries(entries).filter(([, file]) => existsSync(join(root, file)))),
  outdir: out,
  bundle: true,
  splitting: true,
  minify: true,
  keepNames: true,
  format: 'esm',
  platform: 'node',
  target: 'node22.16',
  external,
  plugins: [lean],
  // Its main file requires its parts by name at run time, which a bundle cannot follow.
  alias: { 'jsonc-parser': 'jsonc-parser/lib/esm/main.js' },
  chunkNames: '[name]-[hash]',
  legalComments: 'none',
  metafile: true,
  logLevel: 'warning',
  banner: {
    js: "import { createRequire as __cr } from 'node:module'; const require = __cr(import.meta.url);",
  },
});
for (const asset of assets)
  if (existsSync(join(root, asset))) cpSync(join(root, asset), join(out, asset.split('/').at(-1)));
const web = await buildWeb(join(out, 'web'));
writeFileSync(
  join(out, 'THIRD-PARTY-LICENSES.txt'),
  licences({ inputs: { ...result.metafile.inputs, ...web.inputs } }),
);
// The finished build takes the old one's place in one step: a command that starts meanwhile finds one or the other.
const old = `${out}-old`;
if (existsSync(finished)) renameSync(finished, old);
renameSync(out, finished);
rmSync(old, { recursive: true, force: true });

/** The licence texts of every package that was bundled. */
function licences(metafile) {
  const names = new Set();
  for (const input of Object.keys(metafile.inputs)) {
    const match = /node_modules\/((?:@[^/]+\/)?[^/]+)\//.exec(input);
    if (match) names.add(match[1]);
  }
  const parts = ['This package contains code of the following packages.\n'];
  for (const name of [...names].sort()) {
    const folder = join(root, 'node_modules', name);
    const info = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'));
    const file = ['LICENSE', 'LICENSE.md', 'LICENSE.txt', 'license', 'LICENCE'].find((f) =>
      existsSync(join(folder, f)),
    );
    const text = file ? readFileSync(join(folder, file), 'utf8').trim() : `Licence: ${info.license}`;
    parts.push(`--- ${name} ${info.version} (${info.license}) ---\n${text}\n`);
  }
  return parts.join('\n');
}
