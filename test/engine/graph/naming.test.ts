// Names are looked for when relations are asked for: all of them, once, in parts, whoever asks and however often.

import assert from 'node:assert/strict';
import { join } from 'node:path';
import { test } from 'node:test';
import { BLOCK_PROFILE } from '../../../src/domain/chunk.ts';
import { VaiError } from '../../../src/domain/errors.ts';
import { completeNames } from '../../../src/engine/graph/naming.ts';
import { mentionKeys, TOPIC } from '../../../src/engine/graph/mentions/mentions.ts';
import { graphKey } from '../../../src/domain/name-key.ts';
import { relationScores } from '../../../src/engine/graph/retrieve.ts';
import { assemble } from '../../../src/engine/index/prepare.ts';
import { analyse } from '../../../src/engine/text/analyse.ts';
import type { GraphReads } from '../../../src/ports/graph-store.ts';
import type { Store } from '../../../src/ports/store.ts';
import { connect } from '../../../src/stores/sqlite/connection.ts';
import { createStore } from '../../../src/stores/sqlite/store.ts';
import { sqliteStores } from '../../../src/stores/sqlite/stores.ts';
import { collection, mentionCounts } from '../../contract/fixtures.ts';
import { call, using, type Folder } from '../../support/graph-folder.ts';

const now = () => new Date('2026-03-01T00:00:00.000Z');
const homeOf = (folder: Folder): string => join(folder.root, 'home');

async function withStore(work: (store: Store, folder: Folder) => Promise<void>): Promise<void> {
  await using(async (folder) => {
    const stores = sqliteStores({ home: homeOf(folder), now });
    const store = await stores.open('vai');
    await store.collections.put(collection('docs', { embedding: undefined }));
    await work(store, folder).finally(() => stores.close());
  });
}

async function add(store: Store, path: string, text: string, more: { title?: string } = {}): Promise<void> {
  const syntax = path.endsWith('.md') ? ('markdown' as const) : ('plain' as const);
  const input = { collection: 'docs', path, read: { text, syntax }, fetchedAt: '', profile: BLOCK_PROFILE };
  await store.documents.replace(assemble({ ...input, ...more }, analyse({ ...input, ...more })).write);
}

/** The same store, which tells what it is asked to write. */
function watched(store: Store, name: (keys: Parameters<GraphReads['name']>[0]) => Promise<void>): Store {
  return { ...store, graph: { ...store.graph, name } };
}

/** A store that keeps the ids of the chunks it is given names of. */
function counting(store: Store): { store: Store; ids: string[]; parts: number[] } {
  const ids: string[] = [];
  const parts: number[] = [];
  const counted = watched(store, async (keys) => {
    ids.push(...keys.keys());
    parts.push(keys.size);
    await store.graph.name(keys);
  });
  return { store: counted, ids, parts };
}

const waiting = async (store: Store): Promise<number> => (await store.graph.unnamed(undefined, 1)).length;
const count = async (store: Store, name: string): Promise<number | undefined> => {
  const key = graphKey(name);
  return (await mentionCounts(store, [key])).get(key);
};

/** A text of many parts with a name of its own in each. */
const long = (parts: number): string =>
  Array.from(
    { length: parts },
    (_, part) =>
      `# Part ${part}\n\nHere Ada Lovelace meets Thing${part}. ${'More words follow. '.repeat(60)}\n`,
  ).join('\n');

test('ingest looks for no names, and the first question finds them all', () =>
  using(async (folder) => {
    folder.write('a.md', '# Vault\n\nVault keeps the seal of Redis.\n');
    folder.write('b.md', '# Redis\n\nRedis is asked by Kafka.\n');
    folder.write('c.md', '# Kafka\n\nKafka has brokers.\n');
    const engine = await folder.open();
    await engine.ingest.files(call, { paths: [folder.docs], collection: 'plain', model: 'none' });
    const stores = sqliteStores({ home: homeOf(folder), now });
    const store = await stores.open('vai');
    assert.equal(await count(store, 'redis'), 0);
    assert.equal(await waiting(store), 1);
    const ask = async (collections: string[], mode: 'graph' | 'relations') =>
      (await engine.search.run(call, { query: 'What does Vault protect?', collections, mode, limit: 5 }))
        .hits;
    await engine.search.run(call, { query: 'Vault', collections: ['plain'], mode: 'hybrid', limit: 5 });
    assert.equal(await waiting(store), 1, 'other searches need none');
    const hits = await ask(['plain'], 'relations');
    assert.deepEqual(
      hits.map((hit) => hit.path).sort(),
      ['a.md', 'b.md'],
      'one by its name, one by the name they share',
    );
    assert.equal(await waiting(store), 0);
    assert.equal(await count(store, 'redis'), 2);
    assert.deepEqual(await ask(['plain'], 'relations'), hits);

    await engine.graph.index(call, {});
    assert.equal(await waiting(store), 0, 'an index run leaves nothing to do');
    await engine.graph.build(call, { collection: 'plain' });
    assert.equal(await waiting(store), 0, 'nor does building the typed graph');
    assert.equal(await count(store, 'redis'), 4);
    assert.deepEqual(
      (await ask(['docs'], 'relations')).map((hit) => hit.path),
      hits.map((hit) => hit.path),
    );
    await stores.close();
  }));

