// Real documentation to measure on: unpacked once into a temporary folder that the caller removes.

import { spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gunzipSync } from 'node:zlib';

export interface Workspace {
  folder: string;
  remove(): void;
}

export function workspace(name: string): Workspace {
  const folder = mkdtempSync(join(tmpdir(), `vai-${name}-`));
  return { folder, remove: () => rmSync(folder, { recursive: true, force: true }) };
}

/** Unpacks the named documentation sets side by side; returns the folder that holds them. */
export function unpackDocs(data: string, names: readonly string[], into: string): string {
  for (const name of names) {
    const folder = join(into, name);
    mkdirSync(folder, { recursive: true });
    const done = spawnSync('tar', ['-xzf', join(data, 'docs', `${name}.tar.gz`), '-C', folder]);
    if (done.status !== 0) throw new Error(`cannot unpack ${name}: ${String(done.stderr)}`);
  }
  return into;
}

export function writeNodeLlms(data: string, into: string): string {
  const file = join(into, 'node-llms-full.md');
  writeFileSync(file, gunzipSync(readFileSync(join(data, 'docs', 'node-llms-full.txt.gz'))));
  return file;
}

export function markdownFiles(folder: string): { path: string; text: string }[] {
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && /\.mdx?$/.test(entry.name))
    .map((entry) => join(entry.parentPath, entry.name))
    .sort()
    .map((path) => ({ path, text: readFileSync(path, 'utf8') }));
}
