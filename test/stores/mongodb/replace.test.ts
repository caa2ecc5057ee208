// Replacing documents when things go wrong: big ones written ahead, conflicts, lost replies, a server that dies, and a
// writer that is killed at random points. What was there before is there whole, or the new one is.

import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { after, before, describe, it } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { MongoClient } from 'mongodb';
import type { Store, Stores } from '../../../src/ports/store.ts';
import { mongodbStores } from '../../../src/stores/mongodb/stores.ts';
import { collection, document, query, vector } from '../../contract/fixtures.ts';
import { startMongod, type RunningMongod } from '../../support/mongod/start.ts';
import { draftOf } from './writer.ts';

const WRITER = fileURLToPath(new URL('./writer.ts', import.meta.url));

function big(path: string, word: string, chunks = 900) {
  const text = Array.from({ length: chunks }, (_, n) => `${word} number ${n}`).join('\n\n');
  return document({ path, text, vectors: Array.from({ length: chunks }, () => vector(0.1)) });
}

describe('replacing documents', () => {
  let mongod: RunningMongod;
  let client: MongoClient;
  let stores: Stores;
  before(async () => {
    mongod = await startMongod({ keepData: true });
    client = await MongoClient.connect(mongod.uri);
    stores = mongodbStores({ settings: { mongodbUri: mongod.uri }, now: () => new Date() });
  });
  after(async () => {
    await stores.close();
    await client.close();
    await mongod.stop();
  });
  const fresh = async (name: string): Promise<Store> => {
    const store = await stores.open(name);
    await store.collections.put(collection('docs'));
    return store;
  };
  const count = async (store: Store, word: string): Promise<number> =>
    (await store.search.words({ query: query([word]), scope: {}, limit: 2000 })).hits.length;

  it('a big document is staged, then published at once', async () => {
    const store = await fresh('big');
    await store.documents.replace(big('a', 'heron'));
    await store.documents.replace(big('a', 'stork', 700));
    assert.deepEqual([await count(store, 'heron'), await count(store, 'stork')], [0, 700]);
    assert.equal((await store.documents.chunks('docs', 'a')).length, 700);
    assert.equal(await client.db('big').collection('docs').countDocuments({ '_vai.staged': true }), 0);
    assert.deepEqual(await store.check(), { ok: true, problems: [] });
  });

  it('what a server kept of a failed attempt is in nobody’s way, and compacting removes it', async () => {
    const store = await fresh('kept');
    const write = document({ path: 'a', text: 'heron\n\nstork', vectors: [vector(0), vector(1)] });
    await store.documents.replace(write);
    const kept = client.db('kept');
    const parts = ['docs', '_vai_words', '_vai_texts', '_vai_headings'];
    const rows = await Promise.all(parts.map((name) => kept.collection(name).find().toArray()));
    await store.documents.remove('docs', 'a');
    for (const [at, name] of parts.entries())
      if (rows[at]!.length > 0) await kept.collection(name).insertMany(rows[at]!);
    await store.documents.replace(write);
    assert.equal((await store.documents.chunks('docs', 'a')).length, 2);
    assert.equal((await store.check()).ok, false);
    await store.compact();
    assert.deepEqual(await store.check(), { ok: true, problems: [] });
    assert.equal(await kept.collection('docs').countDocuments({}), 2);
  });

  /** Lets writes fail until the work was tried at least once, does `meanwhile`, and lets the next try succeed. */
  const between = async (
    command: string,
    work: () => Promise<unknown>,
    meanwhile: () => Promise<unknown>,
  ) => {
    const point = (mode: string) =>
      client.db('admin').command({
        configureFailPoint: 'failCommand',
        mode,
        data: {
          failCommands: [command],
          errorCode: 112,
          errorLabels: ['TransientTransactionError'],
          namespace: 'half._vai_documents',
        },
      });
    await point('alwaysOn');
    const done = work();
    while (((await point('alwaysOn')) as { count: number }).count === 0) await sleep(5);
    await meanwhile();
    await point('off');
    return done;
  };

  it('what a server removed outside of a failed attempt takes the rest with it', async () => {
    const store = await fresh('half');
    const documents = client.db('half').collection('_vai_documents');
    // DocumentDB's gateway repeats a statement that met a PostgreSQL shutting down, outside of its transaction.
    const losesRecord = () => documents.findOneAndDelete({ collection: 'docs', path: 'a' });
    await store.documents.replace(document({ path: 'a', text: 'heron\n\nstork', vectors: [vector(0)] }));
    const change = document({ path: 'a', text: 'egret', vectors: [vector(0)] });
    const replaced = await between(
      'insert',
      () => store.documents.replace({ ...change, archive: { keep: 3 } }),
      losesRecord,
    );
    assert.deepEqual(replaced, { replaced: true, chunksRemoved: 2 });
    assert.deepEqual(await store.check(), { ok: true, problems: [] });
    const [version] = await store.versions.list('docs', 'a');
    assert.equal(await store.versions.text('docs', 'a', version!.sha256), 'heron\n\nstork');
    assert.equal(await between('delete', () => store.documents.remove('docs', 'a'), losesRecord), true);
    assert.deepEqual(await store.check(), { ok: true, problems: [] });
    for (const rest of ['docs', '_vai_words', '_vai_texts', '_vai_archive'])
      assert.equal(await client.db('half').collection(rest).countDocuments({}), 0, rest);
  });

  it('a publication that fails leaves the old text and nothing staged', async () => {
    const store = await fresh('failing');
    await store.documents.replace(big('a', 'heron', 600));
    await mongod.fault({ failCommands: ['update'], errorCode: 8 }, 'alwaysOn');
    await assert.rejects(store.documents.replace(big('a', 'stork', 800)));
    await mongod.heal();
    assert.deepEqual([await count(store, 'heron'), await count(store, 'stork')], [600, 0]);
    assert.deepEqual(await store.check(), { ok: true, problems: [] });
  });

  it('staged chunks are seen by no search and swept by the next ingest', async () => {
    const store = await fresh('staged');
    await store.documents.replace(document({ path: 'a', text: 'heron', vectors: [vector(0)] }));
    // What a writer that was killed between staging and publishing leaves behind.
    const chunks = client.db('staged').collection('docs');
    const words = client.db('staged').collection('_vai_words');
    const [chunk, word] = [(await chunks.findOne({}))!, (await words.findOne({}))!];
    await chunks.insertOne({
      ...chunk,
      _id: 'left' as never,
      _vai: { ...chunk._vai, doc: 'left', staged: true },
    });
    await words.insertOne({
      ...word,
      _id: 'left:0' as never,
      doc: 'left',
      chunk: 'left',
      text: 'stork',
      staged: true,
    });
    assert.equal(await count(store, 'stork'), 0);
    const found = await store.search.vectors({ vector: vector(0), model: 'test-embed', scope: {}, limit: 5 });
    assert.equal(found.hits.length, 1);
    assert.match((await store.check()).problems[0]!, /left by an ingest that was stopped/);
    await store.documents.replace(document({ path: 'a', text: 'egret', vectors: [vector(0)] }));
    assert.equal(await chunks.countDocuments(), 1);
    assert.equal(await words.countDocuments(), 1);
    assert.deepEqual(await store.check(), { ok: true, problems: [] });
  });

  it('writers of one document wait for each other; the last one stands whole', async () => {
    const store = await fresh('conflict');
    const other = mongodbStores({ settings: { mongodbUri: mongod.uri }, now: () => new Date() });
    const second = await other.open('conflict');
    const texts = Array.from({ length: 8 }, (_, n) => `version ${n}\n\nof version ${n}`);
    await Promise.all(
      texts.map((text, n) => (n % 2 ? store : second).documents.replace(document({ path: 'a', text }))),
    );
    assert.ok(texts.includes((await store.documents.text('docs', 'a'))!));
    assert.equal((await store.documents.chunks('docs', 'a')).length, 2);
    assert.deepEqual(await store.check(), { ok: true, problems: [] });
    await other.close();
  });

  it('a removal, a renaming and a change of model that were cut short are finished by the next one', async () => {
    const store = await fresh('cut');
    const db = client.db('cut');
    await store.collections.put(collection('other'));
    for (const name of ['docs', 'other'])
      await store.documents.replace(
        document({ collection: name, path: 'a', text: 'heron', vectors: [vector(0)] }),
      );
    await mongod.fault({ failCommands: ['delete'], errorCode: 8 }, 'alwaysOn');
    await assert.rejects(store.collections.remove('other'));
    await mongod.heal();
    assert.deepEqual(
      (await store.collections.list()).map((entry) => entry.name),
      ['docs'],
    );
    assert.equal(await store.collections.get('other'), undefined);
    await mongod.fault({ failCommands: ['update'], errorCode: 8 }, { skip: 3 });
    await assert.rejects(store.collections.rename('docs', 'papers'));
    await mongod.heal();
    await store.collections.put(collection('third'));
    assert.deepEqual(
      (await store.collections.list()).map((entry) => entry.name),
      ['papers', 'third'],
    );
    assert.equal(await store.documents.text('papers', 'a'), 'heron');
    assert.equal(await db.collection('_vai_words').countDocuments(), 1);
    await mongod.fault({ failCommands: ['update'], errorCode: 8 }, { skip: 1 });
    const stamped = collection('papers', { embedding: { model: 'next', dimensions: 64 } });
    await assert.rejects(store.collections.put(stamped));
    await mongod.heal();
    const search = () =>
      store.search.vectors({
        vector: vector(0),
        model: 'next',
        scope: { collections: ['papers'] },
        limit: 5,
      });
    assert.deepEqual((await search()).hits, [], 'old vectors are not compared with the new model');
    await store.compact();
    assert.equal((await store.collections.get('papers'))!.stats.vectors, 0);
    assert.equal(await db.collection('papers').countDocuments({ embedding: { $exists: true } }), 0);
    assert.deepEqual(await store.check(), { ok: true, problems: [] });
  });

  it('replies lost on the way happen once', async () => {
    const store = await fresh('lost');
    for (const failCommands of [['insert'], ['commitTransaction'], ['delete'], ['update']]) {
      await mongod.fault({ failCommands, closeConnection: true, afterExecution: true });
      await store.documents.replace(document({ path: 'a', text: `after ${failCommands[0]}` }));
    }
    await mongod.heal();
    assert.equal((await store.collections.get('docs'))!.stats.documents, 1);
    assert.deepEqual(await store.check(), { ok: true, problems: [] });
  });

  it('a server that is killed comes back with whole documents', async () => {
    const store = await fresh('dying');
    for (let round = 0; round < 3; round += 1) {
      const writing = Promise.allSettled(
        Array.from({ length: 6 }, (_, n) => store.documents.replace(big(`p${n}`, `round${round}`, 120))),
      );
      await sleep(30 + round * 40);
      await mongod.kill();
      await mongod.revive();
      await writing;
      const health = await store.check();
      assert.deepEqual(
        health.problems.filter((problem) => !problem.includes('left by an ingest')),
        [],
      );
    }
    await store.compact();
    assert.deepEqual(await store.check(), { ok: true, problems: [] });
  });

  it('a writer killed at ten random points leaves every document whole', async () => {
    const store = await fresh('killed');
    for (let path = 0; path < 8; path += 1) await store.documents.replace(draftOf(path, 0));
    for (let round = 1; round <= 10; round += 1) {
      const child = spawn(process.execPath, [WRITER, mongod.uri, 'killed', String(round)], {
        stdio: ['ignore', 'pipe', 'inherit'],
      });
      await once(child.stdout, 'data');
      await sleep(Math.random() * 120);
      const gone = once(child, 'exit');
      child.kill('SIGKILL');
      await gone;
      const health = await store.check();
      assert.deepEqual(
        health.problems.filter((problem) => !problem.includes('left by an ingest')),
        [],
        `round ${round}`,
      );
      for (let path = 0; path < 8; path += 1) {
        const text = (await store.documents.text('docs', `p${path}`))!;
        const versions = new Set(text.match(/version \d+/g));
        assert.equal(versions.size, 1, `round ${round}: ${[...versions].join(', ')}`);
        const chunks = await store.documents.chunks('docs', `p${path}`);
        assert.equal(chunks.map((chunk) => chunk.text).join('\n\n'), text);
      }
    }
    for (let path = 0; path < 8; path += 1) await store.documents.replace(draftOf(path, 99));
    await store.compact();
    assert.deepEqual(await store.check(), { ok: true, problems: [] });
  });
});
