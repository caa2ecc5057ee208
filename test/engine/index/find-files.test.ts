// Which files the given paths mean: real folders, with made-up contents.

import assert from 'node:assert/strict';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { it } from 'node:test';
import type { IngestedFolder } from '../../../src/domain/collection.ts';
import { localCall } from '../../../src/engine/call.ts';
import type { EngineDeps } from '../../../src/engine/deps.ts';
import { findFiles } from '../../../src/engine/index/find-files.ts';
import type { FindRequest } from '../../../src/engine/index/types.ts';
import { tempFolder } from '../../support/temp-folder.ts';

const home = tempFolder('find');
for (const folder of ['x/docs', 'xy/docs', 'z/notes']) mkdirSync(join(home, folder), { recursive: true });
for (const file of ['x/a.md', 'z/a.md', 'z/b.md']) writeFileSync(join(home, file), 'text');

async function found(paths: string[], request: Partial<FindRequest> = {}, ingested: IngestedFolder[] = []) {
  const asked: object[] = [];
  const scan = (_root: string, options: object) => {
    asked.push(options);
    const skipped = [{ reason: 'hidden', count: 1, examples: ['.x'] }];
    return Promise.resolve({ files: [{ path: 'sub/p.md', bytes: 9 }], skipped });
  };
  const deps = { files: { scan } } as unknown as EngineDeps;
  const places = paths.map((path) => join(home, path));
  const { signal } = new AbortController();
  const answer = await findFiles(deps, localCall({ signal }), { paths: places, ...request }, ingested);
  return { ...answer, paths: answer.found.map(({ path }) => path), asked, signal };
}

it('a folder given alone names its files from its own root', async () => {
  const {
    found: files,
    folders,
    homes,
    skipped,
    asked,
    signal,
  } = await found(['x/docs'], {
    include: ['*.md'],
    exclude: ['b'],
    maxBytes: 5,
  });
  const root = join(home, 'x/docs');
  assert.deepEqual(files, [{ file: join(root, 'sub/p.md'), path: 'sub/p.md', bytes: 9, root, home: root }]);
  assert.deepEqual(folders, [{ root, prefix: '', home: root }]);
  assert.deepEqual(homes, [{ root, prefix: '' }]);
  assert.deepEqual(skipped, [{ reason: 'hidden', count: 1, examples: ['.x'] }]);
  assert.deepEqual(asked, [{ include: ['*.md'], exclude: ['b'], maxBytes: 5, signal }]);
});

it('a file is found by its own name, and stands for no whole folder', async () => {
  const { found: files, folders, homes } = await found(['x/a.md']);
  const root = join(home, 'x');
  assert.deepEqual(files, [{ file: join(root, 'a.md'), path: 'a.md', bytes: 4, home: root }]);
  assert.deepEqual(folders, []);
  assert.deepEqual(homes, [{ root, prefix: '', some: true }]);
  const two = await found(['x/a.md', 'z/a.md']);
  assert.deepEqual(
    two.homes.map(({ prefix }) => prefix),
    ['x/', 'z/'],
  );
});

it('what lies inside a folder ingested before has the name it has there', async () => {
  const around = { root: home, prefix: 'all/' };
  const inner = { root: join(home, 'x'), prefix: '' };
  const folder = await found(['x/docs', 'z/a.md'], {}, [inner, around]);
  assert.deepEqual(folder.paths, ['all/x/docs/sub/p.md', 'all/z/a.md']);
  assert.deepEqual(folder.folders, [{ root: join(home, 'x/docs'), prefix: 'all/x/docs/', home }]);
  assert.deepEqual(folder.homes, [around]);
  // The folder itself, another that only begins like it, one of which single files are known.
  assert.deepEqual((await found(['x'], {}, [inner])).paths, ['sub/p.md']);
  assert.deepEqual((await found(['xy/docs'], {}, [inner])).paths, ['sub/p.md']);
  assert.deepEqual((await found(['x/docs'], {}, [{ ...inner, some: true }])).paths, ['sub/p.md']);
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

it('what belongs to a project is named by its path from there, alone or beside others', async () => {
  const named = async (paths: string[]) => (await found(paths, { base: home })).paths;
  assert.deepEqual(await named(['x/docs']), ['x/docs/sub/p.md']);
  assert.deepEqual(await named(['x/docs', 'z/a.md']), ['x/docs/sub/p.md', 'z/a.md']);
  const { folders, homes } = await found(['.', 'z/a.md'], { base: home });
  assert.deepEqual(folders, [{ root: home, prefix: '', home }]);
  assert.deepEqual(homes[1], { root: join(home, 'z'), prefix: 'z/', some: true });
});

it('a path that is not there is named as it was given', async () => {
  await assert.rejects(findFiles({} as EngineDeps, localCall(), { paths: ['no/such.md'] }), {
    code: 'FILE_UNREADABLE',
    message: '`no/such.md` does not exist.',
  });
});
