// An index run over a folder that changed, in memory: files that are gone, have another name, or stand where a document of
// another folder was.

import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { counts, folderOf, NOTHING, type Folder } from './memory.ts';

describe('what is gone from the folder', () => {
  it('is removed by a sync, and by nothing else', async () => {
    const folder = folderOf({ 'a.md': 'a\n', 'b.md': 'b\n', 'c.md': 'c\n' });
    await folder.index();
    folder.files.delete('a.md');
    folder.files.delete('b.md');
    const report = await folder.index();
    assert.deepEqual(counts(report), { ...NOTHING, unchanged: 1 });
    assert.deepEqual(report.warnings, [
      'Gone from disk and still found: 2 documents, for example a.md. Ingest with --sync to remove what is gone.',
    ]);
    assert.deepEqual(folder.paths(), ['a.md', 'b.md', 'c.md']);
    assert.deepEqual(counts(await folder.index({ sync: true })), { ...NOTHING, unchanged: 1, deleted: 2 });
    assert.deepEqual((await folder.index()).warnings, []);
    assert.deepEqual(folder.paths(), ['c.md']);
  });

  it('is counted when it was there', async () => {
    const folder = folderOf({ 'a.md': 'a\n', 'b.md': 'b\n' });
    await folder.index();
    folder.files.delete('a.md');
    folder.store.documents.remove = () => Promise.resolve(false);
    assert.equal((await folder.index({ sync: true })).run.deleted, 0);
  });

  it('stays where part of the folder could not be read', async () => {
    for (const reason of ['unreadable', 'beyond 100,000 files']) {
      const folder = folderOf({ 'a.md': 'a\n', 'b.md': 'b\n' });
      await folder.index();
      folder.files.delete('a.md');
      folder.skipped.push({ reason: 'hidden', count: 1, examples: [] }, { reason, count: 1, examples: [] });
      const report = await folder.index({ sync: true });
      assert.deepEqual([report.run.deleted, folder.paths()], [0, ['a.md', 'b.md']]);
      assert.deepEqual(report.warnings, [
        'Nothing was removed, because part of the folder could not be read.',
      ]);
    }
    const folder = folderOf({ 'a.md': 'a\n', 'b.md': 'b\n' });
    await folder.index();
    folder.files.delete('a.md');
    folder.skipped.push({ reason: 'hidden', count: 1, examples: [] });
    assert.equal((await folder.index({ sync: true })).run.deleted, 1);
  });

  it('is not removed with everything else, unless that is meant', async () => {
    const emptied = async () => {
      const folder = folderOf({ 'a.md': 'a\n' });
      await folder.index();
      folder.files.clear();
      return folder;
    };
    await assert.rejects((await emptied()).index({ sync: true }), {
      code: 'DOCS_EMPTY',
      message: 'The folder contains no readable file, but 1 document of it is indexed.',
    });
    assert.equal((await (await emptied()).index({ sync: true, force: true })).run.deleted, 1);
    const keep = new Set(['other.md']);
    assert.equal((await (await emptied()).index({ sync: true }, { keep })).run.deleted, 1);
    await assert.rejects((await emptied()).index({ sync: true }, { keep: new Set() }), {
      code: 'DOCS_EMPTY',
    });
    assert.deepEqual(counts(await (await emptied()).index()), NOTHING);
    await assert.rejects(folderOf({}).index({ sync: true }), { code: 'DOCS_EMPTY' });
    const complete = () => Promise.resolve({});
    assert.deepEqual(counts(await folderOf({}).index({ sync: true }, { complete })), NOTHING);
  });
});

