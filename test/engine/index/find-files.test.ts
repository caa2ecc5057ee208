// Which files the given paths mean: real folders, with made-up contents.

import assert from 'node:assert/strict';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { it } from 'node:test';
import { localCall } from '../../../src/engine/call.ts';
import type { EngineDeps } from '../../../src/engine/deps.ts';
import { findFiles } from '../../../src/engine/index/find-files.ts';
import type { FindRequest } from '../../../src/engine/index/types.ts';
import { tempFolder } from '../../support/temp-folder.ts';

const home = tempFolder('find');
for (const folder of ['x/docs', 'xy/docs', 'z/notes']) mkdirSync(join(home, folder), { recursive: true });
for (const file of ['x/a.md', 'z/a.md', 'z/b.md']) writeFileSync(join(home, file), 'text');

async function found(paths: string[], request: Partial<FindRequest> = {}) {
  const asked: object[] = [];
  const scan = (_root: string, options: object) => {
    asked.push(options);
    const skipped = [{ reason: 'hidden', count: 1, examples: ['.x'] }];
    return Promise.resolve({ files: [{ path: 'sub/p.md', bytes: 9 }], skipped });
  };
  const deps = { files: { scan } } as unknown as EngineDeps;
  const places = paths.map((path) => join(home, path));
  const { signal } = new AbortController();
  const answer = await findFiles(deps, localCall({ signal }), { paths: places, ...request });
  return { ...answer, paths: answer.found.map(({ path }) => path), asked, signal };
}

it('a folder given alone names its files from its own root', async () => {
  const {
    found: files,
    folders,
    skipped,
    asked,
    signal,
  } = await found(['x/docs'], {
    include: ['*.md'],
    exclude: ['b'],
    maxBytes: 5,
  });
  const root = join(home, 'x/docs');
  assert.deepEqual(files, [{ file: join(root, 'sub/p.md'), path: 'sub/p.md', bytes: 9, root }]);
  assert.deepEqual(folders, [{ root, prefix: '' }]);
  assert.deepEqual(skipped, [{ reason: 'hidden', count: 1, examples: ['.x'] }]);
  assert.deepEqual(asked, [{ include: ['*.md'], exclude: ['b'], maxBytes: 5, signal }]);
});

it('a file is found by its own name, and belongs to no folder', async () => {
  const { found: files, folders } = await found(['x/a.md']);
  assert.deepEqual(files, [{ file: join(home, 'x/a.md'), path: 'a.md', bytes: 4 }]);
  assert.deepEqual(folders, []);
});

it('of several places each name begins with that of its place, given twice or once', async () => {
  assert.deepEqual((await found(['x/docs', 'z/notes', 'z/b.md', 'x/docs'])).paths, [
    'docs/sub/p.md',
    'notes/sub/p.md',
    'b.md',
  ]);
});

it('places of the same name are told apart by the way to them', async () => {
  assert.deepEqual((await found(['x/a.md', 'z/a.md'])).paths, ['x/a.md', 'z/a.md']);
  const { paths, folders } = await found(['x/docs', 'xy/docs']);
  assert.deepEqual(paths, ['x/docs/sub/p.md', 'xy/docs/sub/p.md']);
  assert.deepEqual(
    folders.map(({ prefix }) => prefix),
    ['x/docs/', 'xy/docs/'],
  );
});

it('a path that is not there is named as it was given', async () => {
  await assert.rejects(findFiles({} as EngineDeps, localCall(), { paths: ['no/such.md'] }), {
    code: 'FILE_UNREADABLE',
    message: '`no/such.md` does not exist.',
  });
});
