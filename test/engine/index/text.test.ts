// Ingest of one text: what the same source means, which model fits, and that a failure leaves nothing behind.

import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { localCall } from '../../../src/engine/call.ts';
import type { IngestTextRequest, IngestTextResult } from '../../../src/engine/index/types.ts';
import { tempEngine, type TempEngine } from '../../support/temp-engine.ts';

const call = localCall();
let temp: TempEngine;

function ingest(request: IngestTextRequest): Promise<IngestTextResult> {
  return temp.engine.ingest.text(call, request);
}

async function paths(collection: string): Promise<string[]> {
  const { documents } = await temp.engine.collections.documents(call, { collection, limit: 50 });
  return documents.map(({ path }) => path);
}

async function found(collection: string, query: string): Promise<number> {
  const request = { query, collections: [collection], mode: 'words' as const, limit: 5 };
  return (await temp.engine.search.run(call, request)).hits.length;
}

before(async () => {
  temp = await tempEngine();
});
after(() => temp.close());

it('a text that would become more chunks than a call may write is refused, and nothing is stored', async () => {
  const text = 'one of very many'.repeat(50_001);
  const chunk = { strategy: 'fixed' as const, size: 16, overlap: 0 };
  await assert.rejects(ingest({ collection: 'many', source: 'a', text, chunk }), {
    code: 'TOO_LARGE',
    message: /50,001 chunks; the most is 50,000/,
  });
  await assert.rejects(paths('many'), { code: 'COLLECTION_NOT_FOUND' });
});

describe('the same source', () => {
  it('replaces what it said before, and says so', async () => {
    await ingest({ collection: 'replaced', source: 'a', text: 'The heron waits.' });
    const again = await ingest({ collection: 'replaced', source: 'a', text: 'The otter swims.' });
    assert.equal(again.replaced, true);
    assert.equal(again.removed, 1);
    assert.match(again.warnings.join(' '), /Replaced the earlier text of `a`/);
    assert.deepEqual(await paths('replaced'), ['a']);
    assert.deepEqual([await found('replaced', 'heron'), await found('replaced', 'otter')], [0, 1]);
  });

  it('with the same text and metadata changes nothing', async () => {
    const request = { collection: 'same', source: 'a', text: 'A kingfisher.', metadata: { b: 1, a: [2] } };
    await ingest(request);
    const again = await ingest({ ...request, metadata: { a: [2], b: 1 } });
    assert.deepEqual([again.inserted, again.unchanged, again.replaced], [0, 1, false]);
    assert.equal((await ingest({ ...request, metadata: { b: 2 } })).replaced, true);
  });

  it('can be kept beside the new text, or left alone', async () => {
    const first = { collection: 'kept', source: 'a', text: 'First tide.' };
    await ingest(first);
    const added = await ingest({ ...first, text: 'Second tide.', onExisting: 'append' });
    assert.deepEqual(await paths('kept'), ['a', added.path]);
    const again = await ingest({ ...first, text: 'Second tide.', onExisting: 'append' });
    assert.deepEqual([again.path, again.inserted, again.replaced], [added.path, 0, false]);
    const skipped = await ingest({ ...first, text: 'Third tide.', onExisting: 'skip' });
    assert.equal(skipped.inserted, 0);
    assert.match(skipped.warnings.join(' '), /left unchanged/);
    assert.equal(await found('kept', 'third'), 0);
  });

  it('is cut anew when another cutting is asked for', async () => {
    const text = Array.from({ length: 60 }, (_, n) => `Sentence number ${n} tells of a lighthouse.`).join(
      ' ',
    );
    const plain = await ingest({ collection: 'cut', source: 'a', text });
    const chunk = { strategy: 'fixed' as const, size: 200 };
    const finer = await ingest({ collection: 'cut', source: 'a', text, chunk });
    assert.ok(finer.inserted > plain.inserted);
    assert.equal((await ingest({ collection: 'cut', source: 'a', text, chunk })).inserted, 0);
  });

  it('gets vectors when it was stored without', async () => {
    const request = { collection: 'wordsfirst', source: 'a', text: 'A cormorant dries its wings.' };
    assert.equal((await ingest({ ...request, model: 'none' })).model, 'none');
    assert.equal((await ingest(request)).inserted, 1);
    const { stats } = await temp.engine.collections.get(call, { name: 'wordsfirst' });
    assert.equal(stats.vectors, 1);
    assert.equal((await ingest(request)).inserted, 0);
  });
});

describe('what is refused', () => {
  it('a model of another space, with nothing written', async () => {
    await ingest({ collection: 'bound', source: 'a', text: 'Bound to a model.' });
    const other = { collection: 'bound', source: 'b', text: 'Another model.' };
    await assert.rejects(ingest({ ...other, model: 'voyage-4' }), { code: 'MODEL_MISMATCH' });
    await assert.rejects(ingest({ ...other, dimensions: 64 }), { code: 'DIMENSION_MISMATCH' });
    assert.deepEqual(await paths('bound'), ['a']);
  });

  it('a cutting that cannot be, which later texts do not suffer from', async () => {
    await ingest({ collection: 'sound', source: 'a', text: 'Sound text.' });
    const other = { collection: 'sound', source: 'b', text: 'Another sound text.' };
    for (const chunk of [{ size: 0 }, { size: 100, overlap: 100 }, { strategy: 'odd' as never }])
      await assert.rejects(ingest({ ...other, chunk }), { code: 'INVALID_INPUT' });
    assert.equal((await ingest(other)).inserted, 1);
  });

  it('empty, too long and misnamed texts, and no collection is left behind', async () => {
    const bad: IngestTextRequest[] = [
      { text: ' \n' },
      { text: 'x'.repeat(2_000_001) },
      { text: 'x', source: 'a\u0000b' },
      { text: 'x', source: 's'.repeat(1025) },
      { text: 'x', metadata: { $set: 1 } },
      { text: 'x', metadata: JSON.parse('{"__proto__": {"polluted": true}}') as Record<string, unknown> },
      { text: 'x', model: 'voyage-4' },
    ];
    for (const request of bad)
      await assert.rejects(ingest({ collection: 'never', ...request }), { name: 'VaiError' });
    await assert.rejects(ingest({ collection: '../up', text: 'x' }), { name: 'VaiError' });
    const { collections } = await temp.engine.collections.list(call);
    assert.ok(!collections.some(({ name }) => name === 'never'));
    assert.equal(({} as Record<string, unknown>)['polluted'], undefined);
  });
});
