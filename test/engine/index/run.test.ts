// The index run over a folder and a store in memory: what is read, written, removed, reported, and in which order.

import assert from 'node:assert/strict';
import { basename } from 'node:path';
import { describe, it } from 'node:test';
import { VaiError, type ErrorCode } from '../../../src/domain/errors.ts';
import { localCall, type Progress } from '../../../src/engine/call.ts';
import { folderStamp } from '../../../src/engine/index/origin.ts';
import type { Annotator } from '../../../src/engine/index/types.ts';
import { counts, embedderOf, folderOf, memoryFolder, NOTHING, ROOT } from './memory.ts';

const failure = (code: ErrorCode): VaiError => new VaiError(code, `no: ${code}`);

/** What is told of a run, and a way to stop it after so many files. */
function watched(stopAfter = Infinity) {
  const stop = new AbortController();
  const told: Progress[] = [];
  const progress = (step: Progress): void => {
    told.push(step);
    if (step.done === stopAfter) stop.abort();
  };
  return { told, call: localCall({ signal: stop.signal, progress }) };
}

describe('a run', () => {
  it('reports what it did and what the collection holds after it', async () => {
    const folder = folderOf({ 'a.md': '# A\n\none\n\n# B\n\ntwo\n', 'b.md': 'b\n' });
    folder.notices.set('b.md', ['odd', 'very odd']);
    folder.skipped.push({ reason: 'hidden', count: 1, examples: ['.x'] });
    const before = performance.now();
    const report = await folder.index();
    assert.ok(report.durationMs <= Math.round(performance.now() - before));
    assert.deepEqual(counts(report), { ...NOTHING, added: 2 });
    assert.deepEqual([report.run.chunks, report.run.bytes], [3, 19 + 2]);
    assert.deepEqual(report.totals, { documents: 2, chunks: 3, entities: 3, relations: 4, vectors: 0 });
    assert.deepEqual(report.warnings, ['b.md: odd', 'b.md: very odd']);
    assert.deepEqual(report.run.skipped, folder.skipped);
    assert.deepEqual([report.database, report.collection, report.model], ['vai', 'docs', 'none']);
    assert.deepEqual(folder.log, ['lock index:docs', 'replace a.md', 'replace b.md', 'optimize', 'release']);
    const record = folder.collections.get('docs')!;
    assert.deepEqual(
      [record.run, record.embedding, record.updatedAt],
      [undefined, undefined, folder.deps.now().toISOString()],
    );
  });

  it('writes what is new or changed, everything when forced', async () => {
    const folder = folderOf({ 'a.md': 'a\n', 'b.md': 'b\n' });
    await folder.index();
    assert.deepEqual(counts(await folder.index()), { ...NOTHING, unchanged: 2 });
    folder.files.set('b.md', 'B\n');
    folder.files.set('c.md', 'c\n');
    assert.deepEqual(counts(await folder.index()), { ...NOTHING, added: 1, changed: 1, unchanged: 1 });
    assert.deepEqual(counts(await folder.index({ force: true })), { ...NOTHING, changed: 3 });
  });

  it('tells its progress, file by file', async () => {
    const folder = folderOf({ 'a.md': 'a\n', 'b.md': 'b\n' });
    const { told, call } = watched();
    await folder.index({}, {}, call);
    assert.deepEqual(told, [
      { done: 1, total: 2, message: 'a.md' },
      { done: 2, total: 2, message: 'b.md' },
    ]);
  });

  it('is told to others by its lock, or by that of its caller', async () => {
    const folder = folderOf({ 'a.md': 'a\n', 'b.md': 'b\n' });
    const lock = { info: '' };
    await folder.index({}, { lock });
    assert.equal(lock.info, '2 of 2 documents');
    assert.ok(!folder.log.includes('lock index:docs'));
  });

  it('passes on where a file may lie and how large it may be', async () => {
    const folder = folderOf({ 'a.md': 'a\n' });
    await folder.index({ maxBytes: 99 });
    assert.deepEqual(folder.asked, [{ file: 'a.md', options: { root: ROOT, maxBytes: 99 } }]);
    folder.files.set(basename(import.meta.filename), 'single\n');
    await folder.index({ paths: [import.meta.filename] });
    assert.deepEqual(folder.asked[1], { file: basename(import.meta.filename), options: {} });
  });

  it('over a folder states its chunking for the collection; over a file it does not', async () => {
    const chunk = { strategy: 'fixed', size: 100, overlap: 0 } as const;
    const folder = folderOf({ 'a.md': 'a\n' });
    await folder.index({ chunk });
    assert.deepEqual(folder.collections.get('docs')!.chunking, chunk);
    const again = await folder.index({ chunk: { ...chunk, size: 200 } });
    assert.match(again.warnings[0]!, /^From now on files of `docs` are chunked by fixed, 200 characters/);
    const single = folderOf({ [basename(import.meta.filename)]: 'single\n' });
    await single.index({ paths: [import.meta.filename], chunk });
    assert.equal(single.collections.get('docs')!.chunking, undefined);
  });

  it('records where a document comes from', async () => {
    const folder = folderOf({ 'a.md': 'a\n', 'b.md': 'b\n' });
    await folder.index({}, { origin: (path) => (path === 'a.md' ? 'https://docs.example/a' : undefined) });
    assert.deepEqual(
      [folder.info('a.md').origin, folder.info('b.md').origin],
      ['https://docs.example/a', 'b.md'],
    );
    assert.equal(folder.info('a.md').indexedWith!.folder, folderStamp(ROOT));
  });
});