describe('a file under a new name', () => {
  it('is the document it was', async () => {
    const folder = folderOf({ 'old.md': 'same\n' });
    await folder.index();
    folder.files.clear();
    folder.files.set('new.md', 'same\n');
    folder.log.length = 0;
    assert.deepEqual(counts(await folder.index({ sync: true })), { ...NOTHING, renamed: 1 });
    assert.ok(folder.log.includes('move old.md new.md'));
    assert.deepEqual(folder.paths(), ['new.md']);
    assert.deepEqual(counts(await folder.index({ sync: true })), { ...NOTHING, unchanged: 1 });
  });

  it('also with another ending or other letters, is called by its new name', async () => {
    const folder = folderOf({ 'notes.txt': 'same\n', 'queue.py': 'def pop(): pass\n' });
    await folder.index();
    assert.deepEqual(
      [folder.info('notes.txt').title, folder.info('queue.py').title],
      ['notes.txt', 'queue.py'],
    );
    folder.files.clear();
    folder.files.set('notes.md', 'same\n');
    folder.files.set('Queue.py', 'def pop(): pass\n');
    assert.deepEqual(counts(await folder.index({ sync: true })), { ...NOTHING, renamed: 2 });
    for (const name of ['notes.md', 'Queue.py']) {
      const { title, origin } = folder.info(name);
      assert.deepEqual([title, origin], [name, name]);
    }
  });

  it('is that once, however many copies there are', async () => {
    const folder = folderOf({ 'old.md': 'same\n' });
    await folder.index();
    folder.files.clear();
    folder.files.set('copy.md', 'same\n');
    folder.files.set('new.md', 'same\n');
    assert.deepEqual(counts(await folder.index()), { ...NOTHING, renamed: 1, added: 1 });
    assert.deepEqual(folder.paths(), ['copy.md', 'new.md']);
  });

  it('and with some edits is the document it was, if most lines are the same', async () => {
    const lines = ['# Guide', 'First do this.', 'Then do that.', 'Last of all, rest.'];
    const folder = folderOf({ 'old.md': lines.join('\n'), 'kept.md': 'Something else.\nOf two lines.\n' });
    await folder.index();
    folder.files.delete('old.md');
    folder.files.set('new.md', ['# The guide', ...lines.slice(1)].join('\n'));
    folder.files.set('other.md', ['# Other', lines[1], 'Then something else.', 'And more.'].join('\n'));
    assert.deepEqual(counts(await folder.index({ sync: true })), {
      ...NOTHING,
      ...{ added: 1, renamed: 1, unchanged: 1 },
    });
    assert.ok(folder.log.includes('move old.md new.md'));
    assert.deepEqual(folder.paths(), ['kept.md', 'new.md', 'other.md']);
    assert.equal(folder.info('new.md').title, 'The guide');
  });

  it('that is indexed anew as well is counted once', async () => {
    const folder = folderOf({ 'old.md': 'same\n' });
    await folder.index();
    folder.files.clear();
    folder.files.set('new.md', 'same\n');
    assert.deepEqual(counts(await folder.index({ force: true })), { ...NOTHING, renamed: 1 });
  });
});

describe('a document of another folder', () => {
  const warned = async (
    change: (folder: Folder) => void,
    request: object = {},
    options: object = {},
  ): Promise<string[]> => {
    const folder = folderOf({ 'a.md': 'a\n', 'b.md': 'b\n' });
    await folder.index();
    change(folder);
    folder.files.set('a.md', 'A\n');
    folder.files.set('b.md', 'B\n');
    return (await folder.index(request, options)).warnings;
  };
  const elsewhere = (folder: Folder): void => {
    for (const path of ['a.md', 'b.md']) folder.info(path).indexedWith!.folder = 'elsewhere';
  };

  it('that a file takes the place of is told', async () => {
    assert.deepEqual(await warned(elsewhere), [
      '2 documents of another folder had the same path and were replaced, for example a.md. To keep both, ingest the folders in one call, or each into a collection of its own.',
    ]);
  });

  it('is not one of this folder, of no folder, or of a folder that owns the collection', async () => {
    assert.deepEqual(await warned(() => undefined), []);
    assert.deepEqual(
      await warned((folder) => {
        for (const path of ['a.md', 'b.md']) delete folder.info(path).indexedWith!.folder;
      }),
      [],
    );
    assert.deepEqual(await warned(elsewhere, {}, { owned: true }), []);
  });

  it('is told when it is the only one', async () => {
    const [warning] = await warned((folder) => {
      folder.info('b.md').indexedWith!.folder = 'elsewhere';
    });
    assert.match(warning!, /^1 document of another folder .* was replaced, for example b\.md\./);
  });

  it('with the same bytes loses nothing', async () => {
    const folder = folderOf({ 'a.md': 'a\n' });
    await folder.index();
    folder.info('a.md').indexedWith!.folder = 'elsewhere';
    const report = await folder.index({ force: true });
    assert.deepEqual([report.run.changed, report.warnings], [1, []]);
  });
});
