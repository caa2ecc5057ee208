import assert from 'node:assert/strict';
import { mkdirSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { VaiError, type ErrorCode } from '../../../src/domain/errors.ts';
import { call, using } from '../../support/graph-folder.ts';

const failsWith = (code: ErrorCode) => (error: unknown) => error instanceof VaiError && error.code === code;

test('a folder called like a collection of the user does not replace it', () =>
  using(async (folder) => {
    folder.write('a.md', 'A page of the project.\n');
    const engine = await folder.open();
    await engine.ingest.text(call, { text: 'What the user keeps.', source: 'note', collection: 'docs' });
    await assert.rejects(engine.graph.index(call, {}), failsWith('SOURCE_EXISTS'));
    const { documents } = await engine.collections.documents(call, { collection: 'docs', limit: 10 });
    assert.deepEqual(
      documents.map(({ path }) => path),
      ['note'],
    );
  }));

test('a collection belongs to the folder it was made from, until that is gone', () =>
  using(async (folder) => {
    folder.write('a.md', 'A page.\n');
    const other = join(folder.root, 'other');
    mkdirSync(other);
    writeFileSync(join(other, 'b.md'), 'Another page.\n');
    await (await folder.open()).graph.index(call, {});
    const elsewhere = await folder.open({ graph: { docs: other } });
    await assert.rejects(elsewhere.graph.index(call, {}), failsWith('SOURCE_EXISTS'));
    rmSync(folder.docs, { recursive: true });
    assert.equal((await elsewhere.graph.index(call, {})).totals.documents, 1);
  }));

test('a link that leads out of an untrusted project is noticed when the folder is read', () =>
  using(async (folder) => {
    const project = join(folder.root, 'project');
    const outside = join(folder.root, 'outside');
    mkdirSync(join(project, 'guide'), { recursive: true });
    mkdirSync(outside);
    writeFileSync(join(outside, 'diary.md'), 'Private.\n');
    const engine = await folder.open({ graph: { docs: join(project, 'guide'), within: project } });
    rmSync(join(project, 'guide'), { recursive: true });
    symlinkSync(outside, join(project, 'guide'));
    await assert.rejects(engine.graph.index(call, {}), failsWith('NOT_ALLOWED'));
  }));