describe('files are read ahead', () => {
  /** How many files had been asked for when each was told as done. */
  async function askedAt(count: number, size: number): Promise<number[]> {
    const folder = memoryFolder();
    for (let at = 0; at < count; at += 1) {
      folder.files.set(`${at}.md`, 'x');
      folder.claimed.set(`${at}.md`, size);
    }
    const seen: number[] = [];
    await folder.index({}, {}, localCall({ progress: () => seen.push(folder.asked.length) }));
    return seen;
  }

  it('up to four million bytes', async () => {
    assert.deepEqual(await askedAt(8, 1_000_000), [5, 6, 7, 8, 8, 8, 8, 8]);
  });

  it('up to five hundred of them', async () => {
    assert.deepEqual((await askedAt(503, 1)).slice(0, 4), [501, 502, 503, 503]);
  });
});

describe('documents are written in groups', () => {
  it('of a million characters', async () => {
    const folder = memoryFolder();
    for (const [at, size] of [500_000, 499_999, 1, 500_000, 499_999].entries())
      folder.files.set(`${at}.md`, 'x'.repeat(size));
    const written: number[] = [];
    const progress = (): unknown =>
      written.push(folder.log.filter((line) => line.startsWith('replace')).length);
    await folder.index({}, {}, localCall({ progress }));
    assert.deepEqual(written, [0, 0, 3, 3, 3]);
    assert.equal(folder.paths().length, 5);
  });

  it('which a bad document does not cost the others', async () => {
    const folder = folderOf({
      'a.md': 'a\n',
      'b.md': 'b\n',
      'bad.md': 'bad\n',
      'c.md': 'c\n',
      'd.md': 'd\n',
    });
    const groups: string[] = [];
    const annotator: Annotator = {
      stamp: { schema: 's' } as Annotator['stamp'],
      annotate(documents) {
        groups.push(documents.map(({ write }) => write.info.path[0]).join(''));
        if (documents.some(({ write }) => write.info.path === 'bad.md'))
          throw failure('PROVIDER_BAD_REQUEST');
        return Promise.resolve();
      },
    };
    const report = await folder.index({}, { annotator });
    assert.deepEqual(groups, ['abbcd', 'ab', 'bcd', 'b', 'cd']);
    assert.deepEqual(counts(report), { ...NOTHING, added: 4, failed: 1 });
    assert.deepEqual(report.failures, [
      {
        ...{ path: 'bad.md', startLine: 1, endLine: 1, stage: 'write' },
        ...{ code: 'PROVIDER_BAD_REQUEST', message: 'no: PROVIDER_BAD_REQUEST' },
      },
    ]);
    groups.length = 0;
    folder.files.delete('bad.md');
    await folder.index({}, { annotator });
    assert.deepEqual(groups, [], 'nothing is annotated where nothing is written');
  });

  it('but an error that every document would meet ends the run', async () => {
    const folder = folderOf({ 'a.md': 'a\n', 'b.md': 'b\n' });
    let asked = 0;
    const annotator: Annotator = {
      stamp: { schema: 's' } as Annotator['stamp'],
      annotate() {
        asked += 1;
        throw failure('PROVIDER_AUTH');
      },
    };
    await assert.rejects(folder.index({}, { annotator }), { code: 'PROVIDER_AUTH' });
    assert.equal(asked, 1);
    assert.equal(folder.collections.size, 0, 'no empty collection is left');
    assert.equal(folder.log.at(-1), 'release');
  });

  it('and one that the store refuses fails alone', async () => {
    const folder = folderOf({ 'a.md': 'a\n', 'b.md': 'b\n', 'c.md': 'c\n' });
    const replace = folder.store.documents.replace.bind(folder.store.documents);
    folder.store.documents.replace = (write) =>
      write.info.path === 'b.md' ? Promise.reject(failure('WRITE_FAILED')) : replace(write);
    const report = await folder.index();
    assert.deepEqual(counts(report), { ...NOTHING, added: 2, failed: 1 });
    assert.deepEqual(
      report.failures.map(({ path, stage, code }) => [path, stage, code]),
      [['b.md', 'write', 'WRITE_FAILED']],
    );
    assert.deepEqual(folder.paths(), ['a.md', 'c.md']);
  });
});

