// Folders for tests. They go when the process that made them ends, so whatever closes before that finds them there.

import { mkdtempSync, realpathSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

const folders: string[] = [];

process.once('exit', () => {
  // What a test has started may need a moment to end.
  for (const folder of folders) rmSync(folder, { recursive: true, force: true, maxRetries: 5 });
});

export function tempFolder(name: string): string {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), `vai-${name}-`)));
  folders.push(folder);
  return folder;
}
