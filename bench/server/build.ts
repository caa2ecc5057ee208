// The servers to be measured: ours as it ships, the bare ones bundled with the same settings.

import { spawnSync } from 'node:child_process';
import { symlink } from 'node:fs/promises';
import { join } from 'node:path';
import { build } from 'esbuild';
import { SETTINGS } from '../../scripts/bundle.js';

const ROOT = join(import.meta.dirname, '../..');

export interface Built {
  vai: string;
  blz: string;
  flowrag: string;
  bareStdio: string;
  bareHttp: string;
}

export async function buildServers(folder: string): Promise<Built> {
  const done = spawnSync(process.execPath, [join(ROOT, 'scripts/build.js')], {
    cwd: ROOT,
    stdio: ['ignore', 2, 2],
  });
  if (done.status !== 0) throw new Error('the build failed');
  await build({
    ...SETTINGS,
    entryPoints: ['bench/server/bare-stdio.ts', 'bench/server/bare-http.ts'],
    outdir: join(folder, 'bare'),
    outExtension: { '.js': '.mjs' },
  });
  await symlink(join(ROOT, 'node_modules'), join(folder, 'node_modules'));
  return {
    vai: join(ROOT, 'dist/vai.js'),
    blz: join(ROOT, 'dist/blz.js'),
    flowrag: join(ROOT, 'dist/flowrag-mcp.js'),
    bareStdio: join(folder, 'bare/bare-stdio.mjs'),
    bareHttp: join(folder, 'bare/bare-http.mjs'),
  };
}
