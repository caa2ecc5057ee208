// Chunking belongs to a call, to a document, or to the profile stated for a collection: never to whichever call came first
// or last.

import assert from 'node:assert/strict';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { composeParts } from '../../../src/compose.ts';
import { resolveSettings } from '../../../src/config/index.ts';
import { BLOCK_PROFILE, INGEST_PROFILE } from '../../../src/domain/chunk.ts';
import { localCall } from '../../../src/engine/call.ts';
import { createEngine, type Engine } from '../../../src/engine/engine.ts';
import type { IngestTextRequest } from '../../../src/engine/index/types.ts';
import type { Store } from '../../../src/ports/store.ts';
import { tempFolder } from '../../support/temp-folder.ts';

const call = localCall();
const story = Array.from({ length: 60 }, (_, n) => `Line ${n} of a long story about boats.`).join('\n');
const home = tempFolder('chunking');
let engine: Engine;
let store: Store;

before(async () => {
  const env = { VAI_HOME: home };
  const parts = await composeParts({ settings: resolveSettings({ env, cwd: home, home }), env, cwd: home });
  engine = createEngine(parts);
  store = await parts.stores.open('vai');
});
after(() => engine.close());

function folder(name: string, files: Record<string, string>): string {
  const path = join(home, name);
  mkdirSync(path, { recursive: true });
  for (const [file, text] of Object.entries(files)) writeFileSync(join(path, file), text);
  return path;
}

const note = (collection: string, request: Partial<IngestTextRequest>) =>
  engine.ingest.text(call, { collection, text: story, ...request });

const chunking = async (collection: string, path: string) =>
  (await store.documents.get(collection, path))?.indexedWith?.chunking;

test('a text that names a chunk size leaves every other text as it is', async () => {
  const first = await note('notes', { source: 'one' });
  const second = await note('notes', { source: 'two', chunk: { strategy: 'fixed', size: 8000 } });
  const third = await note('notes', { source: 'three' });
  assert.ok(second.chunksCreated < first.chunksCreated);
  assert.equal(third.chunksCreated, first.chunksCreated);
  assert.deepEqual(await chunking('notes', 'three'), INGEST_PROFILE);
  assert.deepEqual(third.warnings, []);
});

test('a folder is chunked at its headings, whatever came into the collection before', async () => {
  const path = folder('handbook', { 'deploy.md': '# Deploy\n\nShip it.\n\n## Undo\n\nRoll back.\n' });
  await note('mixed', { source: 'piped' });
  await engine.ingest.files(call, { paths: [path], collection: 'mixed' });
  assert.deepEqual(await chunking('mixed', 'deploy.md'), BLOCK_PROFILE);
  await note('mixed', { source: 'fine', chunk: { strategy: 'fixed', size: 100 } });
  writeFileSync(join(path, 'deploy.md'), '# Deploy\n\nShip it.\n\n## Undo\n\nRoll it back.\n');
  for (const force of [false, true]) {
    const { run } = await engine.ingest.files(call, { paths: [path], collection: 'mixed', force });
    assert.deepEqual([run.changed, run.chunks], [1, 2]);
  }
  assert.deepEqual(await chunking('mixed', 'deploy.md'), BLOCK_PROFILE);
  assert.deepEqual(await chunking('mixed', 'piped'), INGEST_PROFILE);
});

test('a source keeps the chunking it was stored with, and the caller is told', async () => {
  await note('kept', { source: 'one', chunk: { strategy: 'fixed', size: 2000 } });
  const again = await note('kept', { source: 'one', text: `${story} The end.` });
  assert.deepEqual(await chunking('kept', 'one'), { strategy: 'fixed', size: 2000, overlap: 50 });
  assert.match(again.warnings.join(' '), /Chunked by fixed, 2,000 characters, as this source was before/);
  const named = await note('kept', { source: 'one', chunk: { strategy: 'recursive', size: 512 } });
  assert.deepEqual(await chunking('kept', 'one'), INGEST_PROFILE);
  assert.doesNotMatch(named.warnings.join(' '), /Chunked by/);
});

test('a folder that names a chunking states it for the collection; a text that differs is told so', async () => {
  const path = folder('stated', { 'a.md': story });
  const stated = { strategy: 'fixed' as const, size: 300 };
  const report = await engine.ingest.files(call, { paths: [path], collection: 'stated', chunk: stated });
  assert.match(
    report.warnings.join(' '),
    /From now on files of `stated` are chunked by fixed, 300 characters/,
  );
  writeFileSync(join(path, 'b.md'), story);
  const next = await engine.ingest.files(call, { paths: [path], collection: 'stated' });
  assert.deepEqual([next.run.added, next.run.unchanged, next.warnings.length], [1, 1, 0]);
  assert.deepEqual(await chunking('stated', 'b.md'), { ...stated, overlap: 50 });
  const plain = await note('stated', { source: 'plain' });
  assert.deepEqual(await chunking('stated', 'plain'), { ...stated, overlap: 50 });
  assert.deepEqual(plain.warnings, []);
  const other = await note('stated', { source: 'other', chunk: { size: 1000 } });
  assert.match(
    other.warnings.join(' '),
    /Chunked by fixed, 1,000 characters, for this text only; `stated` is chunked by fixed, 300 characters/,
  );
  assert.deepEqual((await store.collections.get('stated'))?.chunking, { ...stated, overlap: 50 });
});

test('a file that names a chunking speaks for itself alone, and keeps it', async () => {
  const path = folder('single', { 'a.md': story, 'b.md': story });
  const chunk = { size: 400 };
  await engine.ingest.files(call, { paths: [join(path, 'a.md')], collection: 'single', chunk });
  assert.equal((await store.collections.get('single'))?.chunking, undefined);
  await engine.ingest.files(call, { paths: [path], collection: 'single' });
  assert.deepEqual(await chunking('single', 'a.md'), { ...BLOCK_PROFILE, size: 400 });
  assert.deepEqual(await chunking('single', 'b.md'), BLOCK_PROFILE);
});