test('names are those of the text under its headings, or under its title where it has none', () =>
  withStore(async (store) => {
    const text = 'The scheduler asks etcd_v3 about Ada Lovelace.';
    await add(store, 'headed.md', `# Networking\n\n## Services\n\n${text}\n`);
    await add(store, 'deep/titled.txt', text, { title: 'Kubelet' });
    await add(store, 'deep/named.txt', text);
    await completeNames(store, undefined, {});
    const expected = { 'headed.md': undefined, 'deep/titled.txt': ['Kubelet'], 'deep/named.txt': [] };
    for (const [path, headings] of Object.entries(expected)) {
      const chunks = await store.documents.chunks('docs', path);
      const names = await store.graph.mentionsOfChunks(chunks.map(({ id }) => id));
      assert.deepEqual(
        chunks.map(({ id }) => names.get(id)),
        chunks.map((chunk) => mentionKeys(chunk.text, headings ?? chunk.headingPath)),
      );
    }
    const keys = ['Services', 'Kubelet', 'named.txt'].map((heading) => TOPIC + graphKey(heading));
    const topics = await mentionCounts(store, keys);
    assert.deepEqual([...topics.values()], [1, 1, 0]);
  }));

test('an edited text is looked at again, others are not', () =>
  withStore(async (store) => {
    const { store: counted, ids } = counting(store);
    for (const path of ['a.md', 'b.md', 'c.md']) await add(store, path, `# ${path}\n\nOf Grace Hopper.\n`);
    await completeNames(counted, ['docs'], {});
    assert.equal(ids.length, 3);
    await completeNames(counted, ['docs'], {});
    assert.equal(ids.length, 3, 'nothing is left to do');
    await add(store, 'b.md', '# b.md\n\nOf Ada Lovelace.\n');
    await completeNames(counted, ['docs'], {});
    const [chunk] = await store.documents.chunks('docs', 'b.md');
    assert.deepEqual(ids.slice(3), [chunk!.id]);
    assert.deepEqual([await count(store, 'Grace Hopper'), await count(store, 'Ada Lovelace')], [2, 1]);
  }));

test('only the collections that are asked for are looked at', () =>
  withStore(async (store) => {
    await store.collections.put(collection('other', { embedding: undefined }));
    await add(store, 'a.md', '# One\n\nOf Grace Hopper.\n');
    await completeNames(store, ['other', 'nothing'], {});
    await completeNames(store, [], {});
    assert.equal(await waiting(store), 1);
    await completeNames(store, ['docs'], {});
    assert.equal(await waiting(store), 0);
  }));

test('a question without patience goes on with the names that were found, and the next one goes on finding', () =>
  withStore(async (store) => {
    await add(store, 'long.md', long(400));
    const search = {
      query: 'Ada Lovelace',
      seeds: [],
      scope: {},
      limit: 5,
      call: { patienceMs: 0 },
      alone: true,
    };
    const first = await relationScores(store, search);
    assert.match(first.incomplete ?? '', /Ask again/);
    assert.deepEqual(first.names, [graphKey('Ada Lovelace')]);
    let asked = 1;
    for (; (await relationScores(store, search)).incomplete; asked += 1) assert.ok(asked < 20);
    assert.ok(asked > 1);
    assert.equal(await waiting(store), 0);
  }));

test('a long text is done in parts; a stop keeps what was found, and the next question goes on', () =>
  withStore(async (store) => {
    await add(store, 'long.md', long(900));
    const { store: counted, ids, parts } = counting(store);
    const stop = new AbortController();
    const steps: number[] = [];
    const stopped = completeNames(counted, undefined, {
      signal: stop.signal,
      progress: ({ done }) => {
        steps.push(done);
        if (steps.length === 2) stop.abort();
      },
    });
    await assert.rejects(stopped, { code: 'CANCELLED' });
    const all = (await store.documents.chunks('docs', 'long.md')).map(({ id }) => id);
    assert.equal(parts.length, 2);
    assert.deepEqual(steps, [parts[0], parts[0]! + parts[1]!]);
    assert.ok(ids.length < all.length && ids.length > 100);
    assert.equal(await count(store, 'Ada Lovelace'), ids.length);
    await completeNames(counted, undefined, {});
    assert.deepEqual(ids, all, 'each once, in order');
    assert.ok(Math.max(...parts) < all.length / 3);
    assert.equal(await count(store, 'Thing899'), 1);
    assert.deepEqual(await store.check(), { ok: true, problems: [] });
  }));

