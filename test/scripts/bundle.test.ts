import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import { pathToFileURL } from 'node:url';
import { bundle } from '../../scripts/bundle.js';
import { tempFolder } from '../support/temp-folder.ts';

const folder = tempFolder('bundle');

const write = (name: string, text: string): string => {
  const file = join(folder, name);
  writeFileSync(file, text);
  return file;
};

describe('the bundle', () => {
  write('library.cjs', 'for (const name of ["answer"]) exports[name] = 42;\n');

  it('does not build where a CommonJS module would lose its names', async () => {
    const entry = write('direct.ts', "export const found = (await import('./library.cjs')).answer;\n");
    await assert.rejects(bundle({ direct: entry }, join(folder, 'out')), /library\.cjs dynamically/);
  });

  it('keeps the names where a module of ours imports them', async () => {
    write('ours.ts', "export { answer } from './library.cjs';\n");
    const entry = write('through.ts', "export const found = (await import('./ours.ts')).answer;\n");
    await bundle({ through: entry }, join(folder, 'out'));
    const built = (await import(pathToFileURL(join(folder, 'out/through.js')).href)) as { found: number };
    assert.equal(built.found, 42);
  });
});
