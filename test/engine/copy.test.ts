// Copying collections from the embedded store to MongoDB and back: nothing is lost, a stopped copy goes on, and what
// does not fit is refused.

import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { definitionKey } from '../../src/domain/symbols.ts';
import { localCall } from '../../src/engine/call.ts';
import { copyCollections } from '../../src/engine/copy.ts';
import { completeNames } from '../../src/engine/graph/naming.ts';
import type { Store, Stores } from '../../src/ports/store.ts';
import { mongodbStores } from '../../src/stores/mongodb/stores.ts';
import { sqliteStores } from '../../src/stores/sqlite/stores.ts';
import { collection, document, mentionCounts, query, sha256, vector } from '../contract/fixtures.ts';
import { startMongod, type RunningMongod } from '../support/mongod/start.ts';
import { tempFolder } from '../support/temp-folder.ts';

const now = () => new Date('2026-03-01T00:00:00.000Z');

const updated = (collection: string, message: string) => ({
  collection,
  result: 'updated' as const,
  message,
});

async function fill(store: Store): Promise<void> {
  for (const name of ['docs', 'notes']) {
    await store.collections.put(collection(name, { title: `The ${name}` }));
    for (const text of ['first', 'second'])
      await store.documents.replace(
        document({
          collection: name,
          path: 'p/7.md',
          text,
          more: {
            archive: { keep: 5 },
            event: { at: now().toISOString(), path: 'p/7.md', ...updated(name, text) },
          },
        }),
      );
    for (let n = 0; n < 12; n += 1) {
      const text = `alpha ${n} of ${name}\n\nbeta ${n} useState\n\ngamma é ${n}`;
      await store.documents.replace(
        document({
          collection: name,
          path: `p/${n}.md`,
          text,
          more: { archive: { keep: 5 } },
          title: `Page ${n}`,
          metadata: { type: n % 2 ? 'odd' : 'even', tags: ['x', `n${n}`] },
          headings: [['Top'], ['Top', 'Sub']],
          vectors: [vector(n / 20), undefined, vector(1 - n / 20)],
          graph: [
            {
              entities: [
                {
                  key: 'alpha',
                  name: 'Alpha',
                  type: 'SERVICE',
                  description: `said in ${n}`,
                  startLine: 1,
                  endLine: 1,
                },
                { key: 'beta', name: 'Beta', type: 'SERVICE', startLine: 1, endLine: 1 },
              ],
              relations: [
                {
                  source: 'Alpha',
                  target: 'Beta',
                  sourceKey: 'alpha',
                  targetKey: 'beta',
                  type: 'USES',
                  startLine: 1,
                  endLine: 1,
                },
              ],
            },
          ],
        }),
      );
    }
  }
}

/** What a reader sees of a store, in a form two stores can be compared by. */
async function picture(store: Store): Promise<unknown> {
  await completeNames(store, undefined, {});
  const list = await store.collections.list();
  const words = await store.search.words({ query: query(['beta', 'useState']), scope: {}, limit: 100 });
  const meaning = await store.search.vectors({
    vector: vector(0.31),
    model: 'test-embed',
    scope: {},
    limit: 8,
  });
  const places = async (ids: string[]) =>
    (await store.search.chunks(ids)).map((c) => `${c.collection}/${c.path}:${c.startLine}-${c.endLine}`);
  return {
    collections: list,
    counts: await store.graph.counts(undefined),
    alpha: await store.graph.byKeys(['alpha'], undefined),
    names: [...(await mentionCounts(store, ['usestate', '#page3']))],
    words: (await places(words.hits.map((hit) => hit.id))).sort(),
    meaning: await places(meaning.hits.map((hit) => hit.id)),
    text: await store.documents.text('docs', 'p/7.md'),
    info: await store.documents.get('docs', 'p/7.md'),
    versions: await store.versions.list('docs', 'p/7.md'),
    older: await Promise.all(
      ['first', 'second'].map((text) => store.versions.text('docs', 'p/7.md', sha256(text))),
    ),
    history: await store.versions.history('docs', 10),
  };
}

