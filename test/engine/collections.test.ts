// Collections, databases and upkeep through the whole engine on the embedded store.

import assert from 'node:assert/strict';
import { existsSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import { localCall } from '../../src/engine/call.ts';
import { tempEngine, type TempEngine } from '../support/temp-engine.ts';

const call = localCall();
let temp: TempEngine;

before(async () => {
  temp = await tempEngine();
  for (const source of ['a', 'b', 'c', 'd', 'e'])
    await temp.engine.ingest.text(call, { collection: 'Notes', source, text: `A note about ${source}.` });
});
after(() => temp.close());

describe('collections', () => {
  it('are counted, with their indexes', async () => {
    const { database, store, collections } = await temp.engine.collections.list(call);
    assert.deepEqual([database, store], ['vai', 'sqlite']);
    const [notes] = collections;
    assert.deepEqual([notes!.name, notes!.stats.documents, notes!.stats.vectors], ['Notes', 5, 5]);
    assert.ok(notes!.indexes.every(({ status }) => status === 'ready'));
  });

  it('are found whatever the case, and suggested when misspelt', async () => {
    assert.equal((await temp.engine.collections.get(call, { name: 'notes' })).name, 'Notes');
    await assert.rejects(temp.engine.collections.get(call, { name: 'Nots' }), {
      code: 'COLLECTION_NOT_FOUND',
      suggestions: ['Notes'],
    });
  });

  it('list their documents page by page, each once', async () => {
    const paths: string[] = [];
    let next: string | undefined;
    do {
      const page = await temp.engine.collections.documents(call, {
        collection: 'Notes',
        limit: 2,
        ...(next ? { after: next } : {}),
      });
      paths.push(...page.documents.map(({ path }) => path));
      next = page.next;
    } while (next);
    assert.deepEqual(paths, ['a', 'b', 'c', 'd', 'e']);
  });

  it('are not removed while something is written to them', async () => {
    const folder = join(temp.home, 'busy');
    mkdirSync(folder);
    writeFileSync(join(folder, 'a.md'), 'A wasp.');
    const asked: Promise<unknown>[] = [];
    const refused = (work: Promise<unknown>) => asked.push(assert.rejects(work, { code: 'INDEX_BUSY' }));
    const watched = localCall({
      progress: () => {
        if (asked.length > 0) return;
        refused(temp.engine.collections.remove(call, { collection: 'busy' }));
        refused(temp.engine.docs.remove(call, 'busy'));
      },
    });
    await temp.engine.ingest.files(call, { collection: 'busy', paths: [folder] });
    await temp.engine.ingest.files(watched, { collection: 'busy', paths: [folder] });
    await Promise.all(asked);
    assert.equal(asked.length, 2);
    assert.equal((await temp.engine.collections.remove(call, { collection: 'busy' })).documents, 1);
  });

  it('lose one document, or go altogether', async () => {
    const { collections } = temp.engine;
    await temp.engine.ingest.text(call, { collection: 'brief', source: 'x', text: 'A mayfly.' });
    await temp.engine.ingest.text(call, { collection: 'brief', source: 'y', text: 'A moth.' });
    await assert.rejects(collections.remove(call, { collection: 'brief', path: 'z' }), {
      code: 'DOCUMENT_NOT_FOUND',
    });
    assert.equal((await collections.remove(call, { collection: 'brief', path: 'x' })).documents, 1);
    const found = await temp.engine.search.run(call, {
      query: 'mayfly',
      collections: ['brief'],
      mode: 'words',
      limit: 3,
    });
    assert.equal(found.hits.length, 0);
    assert.deepEqual(await collections.remove(call, { collection: 'brief' }), {
      collection: 'brief',
      documents: 1,
      chunks: 1,
    });
    await assert.rejects(collections.get(call, { name: 'brief' }), { code: 'COLLECTION_NOT_FOUND' });
  });
});

describe('databases', () => {
  it('are created by writing, never by reading', async () => {
    const { collections, ingest } = temp.engine;
    await assert.rejects(collections.list(call, { db: 'other' }), { code: 'DATABASE_NOT_FOUND' });
    assert.ok(!(await collections.databases(call)).includes('other'));
    await ingest.text(call, { db: 'other', collection: 'c', text: 'Elsewhere.' });
    assert.ok((await collections.databases(call)).includes('other'));
    await assert.rejects(collections.list(call, { db: 'othr' }), { suggestions: ['other'] });
    for (const db of ['../up', 'a/b', '', '.', 'x'.repeat(200)])
      await assert.rejects(collections.list(call, { db }), { name: 'VaiError' }, db);
  });

  it('a key for one database is not told of the others', async () => {
    const principal = { ...call.principal, databases: ['vai'] };
    assert.deepEqual(await temp.engine.collections.databases({ principal }), ['vai']);
  });
});

describe('upkeep', () => {
  it('finds a sound database sound, copies it whole and keeps it when compacting', async () => {
    const { upkeep, collections } = temp.engine;
    assert.deepEqual((await upkeep.check(call)).problems, []);
    const file = join(temp.home, 'copy.db');
    await upkeep.backup(call, { file });
    assert.ok(existsSync(file));
    await upkeep.compact(call);
    assert.equal((await collections.get(call, { name: 'Notes' })).stats.documents, 5);
  });
});
