// The four search modes. Numbers are rows of the FlowRAG reference, section 12.

import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import type { GraphSearchResult } from '../../../src/engine/graph/types.ts';
import type { Extractor } from '../../../src/ports/extractor.ts';
import { call, countingExtractor, using } from '../../support/graph-folder.ts';

const TOPICS = [
  'Sourdough bread needs a long fermentation at a cool temperature.',
  'Glaciers carve deep valleys while they move slowly downhill.',
  'The violin has four strings tuned in perfect fifths.',
  'Volcanic soil makes the vineyards of the island fertile.',
  'A checksum tells whether a file was damaged on its way.',
  'Migrating swallows cross the desert in a few nights.',
  'The lighthouse keeper wrote down every passing ship.',
  'Copper pipes turn green when they meet damp air.',
];

test('1: the text of a file finds that file first, in naive and hybrid', () =>
  using(async (folder) => {
    TOPICS.forEach((text, at) => folder.write(`topic-${at}.md`, `${text}\n`));
    const engine = await folder.open();
    await engine.graph.index(call, {});
    for (const mode of ['naive', 'hybrid'] as const)
      for (const [at, text] of TOPICS.entries()) {
        const { results } = await engine.graph.search(call, { query: text, mode, limit: 3 });
        assert.equal(results[0]?.path, `topic-${at}.md`, mode);
        assert.ok(results.every((hit, rank) => rank === 0 || hit.score <= results[rank - 1]!.score));
      }
  }));

test('2: local returns a chunk far from the question by a named entity', () =>
  using(async (folder) => {
    TOPICS.forEach((text, at) => folder.write(`topic-${at}.md`, `${text}\n`));
    folder.write('ledger.md', 'Nightly totals are written by LedgerService.\n');
    const engine = await folder.open();
    await engine.graph.index(call, {});
    const query = 'LedgerService: glaciers, volcanoes, violins and swallows';
    const { results, scoreKind } = await engine.graph.search(call, { query, mode: 'local', limit: 3 });
    assert.equal(results[0]?.path, 'ledger.md');
    assert.equal(scoreKind, 'evidence');
    assert.deepEqual(results[0]?.entities, ['LedgerService']);
  }));

test('3: unrelated questions have different global results', () =>
  using(async (folder) => {
    folder.write('a.md', 'The Billing Service uses PostgreSQL for invoices.\n');
    folder.write('b.md', 'The Search Service depends on Elasticsearch for ranking.\n');
    const engine = await folder.open();
    await engine.graph.index(call, {});
    const first = await engine.graph.search(call, { query: 'invoices', mode: 'global', limit: 5 });
    const second = await engine.graph.search(call, { query: 'ranking', mode: 'global', limit: 5 });
    assert.deepEqual(
      first.results.map((hit) => hit.path),
      ['a.md'],
    );
    assert.deepEqual(
      second.results.map((hit) => hit.path),
      ['b.md'],
    );
  }));

test('4: hybrid always gives as many as there are', () =>
  using(async (folder) => {
    TOPICS.forEach((text, at) => folder.write(`topic-${at}.md`, `${text}\n`));
    const engine = await folder.open();
    await engine.graph.index(call, {});
    for (const limit of [1, 3, 5, 8, 20]) {
      const { results } = await engine.graph.search(call, { query: 'the island', mode: 'hybrid', limit });
      assert.equal(results.length, Math.min(limit, TOPICS.length));
    }
  }));

test('5: no mode calls the extractor, and the network is not needed', () =>
  using(async (folder) => {
    const extractor = countingExtractor();
    folder.write('a.md', 'entity Alpha SERVICE\nrelation Alpha USES Beta\n');
    const engine = await folder.open({ extractor });
    await engine.graph.index(call, {});
    const asked = extractor.asked.length;
    const cut = globalThis.fetch;
    globalThis.fetch = () => Promise.reject(new Error('network'));
    try {
      for (const mode of ['naive', 'local', 'global', 'hybrid'] as const)
        assert.equal(
          (await engine.graph.search(call, { query: 'Alpha uses Beta', mode, limit: 3 })).results.length,
          1,
          mode,
        );
    } finally {
      globalThis.fetch = cut;
    }
    assert.equal(extractor.asked.length, asked);
  }));