describe('copying collections', () => {
  let mongod: RunningMongod;
  const home = tempFolder('copy');
  let embedded: Stores;
  let remote: Stores;
  before(async () => {
    mongod = await startMongod();
    embedded = sqliteStores({ home, now });
    remote = mongodbStores({ settings: { mongodbUri: mongod.uri }, now });
    await fill(await embedded.open('from'));
  });
  after(async () => {
    await embedded.close();
    await remote.close();
    await mongod.stop();
  });

  it('there and back changes nothing', async () => {
    const from = await embedded.open('from');
    const atlas = await remote.open('there');
    const back = await embedded.open('back');
    const steps: number[] = [];
    const there = await copyCollections(localCall({ progress: ({ done }) => steps.push(done) }), {
      from,
      to: atlas,
    });
    const again = await copyCollections(localCall(), { from: atlas, to: back });
    assert.deepEqual(
      there.map((c) => [c.collection, c.documents, c.copied, c.chunks, c.vectors]),
      [
        ['docs', 12, 12, 36, 24],
        ['notes', 12, 12, 36, 24],
      ],
    );
    assert.deepEqual(
      there.map((c) => c.checksum),
      again.map((c) => c.checksum),
    );
    assert.equal(steps.at(-1), 24);
    const whole = await picture(from);
    assert.deepEqual((whole as { names: unknown }).names, [
      ['usestate', 24],
      ['#page3', 6],
    ]);
    assert.deepEqual(await picture(atlas), whole);
    assert.deepEqual(await picture(back), whole);
    assert.equal((await atlas.check()).ok, true);
  });

  it('source code stays source code, and a page keeps its number', async () => {
    const code = await embedded.open('code');
    await code.collections.put(collection('lib'));
    const write = document({ collection: 'lib', path: 'src/tide.ts', text: 'function ebbFlow() {}' });
    Object.assign(write.chunks[0]!, { defines: ['ebbFlow'], page: 3 });
    await code.documents.replace(write);
    const to = await embedded.open('code-copy');
    await copyCollections(localCall(), { from: code, to });
    const [chunk] = await to.documents.chunks('lib', 'src/tide.ts');
    assert.deepEqual([chunk!.defines, chunk!.page], [['ebbFlow'], 3]);
    assert.equal((await to.search.words({ query: query(['tide']), scope: {}, limit: 1 })).total, 1);
    const names = [definitionKey('ebbFlow')];
    assert.deepEqual(await to.search.pages({ names, scope: {}, limit: 1 }), [chunk!.id]);
  });

  it('a copy that is stopped goes on where it was', async () => {
    const from = await embedded.open('from');
    const to = await remote.open('resumed');
    const stop = new AbortController();
    const call = localCall({ signal: stop.signal, progress: ({ done }) => done === 5 && stop.abort() });
    await assert.rejects(copyCollections(call, { from, to, collections: ['docs'] }), { code: 'CANCELLED' });
    assert.equal((await to.collections.get('docs'))!.stats.documents, 5);
    await to.documents.replace(document({ path: 'p/0.md', text: 'spoiled' }));
    const [rest] = await copyCollections(localCall(), { from, to, collections: ['docs'] });
    assert.deepEqual([rest!.copied, rest!.unchanged, rest!.documents], [8, 4, 12]);
    const [none] = await copyCollections(localCall(), { from, to, collections: ['docs'] });
    assert.deepEqual([none!.copied, none!.unchanged], [0, 12]);
  });

  it('another name, an unknown one, and a model that does not fit', async () => {
    const from = await embedded.open('from');
    const to = await remote.open('named');
    const [copied] = await copyCollections(localCall(), {
      from,
      to,
      collections: ['docs'],
      rename: 'papers',
    });
    assert.equal(copied!.target, 'papers');
    assert.equal((await to.collections.get('papers'))!.stats.documents, 12);
    await assert.rejects(copyCollections(localCall(), { from, to, collections: ['nothing'] }), {
      code: 'COLLECTION_NOT_FOUND',
    });
    await to.collections.put(collection('notes', { embedding: { model: 'else', dimensions: 64 } }));
    await to.documents.replace(document({ collection: 'notes', path: 'a', text: 'x', vectors: [vector(0)] }));
    await assert.rejects(copyCollections(localCall(), { from, to, collections: ['notes'] }), {
      code: 'MODEL_MISMATCH',
    });
  });

  it('a failing server stops it with an error and leaves whole documents', async () => {
    const from = await embedded.open('from');
    const impatient = mongodbStores({
      settings: { mongodbUri: mongod.uri },
      now,
      limits: { patienceMs: 1000 },
    });
    try {
      await mongod.fault({ failCommands: ['insert'], errorCode: 8000 }, { skip: 30 });
      await assert.rejects(copyCollections(localCall(), { from, to: await impatient.open('failing') }));
    } finally {
      await impatient.close();
    }
    await mongod.heal();
    // Another connection: the first may remember for some seconds that the server was away.
    const to = await remote.open('failing');
    assert.deepEqual(await to.check(), { ok: true, problems: [] });
    const done = await copyCollections(localCall(), { from, to });
    assert.ok(done.every((c) => c.documents === 12));
    assert.deepEqual(await picture(to), await picture(from));
  });
});