describe('a file that cannot be read', () => {
  it('fails alone and keeps its document', async () => {
    const folder = folderOf({ 'a.md': 'a\n', 'b.md': 'b\n' });
    await folder.index();
    folder.failing.set('a.md', failure('FILE_UNREADABLE'));
    const report = await folder.index({ sync: true });
    assert.deepEqual(counts(report), { ...NOTHING, unchanged: 1, failed: 1 });
    assert.deepEqual(report.failures, [
      {
        ...{ path: 'a.md', startLine: 1, endLine: 1, stage: 'read' },
        ...{ code: 'FILE_UNREADABLE', message: 'no: FILE_UNREADABLE' },
      },
    ]);
    assert.deepEqual(folder.paths(), ['a.md', 'b.md']);
  });

  it('for a reason that concerns all of them ends the run, once', async () => {
    const folder = folderOf({ 'a.md': 'a\n', 'b.md': 'b\n' });
    for (const path of ['a.md', 'b.md']) folder.failing.set(path, failure('STORE_READONLY'));
    await assert.rejects(folder.index(), { code: 'STORE_READONLY' });
    assert.equal(folder.collections.size, 0);
  });
});

describe('a cancelled run', () => {
  it('goes through no further file and writes none', async () => {
    const folder = folderOf({ 'a.md': 'a\n', 'b.md': 'b\n', 'c.md': 'c\n' });
    const { told, call } = watched(1);
    await assert.rejects(folder.index({}, {}, call), { code: 'CANCELLED' });
    assert.equal(told.length, 1);
    assert.deepEqual(folder.paths(), []);
  });

  it('removes no further document', async () => {
    const folder = folderOf({ 'a.md': 'a\n', 'b.md': 'b\n', 'c.md': 'c\n' });
    await folder.index();
    folder.files.delete('a.md');
    folder.files.delete('b.md');
    const stop = new AbortController();
    const remove = folder.store.documents.remove.bind(folder.store.documents);
    folder.store.documents.remove = (...place) => {
      stop.abort();
      return remove(...place);
    };
    await assert.rejects(folder.index({ sync: true }, {}, localCall({ signal: stop.signal })), {
      code: 'CANCELLED',
    });
    assert.deepEqual(folder.paths(), ['b.md', 'c.md']);
  });
});

