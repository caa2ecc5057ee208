// Contract: search by words.

import assert from 'node:assert/strict';
import { prefixFilter, type Filter } from '../../src/domain/filter.ts';
import type { WordQuery } from '../../src/domain/query.ts';
import type { Store } from '../../src/ports/store.ts';
import { collection, document, phrase, query, sha256, term } from './fixtures.ts';
import { cases, type Subject } from './harness.ts';

async function paths(
  store: Store,
  wanted: WordQuery,
  more: { collections?: string[]; filter?: Filter; limit?: number } = {},
): Promise<string[]> {
  const { collections, filter, limit = 10 } = more;
  const scope = { ...(collections ? { collections } : {}), ...(filter ? { filter } : {}) };
  const found = await store.search.words({ query: wanted, scope, limit });
  const chunks = await store.search.chunks(found.hits.map((hit) => hit.id));
  assert.equal(chunks.length, found.hits.length);
  for (let at = 1; at < found.hits.length; at += 1)
    assert.ok(found.hits[at - 1]!.score >= found.hits[at]!.score, 'scores fall');
  return chunks.map((chunk) => chunk.path);
}

export async function fill(store: Store, texts: Record<string, string>): Promise<void> {
  for (const [path, text] of Object.entries(texts)) await store.documents.replace(document({ path, text }));
}

/** Enough other text for frequencies to mean something. */
export async function pad(store: Store): Promise<void> {
  const fillers = Array.from({ length: 20 }, (_, n) =>
    document({ path: `filler/${n}`, text: `padding number ${n}` }),
  );
  await Promise.all(fillers.map((filler) => store.documents.replace(filler)));
}

