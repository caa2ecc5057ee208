// Contract: collections and documents.

import assert from 'node:assert/strict';
import type { Collection } from '../../src/domain/collection.ts';
import { sliceLines } from '../../src/domain/lines.ts';
import { collection, document, mentionCounts, nameChunks, query, sha256, vector } from './fixtures.ts';
import { cases, type Subject } from './harness.ts';

const place = (collection: string, path: string, start: number, end: number) => ({
  collection,
  path,
  lines: { start, end },
});

export function documentContract(subject: Subject): void {
  const check = cases(subject);

  check('a collection is created, listed, changed and counted', async ({ store }) => {
    await store.collections.put(collection('b-side', { title: 'B' }));
    const names = (await store.collections.list()).map((entry) => entry.name);
    assert.deepEqual(names, ['b-side', 'docs']);
    await store.collections.put(collection('b-side', { title: 'Other', tags: ['x'], extra: { id: 7 } }));
    const found = await store.collections.get('b-side');
    assert.equal(found?.title, 'Other');
    assert.deepEqual(found?.tags, ['x']);
    assert.deepEqual(found?.extra, { id: 7 });
    assert.deepEqual(found?.embedding, collection('x').embedding);
    assert.equal(found?.stats.documents, 0);
    assert.equal(await store.collections.get('nothing'), undefined);
  });

  check('a record is changed as it is now, also by others at the same time', async ({ store, again }) => {
    const others = await again();
    const other = await others.open('contract');
    const tag = (name: string) => (before: Readonly<Collection> | undefined) =>
      before && { ...before, tags: [...(before.tags ?? []), name] };
    const names = ['a', 'b', 'c', 'd', 'e', 'f'];
    await Promise.all(
      names.map((name, at) => (at % 2 ? other : store).collections.change('docs', tag(name))),
    );
    assert.deepEqual((await store.collections.get('docs'))!.tags!.toSorted(), names);
    await others.close();
    assert.deepEqual(await store.collections.change('docs', () => undefined), undefined);
    assert.equal((await store.collections.get('docs'))!.tags!.length, names.length);
    assert.equal(await store.collections.change('nothing', tag('a')), undefined);
    assert.equal(await store.collections.get('nothing'), undefined);
    const made = await store.collections.change('new', (before) => before ?? collection('new'));
    assert.deepEqual(made, collection('new'));
    assert.equal((await store.collections.get('new'))!.stats.documents, 0);
  });

  check('a record is changed under its new name', async ({ store }) => {
    await store.collections.rename('docs', 'papers');
    const changed = await store.collections.change('papers', (before) => before && { ...before, title: 'P' });
    assert.deepEqual([changed?.name, changed?.title], ['papers', 'P']);
    assert.equal((await store.collections.get('papers'))!.title, 'P');
  });

  check('stats follow every write', async ({ store }) => {
    const first = document({ path: 'a.md', text: 'one\n\ntwo\n', vectors: [vector(0)] });
    await store.documents.replace(first);
    await store.documents.replace(document({ path: 'b.md', text: 'three' }));
    let stats = (await store.collections.get('docs'))!.stats;
    assert.deepEqual(stats, { documents: 2, chunks: 3, vectors: 1, lines: 4, headings: 0, bytes: 14 });
    await store.documents.replace(document({ path: 'a.md', text: 'one' }));
    await store.documents.remove('docs', 'b.md');
    stats = (await store.collections.get('docs'))!.stats;
    assert.deepEqual(stats, { documents: 1, chunks: 1, vectors: 0, lines: 1, headings: 0, bytes: 3 });
  });

  check('a document comes back as it was written', async ({ store }) => {
    const text = '\u00e9t\u00e9 \ud83d\ude00\r\nsecond line\r\n\r\nthird \u4f60\u597d\u0000end\n';
    const written = document({
      path: 'folder/a b:c.md',
      text,
      title: 'T',
      metadata: { type: 'x', deep: { list: [1, null, 'a'] } },
      headings: [['Top', 'Inner'], []],
    });
    written.info.rawSha256 = sha256('raw');
    written.info.origin = 'https://example.org/a';
    written.info.indexedWith = { version: '1', chunking: { strategy: 'fixed', size: 100, overlap: 5 } };
    written.chunks[0]!.page = 3;
    written.headings = [
      {
        level: 1,
        text: 'Top',
        path: ['Top'],
        line: 1,
        block: { start: 1, end: 2 },
        section: { start: 1, end: 4 },
        anchor: 'top',
      },
    ];
    const answer = await store.documents.replace(written);
    assert.deepEqual(answer, { replaced: false, chunksRemoved: 0 });
    assert.deepEqual(await store.documents.get('docs', 'folder/a b:c.md'), written.info);
    assert.equal(await store.documents.text('docs', 'folder/a b:c.md'), text);
    assert.deepEqual(await store.documents.headings('docs', 'folder/a b:c.md'), written.headings);
    const chunks = await store.documents.chunks('docs', 'folder/a b:c.md');
    assert.equal(chunks.length, written.chunks.length);
    chunks.forEach((chunk, index) => {
      const wanted = written.chunks[index]!;
      for (const key of ['ordinal', 'startLine', 'endLine', 'start', 'end', 'text'] as const)
        assert.equal(chunk[key], wanted[key], key);
      assert.deepEqual(chunk.headingPath, wanted.headingPath);
      assert.deepEqual(chunk.block, wanted.block);
      assert.equal(chunk.page, wanted.page);
      assert.equal(chunk.collection, 'docs');
      assert.equal(chunk.path, 'folder/a b:c.md');
      assert.equal(chunk.title, 'T');
      assert.equal(chunk.sha256, written.info.sha256);
      assert.equal(chunk.origin, 'https://example.org/a');
      assert.equal(chunk.totalChunks, written.chunks.length);
      assert.deepEqual(chunk.metadata, written.info.metadata);
    });
  });

  check('what is not there is undefined, empty or false', async ({ store }) => {
    for (const name of ['docs', 'nothing']) {
      assert.equal(await store.documents.get(name, 'x'), undefined);
      assert.equal(await store.documents.text(name, 'x'), undefined);
      assert.deepEqual(await store.documents.lines([place(name, 'x', 1, 1)]), [undefined]);
      assert.equal(await store.documents.headings(name, 'x'), undefined);
      assert.deepEqual(await store.documents.chunks(name, 'x'), []);
      assert.equal(await store.documents.remove(name, 'x'), false);
    }
    assert.equal(await store.collections.remove('nothing'), false);
    await assert.rejects(store.documents.replace(document({ collection: 'nothing', path: 'x', text: 'x' })), {
      code: 'COLLECTION_NOT_FOUND',
    });
  });

  check('lines are exact wherever the stored text is split', async ({ store }) => {
    const lines = Array.from({ length: 3000 }, (_, n) => `line ${n + 1} ${'\u00fc'.repeat(n % 17)}`);
    lines[1500] = '\ud83d\ude00'.repeat(30_000);
    const text = lines.join('\n') + '\r\n';
    await store.documents.replace(document({ path: 'long.txt', text }));
    assert.equal(await store.documents.text('docs', 'long.txt'), text);
    const ranges = [
      { start: 1, end: 1 },
      { start: 1500, end: 1503 },
      { start: 1501, end: 1501 },
      { start: 1502, end: 1502 },
      { start: 3000, end: 3000 },
      { start: 2990, end: 9000 },
      { start: 3001, end: 3002 },
      { start: 1, end: 3000 },
    ];
    await store.documents.replace(document({ path: 'other.txt', text: 'one\ntwo' }));
    const places = ranges.map(({ start, end }) => place('docs', 'long.txt', start, end));
    const found = await store.documents.lines([
      place('docs', 'other.txt', 2, 2),
      ...places,
      place('docs', 'none', 1, 1),
    ]);
    assert.deepEqual(found, ['two', ...ranges.map((range) => sliceLines(text, range)), undefined]);
  });

  check('an empty document is a document', async ({ store }) => {
    await store.documents.replace(document({ path: 'empty', text: '' }));
    assert.equal(await store.documents.text('docs', 'empty'), '');
    assert.deepEqual(await store.documents.lines([place('docs', 'empty', 1, 5)]), ['']);
    assert.deepEqual(await store.documents.chunks('docs', 'empty'), []);
    assert.equal((await store.check()).ok, true);
  });

  check('replacing leaves nothing of the old text', async ({ store, settled }) => {
    await store.documents.replace(document({ path: 'a', text: 'zebra old\n\nsecond', vectors: [vector(0)] }));
    const old = await store.documents.chunks('docs', 'a');
    const answer = await store.documents.replace(document({ path: 'a', text: 'giraffe new' }));
    await settled();
    assert.deepEqual(answer, { replaced: true, chunksRemoved: 2 });
    const words = (text: string) => store.search.words({ query: query([text]), scope: {}, limit: 10 });
    assert.equal((await words('zebra')).hits.length, 0);
    assert.equal((await words('giraffe')).hits.length, 1);
    const meaning = await store.search.vectors({
      vector: vector(0),
      model: 'test-embed',
      scope: {},
      limit: 5,
    });
    assert.deepEqual(meaning.hits, []);
    const gone = await store.search.chunks(old.map((chunk) => chunk.id));
    assert.ok(
      gone.every((chunk) => chunk.text === 'giraffe new'),
      'a stale id never shows another text',
    );
    assert.equal((await store.check()).ok, true);
  });

  check('a write that fails changes nothing', async ({ store }) => {
    await store.documents.replace(document({ path: 'a', text: 'before' }));
    const wrong = document({ path: 'a', text: 'after\n\nmore', vectors: [vector(0), new Float32Array(3)] });
    await assert.rejects(store.documents.replace(wrong), { code: 'DIMENSION_MISMATCH' });
    assert.equal(await store.documents.text('docs', 'a'), 'before');
    assert.equal((await store.collections.get('docs'))!.stats.documents, 1);
    assert.equal((await store.check()).ok, true);
  });

  check('documents handed in together: one that fails does not harm the others', async ({ store }) => {
    const writes = Array.from({ length: 40 }, (_, n) =>
      document({ path: `p${n}`, text: `text ${n}`, ...(n === 7 ? { vectors: [new Float32Array(5)] } : {}) }),
    );
    const results = await Promise.allSettled(writes.map((write) => store.documents.replace(write)));
    assert.deepEqual(
      results.flatMap((result, n) => (result.status === 'rejected' ? [n] : [])),
      [7],
    );
    assert.equal((await store.collections.get('docs'))!.stats.documents, 39);
    assert.equal((await store.check()).ok, true);
  });

  check('documents are paged in the order of their paths', async ({ store }) => {
    const paths = ['', 'a', 'a/b', 'a/c', 'b', 'z'];
    for (const path of [...paths].reverse()) await store.documents.replace(document({ path, text: path }));
    const seen: string[] = [];
    let after: string | undefined;
    for (let pages = 0; pages < 10; pages += 1) {
      const page = await store.documents.list('docs', {
        limit: 2,
        ...(after === undefined ? {} : { after }),
      });
      seen.push(...page.documents.map((info) => info.path));
      assert.ok(page.documents.length <= 2);
      after = page.next;
      if (after === undefined) break;
    }
    assert.deepEqual(seen, paths);
    assert.deepEqual((await store.documents.list('nothing', { limit: 5 })).documents, []);
  });

  check('touch records a check, move keeps everything', async ({ store, settled }) => {
    const graph = [{ entities: [entity('Kappa')] }];
    await store.documents.replace(document({ path: 'old', text: 'kappa', vectors: [vector(0)], graph }));
    await nameChunks(store, { path: 'old' }, [['kappa']]);
    await store.documents.touch('docs', 'old', '2026-02-02T00:00:00.000Z');
    await store.documents.move('docs', 'old', 'new/place');
    await settled();
    assert.equal(await store.documents.get('docs', 'old'), undefined);
    const moved = await store.documents.get('docs', 'new/place');
    assert.equal(moved?.fetchedAt, '2026-02-02T00:00:00.000Z');
    const hits = await store.search.words({ query: query(['kappa']), scope: {}, limit: 5 });
    const [chunk] = await store.search.chunks(hits.hits.map((hit) => hit.id));
    assert.equal(chunk?.path, 'new/place');
    const evidence = await store.graph.entityEvidence(['kappa'], { scope: undefined, limit: 5 });
    assert.equal(evidence.get('kappa')?.evidence[0]?.path, 'new/place');
    assert.equal((await mentionCounts(store, ['kappa'])).get('kappa'), 1);
    assert.deepEqual(await store.graph.unnamed(undefined, 100), [], 'its names move with it');
    const meaning = await store.search.vectors({
      vector: vector(0),
      model: 'test-embed',
      scope: {},
      limit: 5,
    });
    assert.equal(meaning.hits.length, 1);
    await assert.rejects(store.documents.move('docs', 'old', 'x'), { code: 'DOCUMENT_NOT_FOUND' });
  });

  check('removing a collection removes everything in it and nothing else', async ({ store, settled }) => {
    await store.collections.put(collection('other'));
    for (const name of ['docs', 'other']) {
      await store.documents.replace(
        document({
          collection: name,
          path: 'a',
          text: `shared ${name}`,
          vectors: [vector(0)],
          graph: [{ entities: [entity('M')] }],
        }),
      );
      await nameChunks(store, { collection: name, path: 'a' }, [['m']]);
      await store.versions.record({ at: '2026-01-01', collection: name, path: 'a', result: 'added' });
    }
    assert.equal(await store.collections.remove('docs'), true);
    await settled();
    const hits = await store.search.words({ query: query(['shared']), scope: {}, limit: 5 });
    assert.equal(hits.hits.length, 1);
    const meaning = await store.search.vectors({
      vector: vector(0),
      model: 'test-embed',
      scope: {},
      limit: 5,
    });
    assert.equal(meaning.hits.length, 1);
    assert.equal((await mentionCounts(store, ['m'])).get('m'), 1);
    assert.equal((await store.graph.counts(undefined)).entities, 1);
    assert.equal((await store.versions.history(undefined, 10)).length, 1);
    assert.equal(await store.documents.get('docs', 'a'), undefined);
    assert.equal((await store.check()).ok, true);
    await store.collections.put(collection('docs'));
    assert.equal((await store.collections.get('docs'))!.stats.documents, 0);
  });

  check('a collection is renamed with everything in it', async ({ store, settled }) => {
    await store.documents.replace(document({ path: 'a', text: 'wandering', vectors: [vector(0)] }));
    await store.collections.put(collection('taken'));
    await assert.rejects(store.collections.rename('docs', 'taken'), { code: 'SOURCE_EXISTS' });
    await assert.rejects(store.collections.rename('nothing', 'x'), { code: 'COLLECTION_NOT_FOUND' });
    await store.collections.rename('docs', 'papers');
    await settled();
    assert.equal(await store.collections.get('docs'), undefined);
    assert.equal((await store.collections.get('papers'))!.stats.documents, 1);
    const scope = { collections: ['papers'] };
    const hits = await store.search.words({ query: query(['wandering']), scope, limit: 5 });
    const [chunk] = await store.search.chunks(hits.hits.map((hit) => hit.id));
    assert.equal(chunk?.collection, 'papers');
    assert.equal(await store.documents.text('papers', 'a'), 'wandering');
  });

  check('a changed embedding stamp drops the vectors and keeps the words', async ({ store, settled }) => {
    await store.documents.replace(document({ path: 'a', text: 'steady', vectors: [vector(0)] }));
    await store.collections.put(collection('docs', { embedding: { model: 'next', dimensions: 128 } }));
    await settled();
    assert.equal((await store.collections.get('docs'))!.stats.vectors, 0);
    const meaning = await store.search.vectors({
      vector: vector(0, 128),
      model: 'next',
      scope: {},
      limit: 5,
    });
    assert.deepEqual(meaning.hits, []);
    const hits = await store.search.words({ query: query(['steady']), scope: {}, limit: 5 });
    assert.equal(hits.hits.length, 1);
  });

  check('another process sees what was written', async ({ store, again, settled }) => {
    const others = await again();
    const other = await others.open('contract');
    assert.deepEqual((await other.documents.list('docs', { limit: 5 })).documents, []);
    await store.documents.replace(document({ path: 'a', text: 'visible' }));
    await settled();
    assert.equal(await other.documents.text('docs', 'a'), 'visible');
    const hits = await other.search.words({ query: query(['visible']), scope: {}, limit: 5 });
    assert.equal(hits.hits.length, 1);
    await other.documents.replace(document({ path: 'b', text: 'answered' }));
    assert.equal(await store.documents.text('docs', 'b'), 'answered');
    await others.close();
  });

  check('databases are kept apart and listed', async ({ stores, store }) => {
    const second = await stores.open('second');
    await second.collections.put(collection('docs'));
    await second.documents.replace(document({ path: 'a', text: 'apart' }));
    assert.equal(await store.documents.text('docs', 'a'), undefined);
    assert.equal(await stores.open('second'), second);
    const names = await stores.list();
    assert.ok(names.includes('contract') && names.includes('second'));
    await assert.rejects(stores.open('../x'), { code: 'INVALID_INPUT' });
  });
}

function entity(name: string) {
  return { key: name.toLowerCase(), name, type: 'CONCEPT', startLine: 1, endLine: 1 };
}
