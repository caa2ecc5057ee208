// What ingesting one text answers and refuses, over a store in memory.

import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { localCall, type Progress } from '../../../src/engine/call.ts';
import { ingestText } from '../../../src/engine/index/text.ts';
import type { IngestTextRequest } from '../../../src/engine/index/types.ts';
import { embedderOf, memoryFolder } from './memory.ts';

function notes(options: Parameters<typeof memoryFolder>[0] = {}) {
  const memory = memoryFolder(options);
  const ingest = (request: Partial<IngestTextRequest>, call = localCall()) =>
    ingestText(memory.deps, call, {
      ...{ text: 'A note.', collection: 'docs', source: 'a' },
      ...(options.embedder ? {} : { model: 'none' }),
      ...request,
    });
  return { ...memory, ingest };
}

describe('an ingest', () => {
  it('answers with what was written', async () => {
    const { ingest } = notes({ embedder: embedderOf() });
    const before = performance.now();
    const { timeMs, docId, ...answer } = await ingest({ metadata: { kind: 'note' } });
    assert.ok(timeMs <= Math.round(performance.now() - before));
    assert.match(docId, /^[0-9a-f]{24}$/);
    assert.deepEqual(answer, {
      ...{ database: 'vai', collection: 'docs', source: 'a', path: 'a', model: 'test', dimensions: 2 },
      ...{ chunksCreated: 1, inserted: 1, unchanged: 0, removed: 0, replaced: false, tokens: 1 },
      index: { name: 'by-meaning', status: 'building' },
      metadata: { kind: 'note' },
      warnings: ['vai does not know test; the name was sent to the provider unchecked.'],
    });
  });

  it('of words alone has no model, no dimensions and no tokens', async () => {
    const { ingest } = notes();
    const { model, dimensions, tokens, warnings } = await ingest({});
    assert.deepEqual([model, dimensions, tokens, warnings], ['none', 0, 0, []]);
  });

  it('of the same text changes nothing, and is the same with its metadata in another order', async () => {
    const { ingest, log } = notes();
    const { docId } = await ingest({ metadata: { b: 1, a: 2, c: 3 } });
    log.length = 0;
    const again = await ingest({ metadata: { c: 3, b: 1, a: 2 } });
    const { chunksCreated, inserted, unchanged, removed, replaced, tokens } = again;
    assert.deepEqual([chunksCreated, inserted, unchanged, removed, replaced, tokens], [0, 0, 1, 0, false, 0]);
    assert.deepEqual([again.docId, again.warnings, log], [docId, [], []]);
    assert.equal((await ingest({ metadata: { a: 1, b: 2, c: 3 } })).replaced, true);
  });

  it('of another text replaces, is put beside it, or is left', async () => {
    const { ingest, paths } = notes();
    await ingest({});
    const replaced = await ingest({ text: 'Another note.' });
    assert.deepEqual([replaced.replaced, replaced.removed, replaced.unchanged], [true, 1, 0]);
    assert.deepEqual(replaced.warnings, ['Replaced the earlier text of `a` (1 chunk).']);
    const skipped = await ingest({ text: 'A third.', onExisting: 'skip' });
    assert.deepEqual(skipped.warnings, ['`a` already exists and was left unchanged.']);
    assert.deepEqual([skipped.inserted, skipped.unchanged], [0, 1]);
    const same = await ingest({ text: 'Another note.', onExisting: 'append' });
    assert.deepEqual([same.path, same.inserted], ['a', 0], 'what is there already is not put beside itself');
    const beside = await ingest({ text: 'A third.', onExisting: 'append' });
    assert.deepEqual(paths(), ['a', beside.path]);
    assert.deepEqual((await ingest({ source: 'new', onExisting: 'append' })).path, 'new');
    assert.deepEqual((await ingest({ source: 'other', onExisting: 'skip' })).inserted, 1);
  });

  it('looks for vectors of the text before where there was one', async () => {
    const { ingest, log } = notes({ embedder: embedderOf() });
    await ingest({});
    assert.ok(!log.includes('vectors of 1'));
    await ingest({ text: 'Another note.' });
    assert.ok(log.includes('vectors of 1'));
  });

  it('without a source is named by its text', async () => {
    const { ingest } = notes();
    const { source } = await ingest({ source: undefined });
    assert.match(source, /^inline-[0-9a-f]{12}$/);
    assert.equal((await ingest({ source: '  b  ' })).source, 'b');
    assert.notEqual((await ingest({ source: 'b', text: 'x' })).docId, (await ingest({ text: 'x' })).docId);
  });

  it('tells that it waits for a provider', async () => {
    const whole = embedderOf();
    const embedder = embedderOf({
      embed(texts, options) {
        options.onWait?.(3);
        return whole.embed(texts, options);
      },
    });
    const told: Progress[] = [];
    await notes({ embedder }).ingest({}, localCall({ progress: (step) => told.push(step) }));
    assert.deepEqual(told, [{ done: 0, message: 'waiting 3 s for test' }]);
  });

  it('without its vectors stores nothing, and leaves no collection', async () => {
    const embedder = embedderOf({ embed: () => Promise.reject(new Error('away')) });
    const { ingest, collections, paths } = notes({ embedder });
    await assert.rejects(ingest({}));
    assert.deepEqual([collections.size, paths()], [0, []]);
  });

  it('is answered also where the indexes cannot be listed, or none is for vectors', async () => {
    const { ingest, store } = notes();
    store.indexes.list = () => Promise.reject(new Error('away'));
    assert.equal((await ingest({})).index, undefined);
    store.indexes.list = () => Promise.resolve([{ name: 'by-word', type: 'text', status: 'ready' }] as never);
    assert.equal((await ingest({ text: 'b' })).index, undefined);
  });
});

