// Contract: versions, history, cache, locks, small records, upkeep.

import assert from 'node:assert/strict';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { collection, document, mentionCounts, MODEL, nameChunks, query, sha256, vector } from './fixtures.ts';
import { cases, type Subject } from './harness.ts';
import { tempFolder } from '../support/temp-folder.ts';

export function recordContract(subject: Subject): void {
  const check = cases(subject);

  check('replaced texts are archived, the oldest dropped', async ({ store, pass }) => {
    const texts = ['one\n', 'two\n', 'three\n', 'four\n'];
    for (const text of texts) {
      pass(1000);
      await store.documents.replace(document({ path: 'a', text, more: { archive: { keep: 2 } } }));
    }
    const versions = await store.versions.list('docs', 'a');
    assert.deepEqual(
      versions.map((version) => version.sha256),
      [sha256('three\n'), sha256('two\n')],
    );
    assert.equal(versions[0]!.archivedAt, '2026-03-01T00:00:04.000Z');
    assert.deepEqual([versions[0]!.lines, versions[0]!.bytes], [1, 6]);
    assert.equal(await store.versions.text('docs', 'a', sha256('two\n').slice(0, 8)), 'two\n');
    assert.equal(await store.versions.text('docs', 'a', sha256('one\n').slice(0, 8)), undefined);
    await store.documents.replace(document({ path: 'a', text: 'four\n', more: { archive: { keep: 2 } } }));
    assert.equal((await store.versions.list('docs', 'a')).length, 2, 'the same text again is no new version');
    await store.documents.replace(document({ path: 'copy', text: 'two\n' }));
    assert.deepEqual(await store.versions.pathsOf('docs', sha256('two\n').slice(0, 8)), ['copy', 'a']);
    assert.deepEqual(await store.versions.pathsOf('docs', sha256('four\n').toUpperCase()), ['a']);
    assert.deepEqual(await store.versions.pathsOf('docs', sha256('one\n').slice(0, 8)), []);
    assert.deepEqual(await store.versions.pathsOf('nothing', sha256('two\n').slice(0, 8)), []);
    await store.documents.move('docs', 'a', 'b');
    assert.deepEqual(await store.versions.pathsOf('docs', sha256('three\n').slice(0, 8)), ['b']);
    assert.equal((await store.versions.list('docs', 'b')).length, 2);
    await store.documents.remove('docs', 'b');
    assert.deepEqual(await store.versions.list('docs', 'b'), []);
  });

  check('a text that was archived elsewhere is kept with the others', async ({ store }) => {
    await store.documents.replace(document({ path: 'a', text: 'now' }));
    const version = (text: string, archivedAt: string) => ({
      ...{ sha256: sha256(text), fetchedAt: '2025-01-01T00:00:00.000Z', archivedAt },
      ...{ lines: 1, headings: 0, bytes: text.length, text },
    });
    await store.versions.keep('docs', 'a', version('oldest', '2025-02-01T00:00:00.000Z'));
    await store.versions.keep('docs', 'a', version('older', '2025-03-01T00:00:00.000Z'));
    await store.documents.replace(document({ path: 'a', text: 'new', more: { archive: { keep: 2 } } }));
    assert.deepEqual(
      (await store.versions.list('docs', 'a')).map(({ sha256 }) => sha256),
      ['now', 'older'].map(sha256),
    );
    assert.equal(await store.versions.text('docs', 'a', sha256('older')), 'older');
    assert.deepEqual(await store.check(), { ok: true, problems: [] });
  });

  check('history is newest first and written with the document', async ({ store }) => {
    await store.collections.put(collection('other'));
    const event = {
      at: '2026-01-01T00:00:00.000Z',
      collection: 'docs',
      path: 'a',
      result: 'added',
      linesAfter: 1,
    } as const;
    await store.documents.replace(document({ path: 'a', text: 'x', more: { event } }));
    await store.versions.record({
      at: '2026-01-02T00:00:00.000Z',
      collection: 'other',
      path: '',
      result: 'failed',
      message: 'no',
    });
    await store.versions.record({
      at: '2026-01-03T00:00:00.000Z',
      collection: 'docs',
      path: 'a',
      result: 'unchanged',
    });
    const all = await store.versions.history(undefined, 10);
    assert.deepEqual(
      all.map((found) => found.result),
      ['unchanged', 'failed', 'added'],
    );
    assert.deepEqual((await store.versions.history('docs', 10))[1], event);
    assert.equal((await store.versions.history('docs', 1)).length, 1);
    assert.deepEqual(await store.versions.history('nothing', 5), []);
  });

  check('the cache keeps bytes by namespace and drops the oldest', async ({ store }) => {
    const bytes = (n: number) => new Uint8Array(100).fill(n);
    await store.cache.put(
      'a',
      new Map([
        ['k1', bytes(1)],
        ['k2', bytes(2)],
      ]),
    );
    await store.cache.put('a', new Map([['k3', bytes(3)]]));
    await store.cache.put('b', new Map([['k1', bytes(9)]]));
    const found = await store.cache.get('a', ['k1', 'k3', 'absent']);
    assert.deepEqual([...found.keys()].sort(), ['k1', 'k3']);
    assert.deepEqual([...found.get('k3')!], [...bytes(3)]);
    await store.cache.put('a', new Map([['k1', bytes(7)]]));
    await store.cache.trim('a', 250);
    const left = await store.cache.get('a', ['k1', 'k2', 'k3']);
    assert.deepEqual([...left.keys()].sort(), ['k1', 'k3'], 'k1 was written again and is young');
    assert.equal(left.get('k1')![0], 7);
    await store.cache.trim('a', 0);
    assert.equal((await store.cache.get('a', ['k1', 'k2', 'k3'])).size, 0);
    assert.equal((await store.cache.get('b', ['k1'])).size, 1);
    await store.cache.put('a', new Map());
  });

  check(
    'a lock is held by one, renewed, released, and free when it is not renewed',
    async ({ store, again }) => {
      const others = await again();
      const other = await others.open('contract');
      const first = await store.lock('ingest', 'step 1', 10_000);
      assert.equal(first.held, true);
      const second = await other.lock('ingest', 'me too', 10_000);
      assert.deepEqual(second, { held: false, info: 'step 1', since: '2026-03-01T00:00:00.000Z' });
      assert.ok(first.held);
      await first.renew('step 2');
      const third = await other.lock('ingest', 'x', 10_000);
      assert.ok(!third.held && third.info === 'step 2');
      assert.equal((await other.lock('another', 'x', 10_000)).held, true);
      await first.release();
      const fourth = await other.lock('ingest', 'mine', 10_000);
      assert.equal(fourth.held, true);
      // Not from the first look on: then nobody knows how long it has been so.
      assert.equal((await store.lock('ingest', 'a look', 1)).held, false);
      while (!(await store.lock('ingest', 'taken over', 1)).held);
      assert.ok(fourth.held);
      await assert.rejects(fourth.renew('too late'), { code: 'INDEX_BUSY' });
      await fourth.release();
      assert.equal((await other.lock('ingest', 'x', 10_000)).held, false, 'an old holder releases nothing');
      await others.close();
    },
  );

  check('two that ask for a lock at once do not both get it', async ({ store, again }) => {
    const others = await again();
    const other = await others.open('contract');
    const asked = await Promise.all(
      Array.from({ length: 10 }, (_, n) => (n % 2 ? store : other).lock('one', `n${n}`, 60_000)),
    );
    assert.equal(asked.filter((answer) => answer.held).length, 1);
    await others.close();
  });

  check('small records are kept', async ({ store }) => {
    assert.equal(await store.getMeta('x'), undefined);
    await store.setMeta('x', '1');
    await store.setMeta('x', 'two');
    assert.equal(await store.getMeta('x'), 'two');
  });

  check('it answers a ping, reports its size and is sound', async ({ store, stores }) => {
    await store.ping();
    await stores.ping();
    await store.documents.replace(document({ path: 'a', text: 'x' }));
    assert.ok((await store.bytes()) > 0);
    assert.deepEqual(await store.check(), { ok: true, problems: [] });
  });

  check('compacting keeps everything', async ({ store, settled }) => {
    for (let n = 0; n < 20; n += 1)
      await store.documents.replace(document({ path: `p${n}`, text: `badger ${n}` }));
    for (let n = 0; n < 10; n += 1) await store.documents.remove('docs', `p${n}`);
    await store.compact();
    await settled();
    const hits = await store.search.words({ query: query(['badger']), scope: {}, limit: 50 });
    assert.equal(hits.hits.length, 10);
    assert.equal((await store.check()).ok, true);
  });

  check('a backup is a whole copy in one file', async ({ store }) => {
    await store.documents.replace(document({ path: 'a', text: 'kept safe' }));
    const folder = tempFolder('contract');
    const file = join(folder, "it's a copy.db");
    await store.backup(file);
    assert.ok(existsSync(file));
    await assert.rejects(store.backup(file), { code: 'INVALID_INPUT' });
    assert.ok(existsSync(file), 'a refused backup leaves the older one');
  });

  check(
    'a backup is restored as it was, into a database that is not there yet',
    async ({ store, stores, settled }) => {
      for (const text of ['kept safe\n\nand sound', 'kept safer\n\nand sounder'])
        await store.documents.replace(
          document({
            path: 'a',
            text,
            vectors: [vector(0), vector(1)],
            metadata: { team: 'x' },
            more: { archive: { keep: 2 } },
          }),
        );
      await nameChunks(store, { path: 'a' }, [['safe'], []]);
      const folder = tempFolder('contract');
      const file = join(folder, 'copy');
      await store.backup(file);
      await store.documents.replace(document({ path: 'a', text: 'changed since' }));
      await stores.restore('second', file);
      const second = await stores.open('second');
      await settled();
      assert.deepEqual(
        (await second.collections.list()).map(({ name, stats }) => [name, stats.documents, stats.vectors]),
        [['docs', 1, 2]],
      );
      assert.equal(await second.documents.text('docs', 'a'), 'kept safer\n\nand sounder');
      assert.equal((await second.versions.list('docs', 'a')).length, 1);
      assert.equal((await mentionCounts(second, ['safe'])).get('safe'), 1);
      const words = await second.search.words({ query: query(['sounder']), scope: {}, limit: 5 });
      assert.equal(words.hits.length, 1);
      const near = await second.search.vectors({ vector: vector(1), model: MODEL, scope: {}, limit: 1 });
      assert.equal((await second.search.chunks(near.hits.map(({ id }) => id)))[0]?.text, 'and sounder');
      assert.deepEqual(await second.check(), { ok: true, problems: [] });
      await assert.rejects(stores.restore('second', file), { code: 'SOURCE_EXISTS' });
      await assert.rejects(stores.restore('third', join(folder, 'nothing')), { code: 'FILE_UNREADABLE' });
      writeFileSync(join(folder, 'odd'), 'not a backup');
      await assert.rejects(stores.restore('third', join(folder, 'odd')), { code: 'UNSUPPORTED_FORMAT' });
      writeFileSync(join(folder, 'half'), readFileSync(file).subarray(0, 600));
      await assert.rejects(stores.restore('third', join(folder, 'half')), { code: 'UNSUPPORTED_FORMAT' });
    },
  );

  check('indexes are listed', async ({ store }) => {
    const indexes = await store.indexes.list('docs');
    for (const index of indexes) {
      assert.ok(['vector', 'text'].includes(index.type));
      assert.ok(index.name !== '' && Array.isArray(index.filterFields));
    }
    await assert.rejects(store.indexes.list('nothing'), { code: 'COLLECTION_NOT_FOUND' });
  });
}
