// Large documents and merges go to a thread: stored as small ones are, while this thread goes on reading and writing.

import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import type { Store, Stores } from '../../../src/ports/store.ts';
import { sqliteStores } from '../../../src/stores/sqlite/stores.ts';
import { pack, unpack } from '../../../src/stores/sqlite/writer/packed.ts';
import { collection, document, query, vector } from '../../contract/fixtures.ts';
import { tempFolder } from '../../support/temp-folder.ts';

const PARTS = 900;
const now = (): Date => new Date('2026-01-01T00:00:00.000Z');
const folder = tempFolder('writer');
let stores: Stores;
let store: Store;

/** `mark` is in every chunk. */
function large(mark: string, path = 'large.md') {
  const text = Array.from({ length: PARTS }, (_, n) => `${mark} part${n} of a story`).join('\n\n');
  const written = document({
    path,
    text,
    metadata: { mark },
    vectors: Array.from({ length: PARTS }, (_, n) => (n % 3 ? vector(n / PARTS) : undefined)),
    graph: [{ entities: [{ name: 'Ada', type: 'PERSON', key: 'ada', startLine: 1, endLine: 1 }] }],
  });
  written.chunks[1]!.prefix = 'Heading ';
  written.chunks[1]!.text = `Heading ${written.chunks[1]!.text}`;
  return written;
}

before(async () => {
  stores = sqliteStores({ home: folder, now });
  store = await stores.open('vai');
  await store.collections.put(collection('docs'));
});
after(() => stores.close());

const hits = async (word: string): Promise<number> =>
  (await store.search.words({ query: query([word]), scope: {}, limit: 5 })).total;

test('a document survives being packed for the thread', () => {
  const written = large('heron');
  const { vectors, ...rest } = pack(written);
  assert.deepEqual(unpack({ ...rest, vectors }), written);
});

test('a large document is stored as a small one is', async () => {
  const written = large('heron');
  assert.deepEqual(await store.documents.replace(written), { replaced: false, chunksRemoved: 0 });
  const chunks = await store.documents.chunks('docs', 'large.md');
  assert.deepEqual(
    chunks.map(({ text, startLine, prefix }) => ({ text, startLine, prefix })),
    written.chunks.map(({ text, startLine, prefix }) => ({ text, startLine, prefix })),
  );
  const vectors = await store.search.vectorsOf(chunks.map(({ id }) => id));
  assert.equal(vectors.size, written.chunks.filter((chunk) => chunk.vector).length);
  assert.equal((await store.graph.counts(['docs'])).entities, 1);
  assert.equal(await hits('heron'), PARTS);
  assert.deepEqual(await store.check(), { ok: true, problems: [] });
});

test('meanwhile the calling thread keeps running, reads the old text, and writes afterwards', async () => {
  let turns = 0;
  const timer = setInterval(() => (turns += 1), 1);
  const order: string[] = [];
  const writing = store.documents.replace(large('egret')).then(() => order.push('large'));
  const beside = store.documents
    .replace(document({ path: 'small.md', text: 'a bittern' }))
    .then(() => order.push('small'));
  assert.equal((await store.documents.get('docs', 'large.md'))!.metadata['mark'], 'heron');
  assert.equal(await hits('egret'), 0);
  await Promise.all([writing, beside]);
  clearInterval(timer);
  assert.ok(turns > 0);
  assert.deepEqual(order, ['large', 'small']);
  assert.deepEqual([await hits('heron'), await hits('egret'), await hits('bittern')], [0, PARTS, 1]);
});

test('a document that cannot be stored leaves the old one and says why', async () => {
  const wrong = large('curlew');
  wrong.chunks[0]!.vector = vector(0, 8);
  await assert.rejects(store.documents.replace(wrong), { name: 'VaiError', code: 'DIMENSION_MISMATCH' });
  assert.deepEqual([await hits('egret'), await hits('curlew')], [PARTS, 0]);
});

test('many batches are merged by the thread, and nothing is lost', async () => {
  const text = (n: number): string =>
    Array.from({ length: 400 }, (_, part) => `dunlin page${n} part${part}`).join('\n\n');
  for (let n = 0; n < 40; n += 1)
    await store.documents.replace(document({ path: `p${n}.md`, text: text(n) }));
  await store.optimize!();
  assert.equal(await hits('dunlin'), 40 * 400);
  assert.equal(await hits('page17'), 400);
  assert.deepEqual(await store.check(), { ok: true, problems: [] });
});