export function wordContract(subject: Subject): void {
  const check = cases(subject);

  check('a chunk with every word comes before those with some', async ({ store, settled }) => {
    await pad(store);
    await fill(store, {
      one: 'a story about granite and granite',
      both: 'a story about granite in which a lantern is seen by nobody',
      other: 'a story about a lantern and nothing else to be seen',
      none: 'nothing of it',
    });
    await settled();
    const found = await paths(store, query(['granite', 'lantern']));
    assert.equal(found[0], 'both');
    assert.deepEqual([...found].sort(), ['both', 'one', 'other']);
    const first = await paths(store, query(['granite', 'lantern']), { limit: 1 });
    assert.deepEqual(first, ['both']);
  });

  check(
    'a title that repeats a word counts it three times, a text every time',
    async ({ store, settled }) => {
      await pad(store);
      const titles = { three: 'heron heron heron stone stone', five: 'heron heron heron heron heron' };
      for (const [path, title] of Object.entries(titles))
        await store.documents.replace(document({ path, title, text: 'a quiet pond' }));
      await fill(store, { once: 'a heron at the pond today', twice: 'a heron a heron at pond' });
      await settled();
      const ask = { query: query(['heron']), scope: {}, limit: 9 };
      const { hits, shares } = await store.search.words(ask);
      // Atlas ranks by itself.
      if (!shares) return;
      const chunks = await store.search.chunks(hits.map(({ id }) => id));
      const score = new Map(chunks.map(({ path }, at) => [path, hits[at]!.score]));
      assert.equal(score.get('three'), score.get('five'));
      assert.ok(score.get('twice')! > score.get('once')!);
    },
  );

  check(
    'source code is found by the words given for it, and says what it defines',
    async ({ store, settled }) => {
      await pad(store);
      const code = document({ path: 'zap.py', text: 'quokka of granite' });
      code.chunks[0]!.words = { title: 'wombat', heading: 'numbat' };
      code.chunks[0]!.defines = ['zap', 'zip'];
      await store.documents.replace(code);
      const empty = document({ path: 'none.py', text: 'quokka alone' });
      empty.chunks[0]!.defines = [];
      await store.documents.replace(empty);
      await settled();
      assert.deepEqual(await paths(store, query(['wombat'])), ['zap.py']);
      assert.deepEqual(await paths(store, query(['numbat'])), ['zap.py']);
      const { hits } = await store.search.words({ query: query(['quokka']), scope: {}, limit: 10 });
      const chunks = await store.search.chunks(hits.map(({ id }) => id));
      const defines = new Map(chunks.map((chunk) => [chunk.path, chunk.defines]));
      assert.deepEqual([defines.get('zap.py'), defines.get('none.py')], [['zap', 'zip'], []]);
      const { hits: prose } = await store.search.words({ query: query(['padding']), scope: {}, limit: 1 });
      assert.equal((await store.search.chunks([prose[0]!.id]))[0]!.defines, undefined);
    },
  );

  check('rare words weigh more than common ones', async ({ store, settled }) => {
    await pad(store);
    await fill(store, { rare: 'padding quokka', common: 'padding number' });
    await settled();
    assert.equal((await paths(store, query(['number', 'quokka'])))[0], 'rare');
    await fill(store, {
      about: 'quokka quokka quokka quokka',
      passing: `padding number quokka ${'somewhere else '.repeat(100)}`,
    });
    await settled();
    const found = await paths(store, query(['padding', 'number', 'quokka']));
    assert.ok(
      found.indexOf('about') < found.indexOf('passing'),
      'a word in passing is no reason to be first',
    );
  });

  check('stems, case and accents do not matter', async ({ store, settled }) => {
    await pad(store);
    await fill(store, { a: 'Running CAFÉS daily' });
    await settled();
    for (const word of ['run', 'RUNS', 'cafe', 'Café'])
      assert.deepEqual(await paths(store, query([word])), ['a'], word);
  });

  check('stopwords are left out, and searched when there is nothing else', async ({ store, settled }) => {
    await pad(store);
    await fill(store, { a: 'to be or not to be', b: 'walrus' });
    await settled();
    assert.deepEqual(await paths(store, query(['the', 'walrus', 'to'])), ['b']);
    assert.equal((await paths(store, query(['to', 'be'])))[0], 'a');
  });

  check('phrases, prefixes, fields, must and not', async ({ store, settled }) => {
    await pad(store);
    await store.documents.replace(
      document({ path: 'a', title: 'Umbrella', text: 'red wine glass', headings: [['Cellar']] }),
    );
    await store.documents.replace(
      document({ path: 'b', title: 'Other', text: 'wine red umbrella cellar', headings: [['Loft']] }),
    );
    await settled();
    assert.deepEqual(await paths(store, query([phrase('red wine')])), ['a']);
    assert.deepEqual((await paths(store, query([term('umbr', { prefix: true })]))).sort(), ['a', 'b']);
    assert.deepEqual(await paths(store, query([term('umbrella', { field: 'title' })])), ['a']);
    assert.deepEqual(await paths(store, query([term('cellar', { field: 'heading' })])), ['a']);
    assert.deepEqual(await paths(store, query([phrase('cellar', 'heading')])), ['a']);
    assert.deepEqual(await paths(store, query(['wine'], { not: [term('glass')] })), ['b']);
    assert.deepEqual(await paths(store, query([], { must: [term('wine'), term('loft')] })), ['b']);
    const boosted = await paths(store, query(['glass'], { must: [term('wine')] }));
    assert.deepEqual(boosted, ['a', 'b'], 'should words rank, must words select');
    const either = query([{ kind: 'or', nodes: [term('glass'), term('loft')] }]);
    assert.deepEqual((await paths(store, either)).sort(), ['a', 'b']);
    const nested = query([], {
      must: [{ kind: 'or', nodes: [{ kind: 'and', nodes: [term('red'), term('glass')] }, term('quokka')] }],
    });
    assert.deepEqual(await paths(store, nested), ['a']);
    assert.deepEqual(await paths(store, query([], { not: [term('wine')] })), []);
  });

  check('a query for headings weighs them more', async ({ store, settled }) => {
    await pad(store);
    await store.documents.replace(
      document({ path: 'body', text: 'rocket rocket rocket', headings: [['Other']] }),
    );
    await store.documents.replace(document({ path: 'head', text: 'launch details', headings: [['Rocket']] }));
    await settled();
    assert.equal((await paths(store, query(['rocket'], { headings: true })))[0], 'head');
  });

  check('identifiers are found by their parts and the reverse', async ({ store, settled }) => {
    await pad(store);
    await store.documents.replace(
      document({ path: 'camel', text: 'call useState here', extraWords: ['use state'] }),
    );
    await store.documents.replace(
      document({ path: 'snake', text: 'call use_state here', extraWords: ['usestate'] }),
    );
    await store.documents.replace(document({ path: 'prose', text: 'please use state now' }));
    await settled();
    for (const word of ['useState', 'use_state', 'usestate'])
      assert.ok((await paths(store, query([word]))).includes('camel'), word);
    assert.deepEqual((await paths(store, query(['useState']))).sort(), ['camel', 'prose', 'snake']);
    assert.deepEqual((await paths(store, query([phrase('use state')]))).sort(), ['camel', 'prose', 'snake']);
  });

  check('Chinese and Japanese text is found by what is inside it', async ({ store, settled }) => {
    await pad(store);
    await store.documents.replace(
      document({ path: 'zh', text: '知识库服务器', extraWords: ['知识 识库 库服 服务 务器'] }),
    );
    await store.documents.replace(document({ path: 'zh2', text: '服装', extraWords: ['服装'] }));
    await settled();
    assert.deepEqual(await paths(store, query(['服务器'])), ['zh']);
    assert.deepEqual(await paths(store, query(['知识库'])), ['zh']);
    assert.deepEqual(await paths(store, query(['识务'])), []);
  });

  check('odd input finds nothing and never throws', async ({ store, settled }) => {
    await pad(store);
    await fill(store, { a: 'plain words' });
    await settled();
    const odd = [
      '"',
      '*',
      '(',
      ')',
      'a" OR "b',
      'NEAR(x',
      '-',
      '^',
      'title:',
      '\\',
      '\u0000',
      '{}',
      '$',
      '\ud800',
      '😀',
      "'",
      ';--',
      'AND',
      'NOT',
    ];
    for (const text of odd) {
      await paths(store, query([text]));
      await paths(store, query([term(text, { prefix: true, field: 'title' })]));
      await paths(store, query([{ kind: 'phrase', words: [text, text] }], { must: [], not: [term(text)] }));
    }
    assert.deepEqual(await paths(store, query(['plain', '"', '(((']), {}), ['a']);
    assert.deepEqual(await paths(store, query([])), []);
    assert.deepEqual(await paths(store, query(Array.from({ length: 300 }, (_, n) => `w${n}`))), []);
  });

  check('collections are told apart', async ({ store, settled }) => {
    await store.collections.put(collection('small'));
    await pad(store);
    await fill(store, { a: 'marble statue' });
    await store.documents.replace(document({ collection: 'small', path: 's', text: 'marble statue' }));
    await settled();
    const wanted = query(['marble']);
    assert.deepEqual(await paths(store, wanted, { collections: ['small'] }), ['s']);
    assert.deepEqual(await paths(store, wanted, { collections: ['docs'] }), ['a']);
    assert.deepEqual(await paths(store, wanted, { collections: ['nothing'] }), []);
    assert.deepEqual(await paths(store, wanted, { collections: [] }), []);
    assert.deepEqual((await paths(store, wanted)).sort(), ['a', 's']);
  });

  check('other collections change no score and show nowhere', async ({ store, settled }) => {
    await pad(store);
    await fill(store, { a: 'marble statue of a heron', b: 'marble floor', c: 'heron in flight' });
    await settled();
    const ask = async () => ({
      hits: await Promise.all(
        [
          query(['marble', 'heron']),
          query([phrase('marble statue')]),
          query([term('mar', { prefix: true })]),
        ].map((wanted) => store.search.words({ query: wanted, scope: { collections: ['docs'] }, limit: 9 })),
      ),
      near: await store.search.similarWords(['hersn'], ['docs']),
      counts: await store.search.wordCounts(['marble'], ['docs']),
    });
    const before = await ask();
    await store.collections.put(collection('hidden'));
    for (let n = 0; n < 30; n += 1)
      await store.documents.replace(
        document({ collection: 'hidden', path: `h${n}`, text: 'marble statue heron herson margin' }),
      );
    await settled();
    assert.deepEqual(await ask(), before);
  });

  check('a search covers many collections', async ({ store, settled }) => {
    const names = Array.from({ length: 30 }, (_, n) => `many-${String(n).padStart(2, '0')}`);
    for (const name of names) {
      await store.collections.put(collection(name));
      await store.documents.replace(document({ collection: name, path: 'a', text: 'common ground' }));
    }
    await settled();
    const odd = names.filter((_, n) => n % 2 === 1);
    const found = await store.search.words({
      query: query(['ground']),
      scope: { collections: odd },
      limit: 50,
    });
    const chunks = await store.search.chunks(found.hits.map((hit) => hit.id));
    assert.deepEqual(
      chunks.map((chunk) => chunk.collection),
      odd,
    );
  });

  check('filters apply inside the search, before the best are chosen', async ({ store, settled }) => {
    for (let n = 0; n < 60; n += 1)
      await store.documents.replace(
        document({
          path: `n${String(n).padStart(2, '0')}`,
          text: 'needle '.repeat(60 - n) + '\n\nsecond needle chunk',
          metadata: { type: n === 57 ? 'wanted' : 'other', year: 2000 + n, tags: ['all', `t${n % 3}`] },
        }),
      );
    await settled();
    const wanted = query(['needle']);
    const only = (filter: Filter, limit = 3) => paths(store, wanted, { filter, limit });
    assert.equal(new Set(await only(prefixFilter('source', 'n5'), 100)).size, 10);
    assert.deepEqual(await only({ op: 'eq', path: 'metadata.type', value: 'wanted' }, 1), ['n57']);
    assert.deepEqual(await only({ op: 'eq', path: 'source', value: 'n33' }), ['n33', 'n33']);
    assert.deepEqual(await only({ op: 'gte', path: 'metadata.year', value: 2059 }), ['n59', 'n59']);
    const first = await only({
      op: 'and',
      filters: [
        { op: 'eq', path: 'metadata.chunkIndex', value: 0 },
        { op: 'in', path: 'source', values: ['n05', 'n06'] },
      ],
    });
    assert.deepEqual(first.sort(), ['n05', 'n06']);
    const tagged = await only({ op: 'eq', path: 'metadata.tags', value: 't1' }, 100);
    assert.ok(tagged.length > 0 && tagged.every((path) => Number(path.slice(1)) % 3 === 1));
    const docId = sha256('docs\nn33').slice(0, 24);
    assert.deepEqual(await only({ op: 'eq', path: 'metadata.docId', value: docId }), ['n33', 'n33']);
    assert.deepEqual(await only({ op: 'eq', path: 'metadata.type', value: 'absent' }), []);
    const scoped = await paths(store, wanted, {
      filter: { op: 'eq', path: 'metadata.type', value: 'wanted' },
      collections: ['nothing'],
    });
    assert.deepEqual(scoped, []);
  });

  check(
    'equal scores are ordered by collection, path and position, also at the end of the list',
    async ({ store, settled }) => {
      await store.collections.put(collection('alpha'));
      const writes = ['q', 'c', 'x', 'a', 'm'].flatMap((path) => [
        document({ path, text: 'twin words\n\ntwin words' }),
        document({ collection: 'alpha', path, text: 'twin words' }),
      ]);
      for (const write of writes) await store.documents.replace(write);
      await settled();
      const found = await store.search.words({ query: query(['twin']), scope: {}, limit: 7 });
      const chunks = await store.search.chunks(found.hits.map((hit) => hit.id));
      const places = chunks.map((chunk) => `${chunk.collection}/${chunk.path}#${chunk.ordinal}`);
      assert.deepEqual(places, [
        'alpha/a#0',
        'alpha/c#0',
        'alpha/m#0',
        'alpha/q#0',
        'alpha/x#0',
        'docs/a#0',
        'docs/a#1',
      ]);
    },
  );

  check('the total is exact when everything was seen and a bound when not', async ({ store, settled }) => {
    await fill(store, { a: 'heron', b: 'heron', c: 'heron' });
    await settled();
    const all = await store.search.words({ query: query(['heron']), scope: {}, limit: 10 });
    assert.deepEqual([all.total, all.totalIsBound], [3, false]);
    const some = await store.search.words({ query: query(['heron']), scope: {}, limit: 2 });
    assert.ok(some.total >= 2 && some.total <= 3);
    assert.ok(some.total === 3 || some.totalIsBound);
  });

  check('chunks come in the order asked, unknown ids are left out', async ({ store }) => {
    await fill(store, { a: 'one\n\ntwo\n\nthree' });
    const ids = (await store.documents.chunks('docs', 'a')).map((chunk) => chunk.id);
    const asked = [ids[2]!, 'nonsense', ids[0]!, '999999999999'];
    const found = await store.search.chunks(asked);
    assert.deepEqual(
      found.map((chunk) => chunk.text),
      ['three', 'one'],
    );
  });
}