test('questions at the same time share the work, and one that is given up does not stop the other', () =>
  withStore(async (store) => {
    await add(store, 'long.md', long(900));
    const { store: counted, ids } = counting(store);
    const stop = new AbortController();
    const first = completeNames(counted, undefined, { signal: stop.signal, progress: () => stop.abort() });
    const others = [completeNames(counted, ['docs'], {}), completeNames(counted, undefined, {})];
    await assert.rejects(first, { code: 'CANCELLED' });
    assert.deepEqual(await Promise.all(others), [undefined, undefined]);
    assert.equal(await waiting(store), 0);
    assert.equal(new Set(ids).size, ids.length, 'nothing twice');
  }));

test('two processes at once do no harm', () =>
  withStore(async (store, folder) => {
    for (let n = 0; n < 4; n += 1) await add(store, `${n}.md`, long(300));
    const stores = sqliteStores({ home: homeOf(folder), now });
    const second = await stores.open('vai');
    await Promise.all([completeNames(store, undefined, {}), completeNames(second, undefined, {})]);
    assert.equal(await waiting(second), 0);
    assert.equal(await count(second, 'Thing7'), 4);
    assert.deepEqual(await second.check(), { ok: true, problems: [] });
    await stores.close();
  }));

test('a store that cannot be written answers with the names it has, and says so', () =>
  withStore(async (store, folder) => {
    await add(store, 'a.md', '# Vault\n\nVault keeps the seal of Redis.\n');
    await completeNames(store, undefined, {});
    await add(store, 'b.md', '# Redis\n\nRedis is asked by Kafka.\n');
    const file = join(homeOf(folder), 'data', 'vai.db');
    const reader = createStore(connect('vai', file, { readOnly: true }), now);
    let asked = 0;
    const still = watched(reader, (keys) => {
      asked += 1;
      return reader.graph.name(keys);
    });
    const question = { query: 'What is Redis for?', seeds: [], scope: {}, limit: 5, call: {}, alone: true };
    for (let n = 0; n < 3; n += 1) {
      const found = await relationScores(still, question);
      assert.equal(found.lists[0]?.hits.length, 1);
      assert.match(found.incomplete!, /read-only/);
    }
    assert.equal(asked, 1, 'it is not asked again for a while');
    await completeNames(store, undefined, {});
    const whole = await relationScores(still, question);
    assert.equal(whole.incomplete, undefined, 'what another process did is seen');
    assert.equal(whole.lists[0]?.hits.length, 2);
    await reader.close();
  }));

test('a search says that names are missing', () =>
  using(async (folder) => {
    folder.write('a.md', '# Vault\n\nVault keeps the seal of Redis.\n');
    const busy = new VaiError('STORE_BUSY', 'Another process writes.');
    const engine = await folder.open({
      wrap: (store) => watched(store, () => Promise.reject(busy)),
    });
    const found = async (mode: 'words' | 'graph') => {
      const request = { query: 'Vault', collections: ['plain'], mode, limit: 5 };
      const { hits, notices } = await engine.search.run(call, request);
      assert.equal(hits.length, 1);
      return notices.map(({ code }) => code);
    };
    await engine.ingest.files(call, { paths: [folder.docs], collection: 'plain', model: 'none' });
    assert.deepEqual(await found('words'), []);
    assert.deepEqual(await found('graph'), ['names_incomplete']);
    const report = await engine.graph.index(call, {});
    assert.ok(report.warnings.some((warning) => warning.includes('Another process writes.')));
  }));

test('a store that takes nothing down ends the search for names, and a broken one its question', () =>
  withStore(async (store) => {
    await add(store, 'a.md', '# Vault\n\nVault keeps the seal of Redis.\n');
    const deaf = watched(store, () => Promise.resolve());
    assert.equal((await completeNames(deaf, undefined, {}))?.code, 'WRITE_FAILED');
    const damaged = watched(store, () => Promise.reject(new VaiError('STORE_CORRUPT', 'Damaged.')));
    await assert.rejects(completeNames(damaged, undefined, {}), { code: 'STORE_CORRUPT' });
    assert.equal(await completeNames(store, undefined, {}), undefined);
  }));
