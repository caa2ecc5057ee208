// A folder and the folders inside it, ingested into one collection: each file is one document, whichever of them was named.

import assert from 'node:assert/strict';
import { mkdirSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import { localCall } from '../../../src/engine/call.ts';
import type { IndexFilesRequest } from '../../../src/engine/index/types.ts';
import { tempEngine, type TempEngine } from '../../support/temp-engine.ts';
import { counts, NOTHING } from './memory.ts';

const call = localCall();
let temp: TempEngine;
let made = 0;

before(async () => {
  temp = await tempEngine();
});
after(() => temp.close());

function project() {
  const collection = `p${(made += 1)}`;
  const root = join(temp.home, collection);
  const put = (path: string, text: string): void => {
    mkdirSync(dirname(join(root, path)), { recursive: true });
    writeFileSync(join(root, path), text);
  };
  put('README.md', '# The project\n');
  put('docs/release.md', '# Releasing\n');
  put('docs/old/plan.md', '# An old plan\n');
  const ingest = (path: string, request: Partial<IndexFilesRequest> = {}) =>
    temp.engine.ingest.files(call, { collection, paths: [join(root, path)], ...request });
  const paths = async () =>
    (await temp.engine.collections.documents(call, { collection, limit: 100 })).documents.map(
      ({ path }) => path,
    );
  return { root, collection, put, ingest, paths };
}

const ALL = ['README.md', 'docs/old/plan.md', 'docs/release.md'];

describe('a folder inside a known one', () => {
  it('is part of it, as are its files', async () => {
    const { ingest, paths, put } = project();
    await ingest('.');
    assert.deepEqual(counts(await ingest('docs')), { ...NOTHING, unchanged: 2 });
    assert.deepEqual(counts(await ingest('docs/release.md')), { ...NOTHING, unchanged: 1 });
    put('docs/release.md', '# Releasing again\n');
    put('docs/new.md', '# New\n');
    assert.deepEqual(counts(await ingest('docs', { sync: true })), {
      ...NOTHING,
      ...{ unchanged: 1, changed: 1, added: 1 },
    });
    assert.deepEqual(await paths(), [...ALL, 'docs/new.md'].sort());
    assert.deepEqual(counts(await ingest('.')), { ...NOTHING, unchanged: 4 });
  });

  it('loses what is gone from it, and nothing else', async () => {
    const { root, ingest, paths } = project();
    await ingest('.');
    rmSync(join(root, 'README.md'));
    rmSync(join(root, 'docs/release.md'));
    const { warnings } = await ingest('docs');
    assert.match(
      warnings.join(),
      /Gone from disk and still found: 1 document, for example docs\/release\.md/,
    );
    assert.equal((await ingest('docs', { sync: true })).run.deleted, 1);
    assert.deepEqual(await paths(), ['README.md', 'docs/old/plan.md']);
  });

  it('is renamed with its file', async () => {
    const { root, ingest, paths } = project();
    await ingest('.');
    renameSync(join(root, 'docs/release.md'), join(root, 'docs/ship.md'));
    assert.deepEqual(counts(await ingest('docs')), { ...NOTHING, unchanged: 1, renamed: 1 });
    assert.deepEqual(await paths(), ['README.md', 'docs/old/plan.md', 'docs/ship.md']);
  });
});

describe('a folder around a known one', () => {
  it('takes over its documents under their new names, edited or not', async () => {
    const { ingest, paths, put } = project();
    await ingest('docs');
    assert.deepEqual(await paths(), ['old/plan.md', 'release.md']);
    put('docs/release.md', '# Edited\n');
    const report = await ingest('.');
    assert.deepEqual([counts(report), report.warnings], [{ ...NOTHING, added: 1, renamed: 2 }, []]);
    assert.deepEqual(await paths(), ALL);
    assert.deepEqual(counts(await ingest('docs/old')), { ...NOTHING, unchanged: 1 });
  });

  it('takes over files that were named one by one, and not the other way round', async () => {
    const { ingest, paths } = project();
    await ingest('docs/release.md');
    await ingest('docs/old');
    assert.deepEqual(await paths(), ['plan.md', 'release.md'], 'one file does not make its folder known');
    assert.deepEqual(counts(await ingest('.')), { ...NOTHING, added: 1, renamed: 2 });
    assert.deepEqual(await paths(), ALL);
  });
});

it('what was ingested by itself is kept by a sync that passes over it, until its file is gone', async () => {
  const { root, ingest, paths, put } = project();
  put('.gitignore', 'build/\ndraft.md\n');
  put('build/report.md', '# The report\n');
  put('build/all/summary.md', '# A summary\n');
  put('draft.md', '# A draft\n');
  for (const path of ['build/report.md', 'build/all', 'draft.md']) await ingest(path);
  assert.deepEqual(counts(await ingest('.', { sync: true })), { ...NOTHING, added: 3 });
  assert.deepEqual(await paths(), [...ALL, 'draft.md', 'report.md', 'summary.md'].sort());
  rmSync(join(root, 'build'), { recursive: true });
  assert.equal((await ingest('.', { sync: true })).run.deleted, 2);
  assert.deepEqual(await paths(), [...ALL, 'draft.md'].sort());
});

it('folders beside each other keep their names when one of them is ingested alone', async () => {
  const { root, ingest, paths, put } = project();
  put('guide/start.md', '# Start\n');
  await ingest('.', { paths: [join(root, 'docs'), join(root, 'guide')] });
  assert.deepEqual(await paths(), ['docs/old/plan.md', 'docs/release.md', 'guide/start.md']);
  assert.deepEqual(counts(await ingest('docs/old')), { ...NOTHING, unchanged: 1 });
  // Given alone it is named without itself, as it always was; nothing is stored twice.
  put('docs/release.md', '# Edited\n');
  assert.deepEqual(counts(await ingest('docs')), { ...NOTHING, renamed: 2 });
  assert.deepEqual(await paths(), ['guide/start.md', 'old/plan.md', 'release.md']);
});
