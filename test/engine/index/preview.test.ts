import assert from 'node:assert/strict';
import { it } from 'node:test';
import type { ChunkProfile } from '../../../src/domain/chunk.ts';
import { LOCAL, localCall } from '../../../src/engine/call.ts';
import type { EngineDeps } from '../../../src/engine/deps.ts';
import { previewChunks } from '../../../src/engine/index/preview.ts';

const preview = (text: string, chunk?: Partial<ChunkProfile>, settings: object = {}) =>
  previewChunks({ settings } as EngineDeps, localCall(), { text, ...(chunk ? { chunk } : {}) });

it('a text is shown as the chunks it would become', () => {
  const { chunks } = preview('# A\n\none\n\n# B\n\ntwo\n', { strategy: 'markdown' });
  assert.deepEqual(chunks, [
    { text: '# A\n\none', lines: { start: 1, end: 3 }, headingPath: ['A'] },
    { text: '# B\n\ntwo', lines: { start: 5, end: 7 }, headingPath: ['B'] },
  ]);
});

it('the call decides how, then the settings, then the default', () => {
  const profile = (chunk?: Partial<ChunkProfile>, settings?: object) => preview('x', chunk, settings).profile;
  assert.deepEqual(profile(), { strategy: 'recursive', size: 512, overlap: 50 });
  assert.deepEqual(profile({}, { chunk: { size: 300 } }), { strategy: 'recursive', size: 300, overlap: 50 });
  assert.equal(profile({ size: 400 }, { chunk: { size: 300 } }).size, 400);
});

it('chunks overlap by at most a quarter, unless the call says how much', () => {
  const overlap = (chunk: Partial<ChunkProfile>) => preview('x', chunk).profile.overlap;
  assert.equal(overlap({ size: 200 }), 50);
  assert.equal(overlap({ size: 199 }), 49);
  assert.equal(overlap({ size: 100, overlap: 49 }), 49);
  assert.equal(overlap({ size: 100, overlap: 0 }), 0);
});

it('is for who may read', () => {
  const call = { principal: { ...LOCAL, scopes: ['write'] as const } };
  assert.throws(() => previewChunks({ settings: {} } as EngineDeps, call, { text: 'x' }), {
    code: 'NOT_ALLOWED',
  });
});
