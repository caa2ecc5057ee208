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
