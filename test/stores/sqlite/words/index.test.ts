// The index against the plain way: every chunk of a collection scored by hand, whatever was written, replaced, removed
// and merged before.

import assert from 'node:assert/strict';
import { join } from 'node:path';
import { test, type TestContext } from 'node:test';
import { ALL_WORDS_BOOST, type WordNode, type WordQuery } from '../../../../src/domain/query.ts';
import type { Store, StoredChunk } from '../../../../src/ports/store.ts';
import { connect, type Connection } from '../../../../src/stores/sqlite/connection.ts';
import { createStore } from '../../../../src/stores/sqlite/store.ts';
import { termsIn } from '../../../../src/domain/words/tokens.ts';
import { collection, document, phrase, query, term } from '../../../contract/fixtures.ts';
import { tempFolder } from '../../../support/temp-folder.ts';

/** A fixed sequence, so that a failure repeats. */
function sequence(seed: number): () => number {
  let state = seed;
  return () => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    return state / 2 ** 32;
  };
}

function open(context: TestContext): { connection: Connection; store: Store } {
  const folder = tempFolder('words');
  const connection = connect('w', join(folder, 'w.db'));
  const store = createStore(connection, () => new Date());
  context.after(() => store.close());
  return { connection, store };
}

/** Words with frequencies as in real text: few everywhere, most of them rare. */
function writer(seed: number) {
  const next = sequence(seed);
  const word = (): string => `w${Math.floor(300 * next() ** 3)}q`;
  const text = (): string =>
    Array.from({ length: 1 + Math.floor(next() * 12) }, () =>
      Array.from({ length: 2 + Math.floor(next() * 30) }, word).join(' '),
    ).join('\n\n');
  return { next, word, text };
}

interface Scored {
  id: string;
  score: number;
}

/** How often a leaf stands in the fields of a chunk, by their weights. */
function countOf(leaf: WordNode, fields: readonly string[][], headings: boolean): number {
  if (leaf.kind !== 'term' && leaf.kind !== 'phrase') throw new Error('not a leaf');
  const wanted = termsIn(leaf.kind === 'term' ? leaf.text : leaf.words.join(' '));
  const weights = [headings ? 6 : 2, headings ? 6 : 2, 1, 0.5];
  let sum = 0;
  fields.forEach((terms, field) => {
    if (leaf.field !== undefined && field !== ['title', 'heading'].indexOf(leaf.field)) return;
    let count = 0;
    for (let at = 0; at + wanted.length <= terms.length; at += 1) {
      const matches = wanted.every((one, offset) =>
        leaf.kind === 'term' && leaf.prefix && offset === wanted.length - 1
          ? terms[at + offset]!.startsWith(one)
          : terms[at + offset] === one,
      );
      if (matches) count += 1;
    }
    // Of a single word, a count is told apart up to three in every field but the body.
    const capped =
      wanted.length === 1 && !(leaf.kind === 'term' && leaf.prefix) && field !== 2
        ? Math.min(3, count)
        : count;
    sum += weights[field]! * capped;
  });
  return sum;
}

async function plainly(store: Store, wanted: WordQuery, names: readonly string[]): Promise<Scored[]> {
  const all: Scored[] = [];
  for (const name of names) {
    const chunks: StoredChunk[] = [];
    for (const { path } of (await store.documents.list(name, { limit: 1000 })).documents)
      chunks.push(...(await store.documents.chunks(name, path)));
    const fields = chunks.map((chunk) => [
      termsIn(chunk.title),
      termsIn(chunk.headingPath.join('\n')),
      termsIn(chunk.text),
      [],
    ]);
    const lengths = fields.map((parts) => parts.flat().length);
    const average = lengths.reduce((a, b) => a + b, 0) / lengths.length;
    const leaves = [...wanted.should, ...wanted.must].map((leaf) => {
      const counts = fields.map((parts) => countOf(leaf, parts, wanted.headings));
      const having = counts.filter((count) => count > 0).length;
      return { counts, rarity: Math.max(0.1, Math.log((chunks.length - having + 0.5) / (having + 0.5))) };
    });
    const most = leaves.reduce((sum, { rarity }) => sum + rarity * 2.2, 0);
    chunks.forEach((chunk, at) => {
      const parts = leaves.map(({ counts, rarity }) => {
        const norm = 1.2 * (0.25 + (0.75 * lengths[at]!) / average);
        return counts[at]! === 0 ? 0 : (rarity * 2.2 * counts[at]!) / (counts[at]! + norm);
      });
      const should = parts.slice(0, wanted.should.length);
      const must = parts.slice(wanted.should.length);
      if (must.some((part) => part === 0) || (must.length === 0 && should.every((part) => part === 0)))
        return;
      if (wanted.not.some((leaf) => countOf(leaf, fields[at]!, wanted.headings) > 0)) return;
      const boost = should.length > 0 && should.every((part) => part > 0) ? ALL_WORDS_BOOST : 1;
      all.push({ id: chunk.id, score: (parts.reduce((a, b) => a + b, 0) * boost) / most });
    });
  }
  return all.sort((a, b) => b.score - a.score);
}

