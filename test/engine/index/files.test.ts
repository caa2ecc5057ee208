// Ingest of files and folders: what is read again, what is removed, and that a failing provider loses no text.

import assert from 'node:assert/strict';
import { mkdirSync, mkdtempSync, rmSync, symlinkSync, unlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import { composeParts } from '../../../src/compose.ts';
import { resolveSettings } from '../../../src/config/index.ts';
import { VaiError } from '../../../src/domain/errors.ts';
import { localCall } from '../../../src/engine/call.ts';
import { createEngine, type Engine } from '../../../src/engine/engine.ts';
import type { IngestFilesRequest, IngestFilesResult } from '../../../src/engine/index/types.ts';

const call = localCall();
let home: string;
let engine: Engine;
/** What the provider answers with instead of vectors, while it is set. */
let outage: VaiError | undefined;

function put(path: string, text: string): string {
  const file = join(home, 'files', path);
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, text);
  return file;
}

const at = (path: string): string => join(home, 'files', path);

function ingest(collection: string, request: Partial<IngestFilesRequest>): Promise<IngestFilesResult> {
  return engine.ingest.files(call, { paths: [], collection, ...request });
}

async function paths(collection: string): Promise<string[]> {
  const { documents } = await engine.collections.documents(call, { collection, limit: 50 });
  return documents.map(({ path }) => path);
}

const counts = ({ added, changed, unchanged, removed }: IngestFilesResult): number[] => [
  added,
  changed,
  unchanged,
  removed,
];

before(async () => {
  home = mkdtempSync(join(tmpdir(), 'vai-files-'));
  const env = { VAI_HOME: home };
  const parts = await composeParts({ settings: resolveSettings({ env, cwd: home, home }), env, cwd: home });
  const embedder: typeof parts.models.embedder = async (...asked) => {
    const real = await parts.models.embedder(...asked);
    const embed: typeof real.embed = (texts, options) =>
      outage && options.role === 'document' ? Promise.reject(outage) : real.embed(texts, options);
    const { model, dimensions, space, hosted, trust } = real;
    return { model, dimensions, space, hosted, trust, embed };
  };
  engine = createEngine({ ...parts, models: { ...parts.models, embedder } });
});
after(async () => {
  await engine.close();
  rmSync(home, { recursive: true, force: true });
});

describe('a folder read again', () => {
  it('writes only what is new or changed, everything when forced', async () => {
    put('again/a.md', '# A\n\nThe first page.\n');
    put('again/sub/ü 語.md', '# Ü\n\nThe second page.\n');
    const request = { paths: [at('again')] };
    assert.deepEqual(counts(await ingest('again', request)), [2, 0, 0, 0]);
    assert.deepEqual(counts(await ingest('again', request)), [0, 0, 2, 0]);
    put('again/a.md', '# A\n\nThe first page, mended.\n');
    assert.deepEqual(counts(await ingest('again', request)), [0, 1, 1, 0]);
    assert.deepEqual(counts(await ingest('again', { ...request, force: true })), [0, 2, 0, 0]);
    assert.deepEqual(await paths('again'), ['a.md', 'sub/ü 語.md']);
  });

  it('forgets the text of a file that became empty', async () => {
    put('emptied/a.md', 'A pelican.\n');
    await ingest('emptied', { paths: [at('emptied')] });
    put('emptied/a.md', '');
    assert.deepEqual(counts(await ingest('emptied', { paths: [at('emptied')] })), [0, 1, 0, 0]);
    const found = await engine.search.run(call, { query: 'pelican', collections: ['emptied'], limit: 3 });
    assert.equal(found.hits.length, 0);
  });

  it('is cut anew when asked, and once', async () => {
    put(
      'recut/a.md',
      Array.from({ length: 80 }, (_, n) => `Line ${n} of a long story about boats.`).join('\n'),
    );
    const request = { paths: [at('recut')], chunk: { strategy: 'fixed' as const, size: 200 } };
    const { chunks } = await ingest('recut', { paths: [at('recut')] });
    const finer = await ingest('recut', request);
    assert.equal(finer.changed, 1);
    assert.ok(finer.chunks > chunks);
    assert.deepEqual(counts(await ingest('recut', request)), [0, 0, 1, 0]);
  });

  it('gets the vectors it was stored without', async () => {
    put('late/a.md', 'A gannet dives.\n');
    await ingest('late', { paths: [at('late')], model: 'none' });
    assert.equal((await ingest('late', { paths: [at('late')] })).embedded, 1);
    assert.deepEqual(counts(await ingest('late', { paths: [at('late')] })), [0, 0, 1, 0]);
  });
});

