// Ingest of files and folders: what is read again, what is removed, and that a failing provider loses no text.

import assert from 'node:assert/strict';
import { mkdirSync, rmSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import { composeParts } from '../../../src/compose.ts';
import { resolveSettings } from '../../../src/config/index.ts';
import { VaiError } from '../../../src/domain/errors.ts';
import { localCall } from '../../../src/engine/call.ts';
import { createEngine, type Engine } from '../../../src/engine/engine.ts';
import type { IndexFilesRequest, IndexReport } from '../../../src/engine/index/types.ts';
import { tempFolder } from '../../support/temp-folder.ts';
import { writerIn } from '../../support/write-files.ts';

const call = localCall();
const home = tempFolder('files');
let engine: Engine;
/** What the provider answers with instead of vectors, while it is set. */
let outage: VaiError | undefined;

const put = writerIn(join(home, 'files'));
const at = (path: string): string => join(home, 'files', path);

function ingest(collection: string, request: Partial<IndexFilesRequest>): Promise<IndexReport> {
  return engine.ingest.files(call, { paths: [], collection, ...request });
}

async function paths(collection: string): Promise<string[]> {
  const { documents } = await engine.collections.documents(call, { collection, limit: 50 });
  return documents.map(({ path }) => path);
}

const counts = ({ run }: IndexReport): number[] => [run.added, run.changed, run.unchanged, run.deleted];

before(async () => {
  const env = { VAI_HOME: home };
  const parts = await composeParts({ settings: resolveSettings({ env, cwd: home, home }), env, cwd: home });
  const embedder: typeof parts.models.embedder = async (...asked) => {
    const real = await parts.models.embedder(...asked);
    const embed: typeof real.embed = async (texts, options) => {
      if (outage && options.role === 'document') throw outage;
      return real.embed(texts, options);
    };
    const { model, dimensions, hosted, trust } = real;
    return { model, dimensions, hosted, trust, embed };
  };
  engine = createEngine({ ...parts, models: { ...parts.models, embedder } });
});
after(() => engine.close());

describe('a folder read again', () => {
  it('keeps the text that a citation was made of', async () => {
    put('cited/a.md', '# A\n\nThe heron waits.\n\nThe gull does not.\n');
    await ingest('cited', { paths: [at('cited')] });
    const { snippets } = await engine.cite.read(call, { citations: ['cited/a.md:3'] });
    const rev = snippets[0]!.sha256.slice(0, 8);
    put('cited/a.md', '# A\n\nA new line.\n\nThe heron waits.\n');
    await ingest('cited', { paths: [at('cited')] });
    const [moved] = (await engine.cite.read(call, { citations: [`cited/a.md:3@${rev}`] })).snippets;
    assert.deepEqual([moved!.status, moved!.content], ['moved', 'The heron waits.']);
  });

  it('forgets the text of a file that became empty', async () => {
    put('emptied/a.md', 'A pelican.\n');
    await ingest('emptied', { paths: [at('emptied')] });
    put('emptied/a.md', '');
    assert.deepEqual(counts(await ingest('emptied', { paths: [at('emptied')] })), [0, 1, 0, 0]);
    const found = await engine.search.run(call, { query: 'pelican', collections: ['emptied'], limit: 3 });
    assert.equal(found.hits.length, 0);
  });

  it('is chunked again when asked, once', async () => {
    put(
      'recut/a.md',
      Array.from({ length: 80 }, (_, n) => `Line ${n} of a long story about boats.`).join('\n'),
    );
    const request = { paths: [at('recut')], chunk: { strategy: 'fixed' as const, size: 200 } };
    const coarse = await ingest('recut', { paths: [at('recut')] });
    const finer = await ingest('recut', request);
    assert.equal(finer.run.changed, 1);
    assert.ok(finer.run.chunks > coarse.run.chunks);
    assert.deepEqual(counts(await ingest('recut', request)), [0, 0, 1, 0]);
  });

  it('gets the vectors it was stored without', async () => {
    put('late/a.md', 'A gannet dives.\n');
    await ingest('late', { paths: [at('late')], model: 'none' });
    assert.equal((await ingest('late', { paths: [at('late')] })).totals.vectors, 1);
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
  });

  it('inside each other are read once, with what the rules of the outer one pass over', async () => {
    put('outer/.gitignore', 'left/\nout.md\n');
    for (const path of [
      'a.md',
      'in/b.md',
      'in/deep/c.md',
      'left/d.md',
      'left/e/f.md',
      'out.md',
      'other/g.md',
    ])
      put(`outer/${path}`, `The page ${path}.\n`);
    await ingest('covered', { paths: [at('outer/in'), at('outer'), at('outer/in/b.md')] });
    assert.deepEqual(await paths('covered'), ['a.md', 'in/b.md', 'in/deep/c.md', 'other/g.md']);
    const named = ['outer/left/e', 'outer/left', 'outer/out.md', 'outer', 'twice/x'].map(at);
    const { run } = await ingest('passed', { paths: named });
    const all = ['outer/a.md', 'outer/in/b.md', 'outer/in/deep/c.md', 'outer/left/d.md', 'outer/left/e/f.md'];
    const rest = ['outer/other/g.md', 'outer/out.md', 'x/README.md', 'x/docs/p.md'];
    assert.deepEqual([await paths('passed'), run.added], [[...all, ...rest], 9]);
    await ingest('passed', { paths: [at('outer'), at('twice/x')], sync: true });
    assert.deepEqual(await paths('passed'), [...all, ...rest], 'a sync without them keeps them');
  });
});

describe('a run that does not end', () => {
  it('leaves whole documents and says that the index is incomplete, until one ends', async () => {
    for (let n = 0; n < 40; n += 1)
      put(`stopped/${n}.md`, `# Page ${n}\n\n${'Words follow words. '.repeat(4000)}\n`);
    const stop = new AbortController();
    const watched = {
      ...call,
      signal: stop.signal,
      progress: ({ done }: { done: number }) => done === 30 && stop.abort(),
    };
    const request = { paths: [at('stopped')], collection: 'stopped', model: 'none' };
    await assert.rejects(engine.ingest.files(watched, request), { code: 'CANCELLED' });
    const left = await engine.collections.get(call, { name: 'stopped' });
    assert.equal(left.run?.files, 40);
    assert.ok(left.stats.documents > 0 && left.stats.documents < 40);
    const { run } = await engine.ingest.files(call, request);
    assert.deepEqual([run.added + run.unchanged, run.unchanged], [40, left.stats.documents]);
    assert.equal((await engine.collections.get(call, { name: 'stopped' })).run, undefined);
  });
});

describe('a failing file or provider', () => {
  it('one bad file stops nothing; links out of the folder are not followed', async () => {
    put('outside.md', 'Not yours to read.\n');
    put('mixed/good.md', 'A puffin.\n');
    put('mixed/bad.pdf', 'no pdf at all');
    symlinkSync(at('outside.md'), at('mixed/link.md'));
    const result = await ingest('mixed', { paths: [at('mixed')] });
    assert.equal(result.run.added, 1);
    assert.deepEqual(
      result.failures.map(({ path }) => path),
      ['bad.pdf'],
    );
    assert.ok(result.run.skipped.some(({ reason }) => reason === 'link leaves the folder'));
    assert.doesNotMatch(JSON.stringify(result), new RegExp(home));
  });

  it('a text without vectors is found by words, and embedded the next time', async () => {
    put('partial/a.md', 'A shearwater at sea.\n');
    outage = new VaiError('PROVIDER_UNAVAILABLE', 'The provider is away.');
    const first = await ingest('partial', { paths: [at('partial')] });
    outage = undefined;
    assert.deepEqual([first.run.added, first.run.partial, first.totals.vectors], [1, 1, 0]);
    assert.deepEqual(
      first.failures.map(({ stage, message }) => [stage, message]),
      [['embed', 'The provider is away.']],
    );
    const { hits } = await engine.search.run(call, {
      query: 'shearwater',
      collections: ['partial'],
      limit: 3,
    });
    assert.equal(hits.length, 1);
    const second = await ingest('partial', { paths: [at('partial')] });
    assert.deepEqual([second.run.changed, second.totals.vectors], [1, 1]);
    assert.deepEqual(counts(await ingest('partial', { paths: [at('partial')] })), [0, 0, 1, 0]);
  });

  it('a refused key stops at once and leaves no empty collection', async () => {
    put('refused/a.md', 'A tern.\n');
    outage = new VaiError('PROVIDER_AUTH', 'The key was refused.');
    await assert.rejects(ingest('refused', { paths: [at('refused')] }), { code: 'PROVIDER_AUTH' });
    outage = undefined;
    await assert.rejects(engine.collections.get(call, { name: 'refused' }), { code: 'COLLECTION_NOT_FOUND' });
  });
});

describe('where no file can be read', () => {
  it('no collection is made, and the answer says what was passed over', async () => {
    mkdirSync(at('nothing/empty'), { recursive: true });
    put('nothing/some/.hidden.md', 'A text.\n');
    put('nothing/some/a.png', 'A picture.\n');
    const [empty, some] = [at('nothing/empty'), at('nothing/some')];
    await assert.rejects(ingest('nothing', { paths: [empty] }), {
      code: 'DOCS_EMPTY',
      message: `${empty}: no readable file.`,
      hint: 'Nothing is in there.',
    });
    await assert.rejects(ingest('nothing', { paths: [some, empty] }), {
      message: `${some}, ${empty}: no readable file.`,
      hint: 'Passed over: 1 hidden (.hidden.md), 1 not a text format (a.png).',
    });
    const { run } = await ingest('nothing', { paths: [put('nothing/bad.txt', '\0\0\0\0\0\0\0\0')] });
    assert.equal(run.failed, 1);
    const { collections } = await engine.collections.list(call, {});
    assert.ok(!collections.some(({ name }) => name === 'nothing'));
  });

  it('a collection that is there stays, and so do its documents', async () => {
    put('emptied/a.md', 'A text.\n');
    await ingest('emptied', { paths: [at('emptied')] });
    rmSync(at('emptied/a.md'));
    assert.deepEqual(counts(await ingest('emptied', { paths: [at('emptied')] })), [0, 0, 0, 0]);
    assert.deepEqual(await paths('emptied'), ['a.md']);
  });

  it('what is only left out of a run is not called gone', async () => {
    for (const name of ['a.md', 'b.txt']) put(`partly/${name}`, `Text of ${name}.\n`);
    await ingest('partly', { paths: [at('partly')] });
    rmSync(at('partly/a.md'));
    const { warnings } = await ingest('partly', { paths: [at('partly')], include: ['*.html', '*.md'] });
    assert.match(warnings.join(), /^Gone from disk and still found: 1 document, for example a\.md\./);
  });
});