async function compare(store: Store, wanted: WordQuery, names?: readonly string[]): Promise<void> {
  const scope = names ? { collections: names } : {};
  const everything = names ?? (await store.collections.list()).map(({ name }) => name);
  const expected = await plainly(store, wanted, everything);
  const found = await store.search.words({ query: wanted, scope, limit: 30 });
  const told = JSON.stringify(wanted);
  assert.equal(found.total, expected.length, told);
  assert.equal(found.hits.length, Math.min(30, expected.length));
  const scores = new Map(expected.map(({ id, score }) => [id, score]));
  found.hits.forEach(({ id, score }, at) => {
    assert.ok(Math.abs(score - expected[at]!.score) < 1e-8, `${told}: score at ${at}`);
    assert.ok(Math.abs(score - scores.get(id)!) < 1e-8, `${told}: chunk at ${at}`);
  });
}

test('scores equal a plain computation after every kind of change', async (context) => {
  const { store, connection } = open(context);
  const { next, word, text } = writer(11);
  const names = ['a', 'b'];
  for (const name of names) await store.collections.put(collection(name));
  const write = (name: string, n: number) =>
    store.documents.replace(
      document({
        collection: name,
        path: `p${n}`,
        text: text(),
        title: `${word()} ${word()}`,
        headings: [[word()]],
      }),
    );
  const ask = (): WordQuery => {
    const words = Array.from({ length: 1 + Math.floor(next() * 5) }, word);
    const kind = Math.floor(next() * 8);
    const unique = [...new Set(words)];
    if (kind === 0) return query([phrase(`${word()} ${word()}`), ...unique]);
    if (kind === 1) return query([term(`w${Math.floor(next() * 9)}`, { prefix: true }), ...unique]);
    if (kind === 2) return query([term(word(), { field: 'title' }), term(word(), { field: 'heading' })]);
    if (kind === 3) return query(unique.slice(1), { must: [term(unique[0]!)] });
    if (kind === 4) return query(unique, { not: [term(word()), phrase(`${word()} ${word()}`)] });
    if (kind === 5) return query(unique, { headings: true });
    return query(unique);
  };
  const look = async (times: number) => {
    for (let round = 0; round < times; round += 1)
      await compare(store, ask(), round % 3 === 0 ? undefined : [names[round % 2]!]);
    assert.deepEqual(await store.check(), { ok: true, problems: [] });
  };
  await Promise.all(Array.from({ length: 60 }, (_, n) => write(names[n % 2]!, n)));
  await look(30);
  // One document at a time, new and replaced: many small segments, merged now and then.
  for (let n = 0; n < 90; n += 1) await write(names[n % 2]!, Math.floor(next() * 100));
  assert.ok(connection.rows('SELECT 1 FROM word_segments').length < 40, 'segments stay few');
  await look(30);
  for (let n = 0; n < 60; n += 1) await store.documents.remove(names[n % 2]!, `p${Math.floor(next() * 100)}`);
  await look(30);
  await store.compact();
  assert.equal(connection.rows('SELECT 1 FROM word_segments').length, 2, 'one for each collection');
  assert.equal(connection.rows('SELECT 1 FROM word_segments WHERE dead > 0').length, 0);
  await look(30);
  await store.collections.remove('a');
  await look(10);
  assert.equal(connection.rows('SELECT 1 FROM word_segments').length, 1);
});

test('chunks beyond a window, long lists and words of several segments', async (context) => {
  const { store } = open(context);
  await store.collections.put(collection('docs'));
  const blocks = (n: number) =>
    Array.from(
      { length: 1500 },
      (_, at) => `common${at % 3 === 0 ? ' third' : ''} word${n}x${at % 50} common`,
    ).join('\n\n');
  for (let n = 0; n < 4; n += 1)
    await store.documents.replace(document({ path: `p${n}`, text: blocks(n), title: 't' }));
  await compare(store, query(['common', 'third', 'word2x7']));
  await compare(store, query([phrase('third word3x9'), 'word1x3']));
  await store.documents.remove('docs', 'p1');
  await compare(store, query(['common', 'third', 'word2x7']));
  await compare(store, query(['word3x9'], { must: [term('third')] }));
  assert.deepEqual(await store.check(), { ok: true, problems: [] });
});