describe('several paths', () => {
  it('with the same name keep apart', async () => {
    for (const side of ['x', 'y']) {
      put(`twice/${side}/README.md`, `The readme of ${side}.\n`);
      put(`twice/${side}/docs/p.md`, `The page of ${side}.\n`);
    }
    await ingest('readmes', { paths: [at('twice/x/README.md'), at('twice/y/README.md')] });
    assert.deepEqual(await paths('readmes'), ['x/README.md', 'y/README.md']);
    await ingest('pages', { paths: [at('twice/x/docs'), at('twice/y/docs'), at('twice/x/docs')] });
    assert.deepEqual(await paths('pages'), ['x/docs/p.md', 'y/docs/p.md']);
    await ingest('nested', { paths: [at('twice/x'), at('twice/y/docs'), at('twice/y/docs/p.md')] });
    assert.deepEqual(await paths('nested'), ['docs/p.md', 'p.md', 'x/README.md', 'x/docs/p.md']);
  });
});

describe('sync', () => {
  it('removes what is gone from the folder, and nothing else', async () => {
    for (const name of ['one/a.md', 'one/b.md', 'two/c.md', 'alone.md'])
      put(`sync/${name}`, `Text of ${name}.\n`);
    const all = [at('sync/one'), at('sync/two'), at('sync/alone.md')];
    await ingest('synced', { paths: all });
    await engine.ingest.text(call, { collection: 'synced', source: 'note', text: 'A note of mine.' });
    unlinkSync(at('sync/one/b.md'));
    assert.equal((await ingest('synced', { paths: all, sync: true })).removed, 1);
    assert.deepEqual(await paths('synced'), ['alone.md', 'note', 'one/a.md', 'two/c.md']);
    assert.equal((await ingest('synced', { paths: [at('sync/alone.md')], sync: true })).removed, 0);
    await ingest('synced', { paths: [at('sync/two'), at('sync/alone.md')], sync: true });
    assert.deepEqual(await paths('synced'), ['alone.md', 'note', 'one/a.md', 'two/c.md']);
  });
});

describe('a failing file or provider', () => {
  it('one bad file stops nothing; links out of the folder are not followed', async () => {
    put('outside.md', 'Not yours to read.\n');
    put('mixed/good.md', 'A puffin.\n');
    put('mixed/bad.pdf', 'no pdf at all');
    symlinkSync(at('outside.md'), at('mixed/link.md'));
    const result = await ingest('mixed', { paths: [at('mixed')] });
    assert.equal(result.added, 1);
    assert.deepEqual(
      result.failures.map(({ path }) => path),
      ['bad.pdf'],
    );
    assert.ok(result.skipped.some(({ reason }) => reason === 'link leaves the folder'));
    assert.doesNotMatch(JSON.stringify(result), new RegExp(home));
  });

  it('a text without vectors is found by words, and embedded the next time', async () => {
    put('partial/a.md', 'A shearwater at sea.\n');
    outage = new VaiError('PROVIDER_UNAVAILABLE', 'The provider is away.');
    const first = await ingest('partial', { paths: [at('partial')] });
    outage = undefined;
    assert.deepEqual([first.added, first.embedded], [1, 0]);
    assert.match(first.warnings.join(' '), /without vectors: The provider is away/);
    const { hits } = await engine.search.run(call, {
      query: 'shearwater',
      collections: ['partial'],
      limit: 3,
    });
    assert.equal(hits.length, 1);
    const second = await ingest('partial', { paths: [at('partial')] });
    assert.deepEqual([second.changed, second.embedded], [1, 1]);
    assert.deepEqual(counts(await ingest('partial', { paths: [at('partial')] })), [0, 0, 1, 0]);
  });

  it('a refused key stops at once and leaves no empty collection', async () => {
    put('refused/a.md', 'A tern.\n');
    outage = new VaiError('PROVIDER_AUTH', 'The key was refused.');
    await assert.rejects(ingest('refused', { paths: [at('refused')] }), { code: 'PROVIDER_AUTH' });
    outage = undefined;
    await assert.rejects(engine.collections.get(call, { name: 'refused' }), { code: 'COLLECTION_NOT_FOUND' });
  });

  it('a path that is not there is named as given', async () => {
    await assert.rejects(ingest('absent', { paths: ['no/such/file.md'] }), (error: VaiError) => {
      assert.equal(error.code, 'FILE_UNREADABLE');
      assert.match(error.message, /`no\/such\/file\.md`/);
      return true;
    });
  });
});