test('6: every hit lies within the lines it names', () =>
  using(async (folder) => {
    folder.write(
      'crlf.md',
      'Intro\r\n\r\n# Alpha\r\n\r\nThe Alpha Service uses Redis.\r\n\r\n# Beta\r\n\r\nThe Beta Service uses Redis.\r\n',
    );
    folder.write(
      'deep/lf.md',
      '---\ntitle: Gamma Service\n---\n\n# Gamma\n\nIt uses Redis.\n\n```ts\nconst redis = 1;\n```\n',
    );
    const engine = await folder.open();
    await engine.graph.index(call, {});
    for (const mode of ['naive', 'local', 'global', 'hybrid'] as const) {
      const { results } = await engine.graph.search(call, {
        query: 'Which service uses Redis?',
        mode,
        limit: 20,
      });
      assert.ok(results.length > 0, mode);
      for (const hit of results) {
        const lines = readFileSync(join(folder.docs, hit.path), 'utf8').split('\n');
        const cited = lines.slice(hit.startLine - 1, hit.endLine).join('\n');
        assert.ok(
          cited.replaceAll('\r', '').includes(hit.content.trim().replaceAll('\r', '')),
          `${mode} ${hit.citation}`,
        );
        assert.equal(
          hit.citation,
          `docs/${hit.path}:${hit.startLine === hit.endLine ? hit.startLine : `${hit.startLine}-${hit.endLine}`}`,
        );
      }
    }
  }));

test('an empty index is no error and names the tool', () =>
  using(async (folder) => {
    const engine = await folder.open();
    const found = await engine.graph.search(call, { query: 'anything', mode: 'hybrid', limit: 5 });
    assert.deepEqual(found.results, []);
    assert.ok(found.warnings.some((warning) => warning.includes('flowrag_index')));
  }));

test('a question that names nothing of the graph is told so in local and global', () =>
  using(async (folder) => {
    folder.write('a.md', 'The Billing Service uses PostgreSQL.\n');
    const engine = await folder.open();
    await engine.graph.index(call, {});
    for (const mode of ['local', 'global'] as const) {
      const none = await engine.graph.search(call, { query: 'migrating swallows', mode, limit: 5 });
      assert.deepEqual(none.results, []);
      assert.match(none.warnings.join(), /mode hybrid/, mode);
      const some = await engine.graph.search(call, { query: 'What uses PostgreSQL?', mode, limit: 5 });
      assert.equal(some.results.length, 1);
      assert.deepEqual(some.warnings, []);
    }
  }));

test('a question without a word is told so in every mode', () =>
  using(async (folder) => {
    folder.write('a.md', 'The Billing Service uses PostgreSQL.\n');
    const engine = await folder.open();
    await engine.graph.index(call, {});
    for (const mode of ['hybrid', 'local', 'global', 'naive'] as const) {
      const none = await engine.graph.search(call, { query: '???', mode, limit: 5 });
      assert.deepEqual(none.results, []);
      assert.match(none.warnings.join(), /^The query contains no word/, mode);
    }
  }));

test('without names of its own a question is answered by words and meaning alone', () =>
  using(async (folder) => {
    TOPICS.forEach((text, at) => folder.write(`topic-${at}.md`, `${text}\n`));
    const engine = await folder.open();
    await engine.graph.index(call, {});
    const query = { query: 'pipes in damp air', collections: ['docs'], limit: 8 };
    const plain = await engine.search.run(call, { ...query, mode: 'hybrid' });
    const graph = await engine.search.run(call, { ...query, mode: 'graph' });
    assert.deepEqual(
      graph.hits.map((hit) => [hit.id, hit.score]),
      plain.hits.map((hit) => [hit.id, hit.score]),
    );
  }));

test('a bridge between two pages is found by their names', () =>
  using(async (folder) => {
    // The question names one page; the answer stands on a page that shares no word with it but the bridge.
    folder.write(
      'orla.md',
      '# Orla Fenwick\n\nOrla Fenwick spent her youth in the harbour town of Quillmere.\n',
    );
    folder.write('quillmere.md', '# Quillmere\n\nIts oldest bell tower dates from 1312.\n');
    for (let i = 0; i < 30; i++)
      folder.write(
        `noise-${i}.md`,
        `# Page ${i}\n\nYouth clubs of many towns meet; what year did the ${i}th open?\n`,
      );
    const engine = await folder.open();
    await engine.graph.index(call, {});
    const query = {
      query: 'What stands in the town where Orla Fenwick spent her youth?',
      collections: ['docs'],
      limit: 2,
    };
    const graph = await engine.search.run(call, { ...query, mode: 'graph' });
    assert.deepEqual(
      graph.hits.map((hit) => hit.path),
      ['orla.md', 'quillmere.md'],
    );
  }));