test('a write that fails leaves no word behind', async (context) => {
  const { store, connection } = open(context);
  await store.collections.put(collection('docs'));
  await store.documents.replace(document({ path: 'a', text: 'first words' }));
  const broken = document({ path: 'b', text: 'lost words' });
  await assert.rejects(
    connection.write(() => {
      connection.raw.exec("UPDATE collections SET words = words WHERE name = 'docs'");
      throw new Error('stop');
    }),
  );
  const wrong = {
    ...broken,
    chunks: broken.chunks.map((chunk) => ({ ...chunk, vector: new Float32Array(3) })),
  };
  const results = await Promise.allSettled([
    store.documents.replace(wrong),
    store.documents.replace(document({ path: 'c', text: 'kept words' })),
  ]);
  assert.deepEqual(
    results.map(({ status }) => status),
    ['rejected', 'fulfilled'],
  );
  const found = await store.search.words({ query: query(['words']), scope: {}, limit: 9 });
  assert.equal(found.total, 2);
  assert.deepEqual(await store.check(), { ok: true, problems: [] });
});

test('across collections the chunk with more of the question comes first, however rare its words are', async (context) => {
  const { store } = open(context);
  for (const name of ['large', 'notes']) await store.collections.put(collection(name));
  const fillers = Array.from({ length: 200 }, (_, n) =>
    document({ collection: 'large', path: `f${n}`, text: `filler text number ${n}` }),
  );
  await Promise.all(fillers.map((one) => store.documents.replace(one)));
  await store.documents.replace(document({ collection: 'large', path: 'some', text: 'rotation of crops' }));
  await store.documents.replace(document({ collection: 'notes', path: 'all', text: 'deploy key rotation' }));
  await store.documents.replace(document({ collection: 'notes', path: 'other', text: 'shopping list' }));
  const found = await store.search.words({
    query: query(['deploy', 'key', 'rotation']),
    scope: {},
    limit: 9,
  });
  const chunks = await store.search.chunks(found.hits.map(({ id }) => id));
  assert.deepEqual(
    chunks.map(({ path }) => path),
    ['all', 'some'],
  );
});

test('phrases of words said over and over, and of what begins like thousands of words, end soon', async (context) => {
  const { store } = open(context);
  await store.collections.put(collection('c'));
  const many = Array.from({ length: 5_000 }, (_, at) => `s${at}x`).join(' ');
  const texts = [...Array.from({ length: 100 }, () => `${'a '.repeat(700)} the s1x`), `the ${many}`];
  for (const [at, text] of texts.entries())
    await store.documents.replace(document({ collection: 'c', path: `${at}.md`, text }));
  const search = (must: WordNode[]) =>
    store.search.words({ query: query([], { must }), scope: { collections: ['c'] }, limit: 10 });
  const began = performance.now();
  assert.equal((await search([phrase(Array<string>(200).fill('a').join(' '))])).hits.length, 10);
  assert.equal((await search([{ kind: 'term', text: 'the.s', prefix: true }])).hits.length, 10);
  assert.ok(performance.now() - began < 3_000, `${performance.now() - began} ms`);
});

test('a phrase that ends in the beginning of a word finds it, however rare it is among those that begin so', async (context) => {
  const { store } = open(context);
  await store.collections.put(collection('c'));
  const common = Array.from({ length: 200 }, (_, at) => `s${at}`).join(' ');
  const texts = [`b ${common}`, 'the other sought', `${common} and the sought is the sold`];
  for (const [at, text] of texts.entries())
    await store.documents.replace(document({ collection: 'c', path: `${at}.md`, text }));
  const found = async (text: string): Promise<string[]> => {
    const must: WordNode[] = [{ kind: 'term', text, prefix: true }];
    const asked = { query: query([], { must }), scope: { collections: ['c'] }, limit: 10 };
    const { hits } = await store.search.words(asked);
    return (await store.search.chunks(hits.map(({ id }) => id))).map(({ path }) => path);
  };
  assert.deepEqual(await found('the.s'), ['2.md']);
  assert.deepEqual(await found('is.the.so'), ['2.md']);
  assert.deepEqual(await found('other.s1'), []);
});
