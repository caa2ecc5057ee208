// A folder that belongs to a test, or to a whole test file when it is made outside of one, and goes with it.

import { mkdtempSync, realpathSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after } from 'node:test';

export function tempFolder(name: string): string {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), `vai-${name}-`)));
  after(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
}
