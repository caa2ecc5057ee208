// What is counted of a large collection is remembered, and not longer than it holds; and how often a search asks the server.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { MongoClient } from 'mongodb';
import { NAMES } from '../../../src/stores/mongodb/layout.ts';
import { mongodbStores } from '../../../src/stores/mongodb/stores.ts';
import { collection, document, query } from '../../contract/fixtures.ts';
import { startMongod } from '../../support/mongod/start.ts';

/** Reads one word in a large collection that others write to, with a clock of its own. */
test('counts of a large collection are taken again after a run, after a write of ours and when they are old', async (context) => {
  const mongod = await startMongod({ profile: 'community' });
  context.after(() => mongod.stop());
  const client = new MongoClient(mongod.uri);
  context.after(() => client.close());
  const all = [1, 2].map(() =>
    mongodbStores({ settings: { mongodbUri: mongod.uri }, now: () => new Date() }),
  );
  context.after(() => Promise.all(all.map((stores) => stores.close())));
  const [store, other] = await Promise.all(all.map((stores) => stores.open('db')));
  await store!.collections.put(collection('docs'));
  let made = 0;
  // As another process would leave them, by hand because there are many.
  const add = async (count: number): Promise<void> => {
    const rows = Array.from({ length: count }, () => ({
      _id: `other-${(made += 1)}` as never,
      ...{ collection: 'docs', path: `p${made}`, title: '', sha256: '', metadata: '{}', fetchedAt: '' },
      ...{ chunks: 1, vectors: 0, words: 3, lines: 1, headings: 0, bytes: 1, graph: false },
    }));
    await client.db('db').collection(NAMES.documents).insertMany(rows);
  };
  const counted = async (): Promise<number | undefined> =>
    (await store!.collections.list()).find(({ name }) => name === 'docs')?.stats.documents;
  context.mock.timers.enable({ apis: ['Date'], now: Date.now() });

  await add(3);
  assert.equal(await counted(), 3);
  await add(597);
  assert.equal(await counted(), 600, 'a small collection is counted each time');
  await add(1);
  assert.equal(await counted(), 600, 'remembered');
  await other!.collections.put({ ...collection('docs'), updatedAt: '2030-01-01T00:00:00.000Z' });
  assert.equal(await counted(), 601, 'its record changed: a run of another process has ended');
  await add(1);
  assert.equal(await counted(), 601, 'remembered');
  await store!.documents.replace(document({ path: 'ours', text: 'heron' }));
  assert.equal(await counted(), 603, 'written by this process');
  await add(1);
  context.mock.timers.tick(31_000);
  assert.equal(await counted(), 604, 'too old');

  const heron = (): Promise<unknown> => store!.search.wordCounts(['heron'], ['docs']);
  assert.deepEqual(await heron(), { chunks: 604, having: [1] });
  await other!.documents.replace(document({ path: 'theirs', text: 'a second heron' }));
  const found = await store!.search.words({ query: query(['heron']), scope: {}, limit: 9 });
  assert.equal(found.hits.length, 2, 'what is found is never remembered');
});

test('a search asks a few times, however many documents its hits are in', async (context) => {
  const mongod = await startMongod({ profile: 'documentdb' });
  context.after(() => mongod.stop());
  const client = new MongoClient(mongod.uri);
  context.after(() => client.close());
  const stores = mongodbStores({ settings: { mongodbUri: mongod.uri }, now: () => new Date() });
  context.after(() => stores.close());
  const store = await stores.open('db');
  await store.collections.put(collection('docs'));
  const paths = Array.from({ length: 12 }, (_, n) => `p${n}`);
  for (const path of paths)
    await store.documents.replace(document({ path, text: `heron in ${path}\n\nand a marble floor` }));
  /** How many commands are sent meanwhile: a fail point that changes nothing counts them. */
  const commands = async (work: () => Promise<unknown>): Promise<number> => {
    const point = (mode: string): Promise<{ count?: number }> =>
      client.db('admin').command({
        configureFailPoint: 'failCommand',
        mode,
        data: { failCommands: ['find', 'aggregate', 'getMore', 'listCollections'], blockConnection: true },
      });
    await point('alwaysOn');
    await work();
    return (await point('off')).count ?? 0;
  };
  const lines = await commands(async () => {
    const texts = await store.documents.lines(
      paths.map((path) => ({ collection: 'docs', path, lines: { start: 1, end: 1 } })),
    );
    assert.deepEqual(
      texts,
      paths.map((path) => `heron in ${path}`),
    );
  });
  assert.equal(lines, 3, 'versions, first pieces, where other pieces begin');
  const words = await commands(async () => {
    const found = await store.search.words({
      query: query(['heron']),
      scope: { collections: ['docs'] },
      limit: 10,
    });
    assert.equal((await store.search.chunks(found.hits.map(({ id }) => id))).length, 10);
  });
  assert.equal(words, 6, 'record, counts, entries, ids, chunks, documents');
});
