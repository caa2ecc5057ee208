// The tools that are off by default; vai_delete is tested beside vai_get.

import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { localCall } from '../../../src/engine/call.ts';
import { createVaiToolset } from '../../../src/tools/vai/toolset.ts';
import { vaiTools } from './support.ts';

const tools = await vaiTools();
const { call } = tools;
after(() => tools.close());

test('they are offered only when asked for', () => {
  assert.equal(createVaiToolset().tools.length, 11);
  const extras = createVaiToolset({ extras: true }).tools.slice(11);
  assert.deepEqual(
    extras.map(({ name, scope }) => [name, scope]),
    [
      ['vai_chunk', 'read'],
      ['vai_index', 'write'],
      ['vai_delete', 'admin'],
    ],
  );
});

test('vai_chunk cuts as an ingest does, and stores nothing', async () => {
  const text = Array.from({ length: 30 }, (_, at) => `## Part ${at}\n\nSome words about part ${at}.`).join(
    '\n\n',
  );
  const { structured, text: shown } = await call('vai_chunk', {
    text,
    chunkStrategy: 'markdown',
    chunkSize: 200,
  });
  const chunks = structured.chunks as { content: string; lines: string }[];
  assert.equal(structured.count, chunks.length);
  for (const { content } of chunks) {
    assert.ok(content.length <= 200);
    assert.ok(shown.includes(content));
  }
  const ingested = await tools.engine.ingest.text(localCall(), {
    text,
    source: 's',
    chunk: { strategy: 'markdown', size: 200 },
  });
  assert.equal(ingested.chunksCreated, structured.count);
  await assert.rejects(call('vai_chunk', { text, chunkSize: 100, overlap: 60 }), { code: 'INVALID_INPUT' });
});

test('vai_index lists what the embedded store has, and says that it is part of it', async () => {
  const { structured } = await call('vai_index', {});
  assert.ok(
    (structured.indexes as { type: string; status: string }[]).some(
      ({ type, status }) => type === 'vector' && status === 'ready',
    ),
  );
  await assert.rejects(
    call('vai_index', { action: 'drop', collection: 'knowledge', name: 'vector_index' }),
    /part of it/,
  );
  await assert.rejects(call('vai_index', { action: 'drop' }), { code: 'INVALID_INPUT' });
});
