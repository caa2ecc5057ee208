// A database of an earlier version is brought up to date when it is opened, and answers as it did.

import assert from 'node:assert/strict';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { test } from 'node:test';
import type { Store } from '../../../src/ports/store.ts';
import { CHUNK_SPAN, PIECE_SPAN } from '../../../src/stores/sqlite/ids.ts';
import { connect } from '../../../src/stores/sqlite/connection.ts';
import { MIGRATIONS, SCHEMA_VERSION } from '../../../src/stores/sqlite/schema.ts';
import { sqliteStores } from '../../../src/stores/sqlite/stores.ts';
import { signCode } from '../../../src/stores/sqlite/vectors/code.ts';
import {
  collection,
  document,
  mentionCounts,
  nameChunks,
  phrase,
  query,
  term,
  vector,
} from '../../contract/fixtures.ts';
import { tempFolder } from '../../support/temp-folder.ts';

const now = () => new Date('2026-03-01T00:00:00.000Z');

/** Tables and their columns. */
function shapeOf(raw: DatabaseSync): Record<string, unknown[]> {
  const tables = raw.prepare("SELECT name FROM sqlite_schema WHERE type = 'table' ORDER BY name").all();
  return Object.fromEntries(
    tables.map(({ name }) => [
      name,
      raw.prepare('SELECT name FROM pragma_table_info(?)').all(name as string),
    ]),
  );
}

/** Takes back the word index: words in one full-text table over all collections. */
function toFullText(raw: DatabaseSync): void {
  raw.exec(`
    CREATE VIRTUAL TABLE words USING fts5(
      title, heading, body, extra,
      content='', contentless_delete=1, tokenize='porter unicode61 remove_diacritics 2'
    );
    CREATE VIRTUAL TABLE vocabulary USING fts5vocab(words, 'row');
    INSERT INTO words (rowid, title, heading, body, extra)
      SELECT c.id, d.title, (SELECT group_concat(value, char(10)) FROM json_each(c.heading_path)),
        (SELECT substr(group_concat(text, ''), c.start + 1, c."end" - c.start) FROM
          (SELECT text FROM pieces WHERE id / ${PIECE_SPAN} = c.document ORDER BY id)), ''
      FROM chunks c JOIN documents d ON d.id = c.document;
    -- A chunk that went before: its words are still written somewhere.
    INSERT INTO words (rowid, title, heading, body, extra) VALUES (${CHUNK_SPAN} + 900, 'gone', '', 'one ghost', '');
    DELETE FROM words WHERE rowid = ${CHUNK_SPAN} + 900;
    ALTER TABLE chunks DROP COLUMN defines;
    DROP TABLE word_segments;
    DROP TABLE word_pages;
    DROP TABLE word_lists;
    DROP TABLE word_lengths;
    ALTER TABLE collections DROP COLUMN words;
    PRAGMA user_version = 5;
  `);
}

/** Takes back the steps after the first: names in the rows of chunks, documents that do not count them. */
function toFirst(file: string): void {
  const raw = new DatabaseSync(file);
  toFullText(raw);
  raw.exec(`
    ALTER TABLE chunks DROP COLUMN page;
    ALTER TABLE documents DROP COLUMN indexed_with;
    ALTER TABLE chunks ADD COLUMN mentions TEXT;
    UPDATE chunks SET mentions = (SELECT names FROM chunk_names WHERE chunk = chunks.id);
    DROP TABLE chunk_names;
    DROP INDEX documents_unnamed;
    ALTER TABLE documents DROP COLUMN unnamed;
    DROP TABLE page_names;
    DROP INDEX relations_out;
    DROP INDEX relations_in;
    ALTER TABLE relations DROP COLUMN confidence;
    CREATE INDEX relations_out ON relations (source, target, type, collection, mentions);
    CREATE INDEX relations_in ON relations (target, source, type, collection, mentions);
    PRAGMA user_version = 1;
  `);
  const first = new DatabaseSync(':memory:');
  MIGRATIONS[0]!(first);
  assert.deepEqual(shapeOf(raw), shapeOf(first), 'what the first version was');
  first.close();
  raw.close();
}

async function fill(store: Store): Promise<void> {
  await store.collections.put(collection('docs'));
  await store.collections.put(collection('other'));
  for (let n = 0; n < 6; n += 1) {
    const place = { collection: n % 2 ? 'other' : 'docs', path: `p${n}` };
    await store.documents.replace(
      document({ ...place, text: `word${n} one\n\ntwo\n\nthree`, vectors: [vector(n / 6)] }),
    );
    await nameChunks(store, place, [['shared', `name ${n}`], [], ['$ref', 'res.end']]);
  }
}

async function answers(store: Store): Promise<unknown> {
  const keys = ['shared', 'name 3', '$ref', 'res.end', 'absent'];
  const ids = (await store.documents.chunks('docs', 'p2')).map(({ id }) => id);
  const words = await store.search.words({ query: query(['word3']), scope: {}, limit: 5 });
  return {
    collections: await store.collections.list(),
    documents: await store.documents.list('docs', { limit: 10 }),
    counts: [...(await mentionCounts(store, keys))],
    places: [...(await store.graph.chunksWithMentions(keys, { scope: ['other'], limit: 9 }))],
    held: [...(await store.graph.mentionsOfChunks(ids))],
    hits: words.hits,
    chunks: await store.search.chunks(words.hits.map(({ id }) => id)),
    waiting: await store.graph.unnamed(undefined, 1000),
  };
}