/** States one relation in the text that holds the words, and nothing else. */
function stating(words: string): Extractor {
  return {
    ...countingExtractor(),
    async extract({ text, startLine }) {
      const place = { startLine, endLine: startLine };
      const relations = text.includes(words)
        ? [
            {
              source: 'Billing Service',
              target: 'Ledger',
              type: 'USES',
              description: 'The Billing Service keeps invoices in the Ledger',
              confidence: 0.9,
              ...place,
            },
          ]
        : [];
      return { entities: [], relations, inputTokens: 0, outputTokens: 0 };
    },
  };
}

test('a true relation moves its passage up in hybrid, and the legs show why', async () => {
  const query = 'Where does the Billing Service keep invoices?';
  const ask = async (extractor: Extractor) => {
    let found: GraphSearchResult | undefined;
    await using(async (folder) => {
      folder.write('faq.md', 'Invoices: where does one keep invoices? Ask the Billing Service team.\n');
      folder.write('store.md', 'It writes each of them to a book of its own, called the Ledger.\n');
      folder.write('desk.md', 'One keeps the service bell there.\n');
      TOPICS.forEach((text, at) => folder.write(`topic-${at}.md`, `${text}\n`));
      const engine = await folder.open({ extractor });
      await engine.graph.index(call, {});
      found = await engine.graph.search(call, { query, mode: 'hybrid', limit: 10 });
    });
    return found!.results;
  };
  const place = (results: GraphSearchResult['results']) =>
    results.findIndex((hit) => hit.path === 'store.md');
  const without = await ask(stating('nowhere to be found'));
  const stated = await ask(stating('called the Ledger'));
  assert.ok(place(stated) < place(without), `${place(stated)} and ${place(without)} without`);
  assert.equal(stated[place(stated)]!.legs.global, 1);
  assert.equal(without[0]!.legs.words, 1);
});

test('where nothing is stated, local and global fall back to passages that mention the names, and say so', () =>
  using(async (folder) => {
    folder.write('a.md', '# Notes\n\nThe OrderDesk was moved to the second floor.\n');
    TOPICS.forEach((text, at) => folder.write(`topic-${at}.md`, `${text}\n`));
    const engine = await folder.open({ extractor: stating('nowhere to be found') });
    await engine.graph.index(call, {});
    for (const mode of ['local', 'global'] as const) {
      const found = await engine.graph.search(call, { query: 'Where is OrderDesk?', mode, limit: 3 });
      assert.deepEqual(
        found.results.map((hit) => hit.path),
        ['a.md'],
        mode,
      );
      assert.match(found.warnings.join(), /only mention/, mode);
    }
  }));

test('local and global say that there is no graph, and what builds one', () =>
  using(async (folder) => {
    TOPICS.forEach((text, at) => folder.write(`topic-${at}.md`, `${text}\n`));
    const engine = await folder.open({ extractor: stating('nowhere to be found') });
    await engine.graph.index(call, {});
    const ask = (mode: 'local' | 'global' | 'hybrid') =>
      engine.graph.search(call, { query: 'Which violin string is fertile?', mode, limit: 3 });
    for (const mode of ['local', 'global'] as const)
      assert.match((await ask(mode)).warnings.join(), /graph is empty: `vai graph build/, mode);
    assert.doesNotMatch((await ask('hybrid')).warnings.join(), /graph is empty/);
  }));

test('a question that names nothing is answered by local from relations on its theme, and says so', () =>
  using(async (folder) => {
    folder.write(
      'a.md',
      '# Checkout Service\n\nThe Checkout Service uses the Ledger Service to refund cancelled baskets.\n\n# Ledger Service\n\nThe Ledger Service is a service.\n',
    );
    const engine = await folder.open();
    await engine.graph.index(call, {});
    const query = 'how are baskets refunded when cancelled?';
    const found = await engine.graph.search(call, { query, mode: 'local', limit: 5 });
    assert.equal(found.results[0]?.path, 'a.md');
    assert.match(found.warnings.join(), /names no entity of the graph; these passages state relations/);
  }));

test('hybrid tells in which spelling words were searched, and judges by it', () =>
  using(async (folder) => {
    folder.write('a.md', 'Trailing whitespace is removed before a commit.\n');
    TOPICS.forEach((text, at) => folder.write(`topic-${at}.md`, `${text}\n`));
    const engine = await folder.open();
    await engine.graph.index(call, {});
    const search = (query: string) => engine.graph.search(call, { query, mode: 'hybrid', limit: 3 });
    const [typed, written] = [await search('trailing white space'), await search('trailing whitespace')];
    assert.equal(typed.results[0]?.path, 'a.md');
    assert.match(typed.warnings.join('\n'), /`white space` → `whitespace`/);
    assert.equal(typed.results[0].relevance, written.results[0]?.relevance);
  }));