describe('vectors', () => {
  it('that cannot be made leave the text, and are made by the next run', async () => {
    let away = true;
    const whole = embedderOf();
    const embedder = embedderOf({
      embed(texts, options) {
        options.onWait?.(3);
        return away ? Promise.reject(failure('PROVIDER_UNAVAILABLE')) : whole.embed(texts, options);
      },
    });
    const folder = folderOf({ 'a.md': 'a\n', 'b.md': 'b\n' }, { embedder });
    const { told, call } = watched();
    const first = await folder.index({}, {}, call);
    assert.deepEqual(counts(first), { ...NOTHING, added: 2, partial: 2 });
    assert.deepEqual([first.model, first.totals.vectors, first.failuresTotal], ['test', 0, 2]);
    assert.deepEqual(told.at(-1), { done: 2, total: 2, message: 'waiting 3 s for test' });
    away = false;
    const second = await folder.index();
    assert.deepEqual(counts(second), { ...NOTHING, changed: 2 });
    assert.deepEqual([second.totals.vectors, second.calls.embeddedTexts], [2, 2]);
    assert.deepEqual(counts(await folder.index()), { ...NOTHING, unchanged: 2 });
  });

  it('of the text before are looked up where there was one', async () => {
    const folder = folderOf({ 'a.md': 'a\n' }, { embedder: embedderOf() });
    await folder.index();
    assert.ok(!folder.log.includes('vectors of 1'));
    folder.files.set('a.md', 'A\n');
    await folder.index();
    assert.ok(folder.log.includes('vectors of 1'));
  });
});

describe('a hosted model', () => {
  const hosted = embedderOf({
    hosted: true,
    embed: (texts) =>
      Promise.resolve({
        vectors: texts.map(() => Float32Array.of(1, 0)),
        tokens: 500_000 * texts.length,
        requests: 1,
      }),
  });

  it('costs what it bills, and nothing where no price is known', async () => {
    const priced = await folderOf({ 'a.md': 'a\n', 'b.md': 'b\n' }, { embedder: hosted, price: 3 }).index();
    assert.equal(priced.cost, 3);
    assert.equal((await folderOf({ 'a.md': 'a\n' }, { embedder: hosted }).index()).cost, 0);
    assert.equal((await folderOf({ 'a.md': 'a\n' }, { embedder: embedderOf(), price: 3 }).index()).cost, 0);
  });

  it('is not asked for more than the run may cost', async () => {
    const folder = folderOf({ 'a.md': 'a\n' }, { embedder: hosted, price: 1_000_000 });
    await assert.rejects(folder.index({ maxCost: 0.1 }), { code: 'COST_LIMIT' });
    assert.deepEqual(folder.paths(), []);
  });
});

describe('the end of a run', () => {
  it('keeps the record of the collection, and adds what the caller completes', async () => {
    const folder = folderOf({ 'a.md': 'a\n' });
    await folder.index();
    const record = folder.collections.get('docs')!;
    folder.collections.set('docs', { ...record, title: 'Docs', extra: { kept: 1, replaced: 1 } });
    const seen: unknown[] = [];
    await folder.index(
      {},
      {
        complete(report, target) {
          seen.push([
            report.totals.documents,
            target.collection.name,
            folder.collections.get('docs')!.run?.files,
          ]);
          return Promise.resolve({ description: 'done', extra: { replaced: 2 } });
        },
      },
    );
    const { title, description, extra, run } = folder.collections.get('docs')!;
    assert.deepEqual([title, description, extra, run], ['Docs', 'done', { kept: 1, replaced: 2 }, undefined]);
    assert.deepEqual(seen, [[1, 'docs', 1]], 'until then the run counts as under way');
  });

  it('does not bring back a collection that was removed meanwhile', async () => {
    const folder = folderOf({ 'a.md': 'a\n' });
    await folder.index(
      {},
      { complete: async () => ({ ...(await folder.store.collections.remove('docs'), {}) }) },
    );
    assert.equal(folder.collections.size, 0);
  });

  it('counts nothing in a collection that was removed meanwhile', async () => {
    const folder = folderOf({ 'a.md': 'a\n' });
    folder.store.optimize = async () => void (await folder.store.collections.remove('docs'));
    const { totals } = await folder.index();
    assert.deepEqual([totals.documents, totals.chunks, totals.vectors], [0, 0, 0]);
  });
});