describe('chunking', () => {
  const chunk = { strategy: 'fixed', size: 100, overlap: 0 } as const;

  it('that a source was stored with is kept, and told', async () => {
    const { ingest, info } = notes();
    assert.deepEqual((await ingest({ chunk })).warnings, []);
    assert.deepEqual((await ingest({ text: 'B.' })).warnings, [
      'Chunked by fixed, 100 characters, as this source was before.',
      'Replaced the earlier text of `a` (1 chunk).',
    ]);
    assert.deepEqual(info('a').indexedWith!.chunking, chunk);
    assert.deepEqual((await ingest({ text: 'C.', chunk })).warnings, [
      'Replaced the earlier text of `a` (1 chunk).',
    ]);
  });

  it('that nobody named is the default, without a word', async () => {
    const { ingest } = notes();
    await ingest({});
    assert.deepEqual((await ingest({ text: 'B.' })).warnings, [
      'Replaced the earlier text of `a` (1 chunk).',
    ]);
  });
});

describe('refused is', () => {
  it('a text that is empty or too long', async () => {
    const { ingest, collections } = notes();
    await assert.rejects(ingest({ text: '\ufeff \n' }), {
      code: 'INVALID_INPUT',
      message: 'The text is empty.',
    });
    await assert.rejects(ingest({ text: 'x'.repeat(2_000_001) }), {
      code: 'TOO_LARGE',
      message: 'The text has 2,000,001 characters; the limit is 2,000,000.',
    });
    assert.equal(collections.size, 0);
    const longest = await ingest({ text: `\ufeff${' '.repeat(1_999_999)}x`, chunk: { size: 8000 } });
    assert.equal(longest.inserted > 0, true);
  });

  it('a source without a name, of too long a name, or with control characters', async () => {
    const { ingest } = notes();
    assert.equal((await ingest({ source: 's'.repeat(1024) })).inserted, 1);
    for (const source of [' ', 's'.repeat(1025), 'a\nb', 'a\u007f'])
      await assert.rejects(ingest({ source }), { code: 'INVALID_INPUT', message: /1 to 1,024 characters/ });
  });
});

it('a byte order mark is no part of a text', async () => {
  const { ingest, store } = notes();
  await ingest({ text: '\ufeffA note.' });
  assert.equal(await store.documents.text('docs', 'a'), 'A note.');
});