test('names stored with the chunks are moved, and their documents need no second look', async (context) => {
  const folder = tempFolder('migrations');
  const stores = sqliteStores({ home: folder, now });
  const store = await stores.open('vai');
  await fill(store);
  const before = await answers(store);
  await stores.close();
  toFirst(join(folder, 'data', 'vai.db'));

  const again = sqliteStores({ home: folder, now });
  context.after(() => again.close());
  const moved = await again.open('vai');
  assert.deepEqual(await answers(moved), before);
  const kept = new DatabaseSync(join(folder, 'data', 'vai.db.v1'), { readOnly: true });
  assert.equal(kept.prepare('SELECT count(*) AS n FROM documents').get()!.n, 6, 'as it was, in a copy');
  assert.equal(kept.prepare('PRAGMA user_version').get()!.user_version, 1);
  kept.close();
  assert.deepEqual(await again.list(), ['vai'], 'the copy is no database of its own');
  assert.deepEqual((before as { waiting: unknown[] }).waiting, []);
  assert.deepEqual(await moved.check(), { ok: true, problems: [] });

  await moved.documents.replace(document({ path: 'p0', text: 'edited' }));
  await moved.documents.remove('docs', 'p2');
  const counts = await mentionCounts(moved, ['shared', 'name 0', 'name 2']);
  assert.deepEqual([...counts.values()], [4, 0, 0], 'they go with their text');
  assert.equal((await moved.graph.unnamed(undefined, 1000))[0]?.info.path, 'p0');
  assert.deepEqual(await moved.check(), { ok: true, problems: [] });
});

test('words of the full-text table are moved with their places, each collection by itself', async (context) => {
  const folder = tempFolder('migrations');
  const stores = sqliteStores({ home: folder, now });
  const store = await stores.open('vai');
  await fill(store);
  await store.documents.replace(
    document({
      path: 'long',
      title: 'A title',
      text: 'word1 twice word1\n\ncafé one\n\ntwo three three',
      headings: [['Part']],
    }),
  );
  const ask = async (from: Store) => {
    const wanted = [
      query(['word1', 'one']),
      query([phrase('two three')]),
      query([term('wor', { prefix: true })]),
      query([term('title', { field: 'title' }), 'ghost', 'cafe']),
    ];
    return Promise.all(wanted.map((one) => from.search.words({ query: one, scope: {}, limit: 20 })));
  };
  const before = await ask(store);
  await stores.close();
  const raw = new DatabaseSync(join(folder, 'data', 'vai.db'));
  toFullText(raw);
  raw.close();

  const again = sqliteStores({ home: folder, now });
  context.after(() => again.close());
  const moved = await again.open('vai');
  assert.deepEqual(await ask(moved), before);
  assert.deepEqual(await moved.check(), { ok: true, problems: [] });
});

test('codes that were stored one by one are put together, gaps kept', async (context) => {
  const folder = tempFolder('migrations');
  const stores = sqliteStores({ home: folder, now });
  const store = await stores.open('vai');
  await fill(store);
  const vectors = [vector(0.1), vector(0.2), undefined, vector(0.3)];
  await store.documents.replace(document({ path: 'gap', text: 'a\n\nb\n\nc\n\nd', vectors }));
  await stores.close();
  const file = join(folder, 'data', 'vai.db');
  const size = signCode(vector(0)).length;
  const raw = new DatabaseSync(file);
  const codes = (from: DatabaseSync) =>
    from.prepare('SELECT chunk, document, code FROM codes ORDER BY chunk').all();
  const before = codes(raw);
  assert.deepEqual(
    before.map(({ code }) => (code as Uint8Array).length / size).sort(),
    [1, 1, 1, 1, 1, 1, 1, 2],
  );
  raw.exec(`
    CREATE TABLE single AS SELECT chunk + nth.value AS chunk, document, substr(code, nth.value * ${size} + 1, ${size}) AS code
      FROM codes, json_each('[0,1]') nth WHERE nth.value < length(code) / ${size};
    DELETE FROM codes;
    INSERT INTO codes SELECT * FROM single;
    DROP TABLE single;
    PRAGMA user_version = 7;
  `);
  assert.equal(codes(raw).length, 9);
  raw.close();

  const again = sqliteStores({ home: folder, now });
  context.after(() => again.close());
  assert.deepEqual(await (await again.open('vai')).check(), { ok: true, problems: [] });
  const moved = new DatabaseSync(file, { readOnly: true });
  assert.deepEqual(codes(moved), before);
  moved.close();
});

test('a database is at its newest version after every step', async () => {
  const folder = tempFolder('migrations');
  const stores = sqliteStores({ home: folder, now });
  await stores.open('vai');
  await stores.close();
  const raw = new DatabaseSync(join(folder, 'data', 'vai.db'), { readOnly: true });
  assert.deepEqual({ ...raw.prepare('PRAGMA user_version').get() }, { user_version: SCHEMA_VERSION });
  const steps = new DatabaseSync(':memory:');
  for (const step of MIGRATIONS) step(steps);
  assert.deepEqual(shapeOf(raw), shapeOf(steps));
  raw.close();
  steps.close();
});

test('a database that another process has open is not changed under it', async () => {
  const folder = tempFolder('migrations');
  const stores = sqliteStores({ home: folder, now });
  await fill(await stores.open('vai'));
  await stores.close();
  const file = join(folder, 'data', 'vai.db');
  toFirst(file);
  const older = new DatabaseSync(file);
  older.prepare('SELECT count(*) FROM documents').get();
  assert.throws(() => connect('vai', file, { busyMs: 100 }), {
    code: 'STORE_BUSY',
    message: /another vai is using it/,
  });
  older.exec("INSERT INTO meta (key, value) VALUES ('still', 'writes')");
  assert.ok(!existsSync(`${file}.v1`));
  older.close();
  connect('vai', file, { busyMs: 100 }).close();
  assert.ok(existsSync(`${file}.v1`));
});
