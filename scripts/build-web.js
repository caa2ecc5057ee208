// Builds dist/web/: the page of the HTTP server. Run by itself (`node scripts/build-web.js`) it builds the page alone.

import { build } from 'esbuild';
import { cpSync, mkdirSync, rmSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = join(dirname(fileURLToPath(import.meta.url)), '..');
const page = join(root, 'src/web');

/** Plots and the graph picture are chunks of their own, fetched when their view is first opened. */
export async function buildWeb(out = join(root, 'dist/web')) {
  rmSync(out, { recursive: true, force: true });
  mkdirSync(out, { recursive: true });
  const { metafile } = await build({
    absWorkingDir: root,
    entryPoints: { main: join(page, 'main.ts'), style: join(page, 'main.css') },
    entryNames: '[name]',
    outdir: out,
    bundle: true,
    splitting: true,
    minify: true,
    format: 'esm',
    platform: 'browser',
    target: ['es2022', 'chrome123', 'firefox120', 'safari17.5'],
    chunkNames: '[name]-[hash]',
    legalComments: 'none',
    metafile: true,
    logLevel: 'warning',
  });
  for (const file of ['index.html', 'icon.svg']) cpSync(join(page, file), join(out, file));
  return metafile;
}

if (process.argv[1] === fileURLToPath(import.meta.url)) await buildWeb();
