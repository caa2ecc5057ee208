// What an answer is worth: relevance of each hit, the verdict, and what is done with both, through the whole engine.

import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import { localCall } from '../../../src/engine/call.ts';
import type { EngineDeps } from '../../../src/engine/deps.ts';
import type { CollectionView } from '../../../src/engine/scope.ts';
import { parseQuery } from '../../../src/engine/search/parse-query.ts';
import { chunkCount, rate, rateChunks, verdictNotice } from '../../../src/engine/search/relevance.ts';
import type { Chosen } from '../../../src/engine/search/select.ts';
import type { StoredChunk } from '../../../src/ports/store.ts';
import type { SearchRequest, SearchResult } from '../../../src/engine/search/types.ts';
import { tempEngine, type TempEngine } from '../../support/temp-engine.ts';

const call = localCall();
let temp: TempEngine;

const NOTES = {
  'keys.md':
    '# Rotating keys\n\nTo rotate a signing key, create the new key first, publish it, and retire the old one a day later.',
  'pool.md':
    '# Connection pool\n\nThe idle timeout closes a database connection that nobody has used for thirty seconds.',
  'logs.md':
    '# Logging\n\nLog files are written to the state directory and rotated when they are larger than ten megabytes.',
};
const OWN = 'how do I rotate a signing key';
const STRANGE = 'which cheese goes with red wine';

before(async () => {
  temp = await tempEngine();
  for (const [source, text] of Object.entries(NOTES))
    await temp.engine.ingest.text(call, { collection: 'notes', source, text });
});
after(() => temp.close());

const search = (request: Partial<SearchRequest> & { query: string }): Promise<SearchResult> =>
  temp.engine.search.run(call, { limit: 5, ...request });

it('an answer says whether it answers, in every mode, reranked or not', async () => {
  for (const mode of ['hybrid', 'meaning', 'words'] as const)
    for (const rerank of [false, true]) {
      const { verdict, hits, notices } = await search({ query: OWN, mode, rerank });
      assert.equal(verdict, 'answered', `${mode} ${rerank}`);
      assert.equal(hits[0]!.path, 'keys.md');
      assert.ok(hits.every(({ relevance }) => relevance >= 0 && relevance <= hits[0]!.relevance));
      assert.ok(notices.every(({ code }) => code !== 'weak' && code !== 'nothing_relevant'));
    }
});

it('what is asked for by its name answers, a page or a definition, however little of it looks like the question', async () => {
  const own = await tempEngine();
  try {
    for (let at = 0; at < 30; at += 1)
      await own.engine.ingest.text(call, {
        collection: 'all',
        source: `${at}.md`,
        text: `# Part ${at}\n\nThe moorings of the harbour, and what is number ${at} of them.`,
      });
    const page = '# Moorings\n\nBelow this line everything else is kept.';
    await own.engine.ingest.text(call, { collection: 'all', source: 'page.md', text: page });
    const file = join(own.home, 'harbour.py');
    writeFileSync(file, 'def fetch_berth(x):\n    return x\n');
    await own.engine.ingest.files(call, { paths: [file], collection: 'all' });
    for (const [query, path] of [
      ['what are moorings', 'page.md'],
      ['fetch_berth', 'harbour.py'],
    ] as const) {
      const { verdict, hits } = await own.engine.search.run(call, { query, rerank: true, limit: 3 });
      assert.equal(verdict, 'answered', query);
      assert.ok(hits[0]!.path.endsWith(path) && hits[0]!.relevance >= 0.9, JSON.stringify(hits[0]));
    }
  } finally {
    await own.close();
  }
});

it('hits that only are the nearest are listed, and called so', async () => {
  for (const rerank of [false, true]) {
    const { verdict, hits, notices } = await search({ query: STRANGE, rerank });
    assert.equal(verdict, 'nothing_relevant');
    assert.ok(hits.length > 0 && hits.every(({ relevance }) => relevance < 0.1));
    assert.match(notices.find(({ code }) => code === verdict)!.message, /Nothing here seems to answer/);
  }
  assert.equal((await search({ query: STRANGE, mode: 'words' })).verdict, 'nothing_relevant');
});

it('a few notes may answer in other words: that is weak, and only a question about something else finds nothing', async () => {
  const text = '# Deploying\n\n## Rolling back\n\nRun `ship rollback --to <version>`. Tell #ops first.';
  await temp.engine.ingest.text(call, { collection: 'deploy', source: 'deploy.md', text });
  const ask = async (query: string, collections: string[], rerank = true) =>
    (await search({ query, collections, rerank })).verdict;
  for (const rerank of [false, true]) {
    assert.equal(await ask('how do I undo a bad release', ['deploy'], rerank), 'weak');
    assert.equal(await ask(STRANGE, ['deploy'], rerank), 'nothing_relevant');
  }
  // Among many passages one is near by chance.
  const many = Array.from({ length: 12 }, (_, at) => `# Part ${at}\n\nShelf ${at} holds jar number ${at}.`);
  for (const [at, page] of [...many, text].entries())
    await temp.engine.ingest.text(call, { collection: 'shelves', source: `${at}.md`, text: page });
  assert.equal(await ask('how do I undo a bad release', ['shelves']), 'nothing_relevant');
});

it('by words alone: what was looked for decides, not what was excluded, begun or misspelled', async () => {
  const ask = async (query: string) => (await search({ query, mode: 'words', judgeByWords: true })).verdict;
  for (const query of [
    OWN,
    'rotate signing key -chocolate -cheesecake -strawberries',
    'sign* rot*',
    'pubish',
  ])
    assert.equal(await ask(query), 'answered', query);
  for (const query of ['the', 'The a', 'has']) assert.equal(await ask(query), 'weak', query);
  assert.equal(await ask('"that nobody has"'), 'answered');
  const text = '# While\n\nRepeats what stands below it.';
  await temp.engine.ingest.text(call, { collection: 'statements', source: 'loop.md', text });
  assert.equal(await ask('while'), 'answered');
  assert.equal(await ask('which red cheese key goes with wine and chocolate'), 'nothing_relevant');
});

it('relevance does not depend on how many hits are asked for, nor on the page', async () => {
  const whole = await search({ query: OWN, join: false });
  const one = await search({ query: OWN, join: false, limit: 1 });
  assert.equal(one.hits[0]!.relevance, whole.hits[0]!.relevance);
  const next = await search({ query: OWN, join: false, limit: 1, cursor: one.nextCursor });
  assert.equal(next.hits[0]!.relevance, whole.hits[1]!.relevance);
  assert.equal(next.verdict, 'answered');
});

it('nor on what else a longer page shows', async () => {
  const own = await tempEngine();
  try {
    for (let at = 0; at < 40; at += 1) {
      const text = `# Key ${at}\n\nThe signing desk number ${at} keeps key ${at * 7} for room ${at + 100}.`;
      await own.engine.ingest.text(call, { collection: 'desks', source: `${at}.md`, text });
    }
    await own.engine.ingest.text(call, { collection: 'desks', source: 'keys.md', text: NOTES['keys.md'] });
    for (const rerank of [false, true]) {
      const ask = (limit: number) => own.engine.search.run(call, { query: OWN, rerank, limit });
      const whole = await ask(40);
      assert.ok(whole.hits.length > 25);
      const all = whole.hits.map(({ relevance }) => relevance);
      for (const limit of [1, 5, 10]) {
        const { verdict, hits } = await ask(limit);
        assert.equal(verdict, whole.verdict);
        assert.deepEqual(
          hits.map(({ relevance }) => relevance),
          all.slice(0, limit),
        );
      }
    }
  } finally {
    await own.close();
  }
});

it('`minRelevance` leaves out the others; where none is left, that is said', async () => {
  const all = await search({ query: OWN });
  const bound = all.hits[0]!.relevance;
  assert.ok(all.hits.length > 1);
  const { hits } = await search({ query: OWN, minRelevance: bound });
  assert.deepEqual(hits.map(({ id }) => id), [all.hits[0]!.id]); // prettier-ignore
  const none = await search({ query: STRANGE, minRelevance: 0.9 });
  assert.deepEqual([none.hits.length, none.verdict], [0, 'nothing_relevant']);
  assert.ok(none.notices.some(({ code }) => code === 'min_relevance'));
  assert.equal(none.nextCursor, undefined, 'and a cursor would lead through empty pages');
});

it('similarity is the cosine with the question wherever vectors took part', async () => {
  const meaning = await search({ query: OWN, mode: 'meaning' });
  const hybrid = await search({ query: OWN, mode: 'hybrid' });
  const cosines = new Map(hybrid.hits.map(({ id, similarity }) => [id, similarity!]));
  for (const { id, similarity } of meaning.hits) assert.ok(Math.abs(cosines.get(id)! - similarity!) < 0.01);
  assert.ok((await search({ query: OWN, mode: 'words' })).hits.every((hit) => hit.similarity === undefined));
});

it('a collection that wants to be named answers only when it is, or when there is no other', async () => {
  const own = await tempEngine();
  try {
    const file = join(own.home, 'keys.md');
    writeFileSync(file, NOTES['keys.md']);
    await own.engine.ingest.files(call, { paths: [file], collection: 'manual', onlyNamed: true });
    const ask = async (collections?: string[]) =>
      (await own.engine.search.run(call, { query: OWN, limit: 5, collections })).hits.map(
        ({ collection }) => collection,
      );
    assert.deepEqual(await ask(), ['manual']);
    await own.engine.ingest.text(call, { collection: 'mine', source: 'a', text: NOTES['pool.md'] });
    assert.deepEqual(await ask(), ['mine']);
    assert.deepEqual(await ask(['*']), ['mine']);
    assert.deepEqual(await ask(['manual']), ['manual']);
    const found = await own.engine.docs.find(call, { query: 'signing key' });
    assert.ok(found.hits.every(({ alias }) => alias !== 'manual'));
    const graph = await own.engine.graph.stats(call);
    assert.deepEqual(
      [graph.documents, graph.documentsWithoutEntities],
      [1, 1],
      'nor has it a part in the graph',
    );
  } finally {
    await own.close();
  }
});

describe('what is made of the judgement of each passage', () => {
  const bounds = { nothing: 0.2, weak: 0.5 };
  /** A passage is as relevant as its text says. */
  const depsOf = (near = false): EngineDeps => {
    const relevance = {
      ...{ bounds, isNear: () => near },
      judge: (_: string, passages: { text: string }[]) => ({ relevance: passages.map(({ text }) => Number(text)), bounds }), // prettier-ignore
      judgeWords: (_: string, passages: { share: number }[]) => ({ relevance: passages.map(({ share }) => share), bounds }), // prettier-ignore
    };
    return { models: { relevance: () => Promise.resolve(relevance) } } as unknown as EngineDeps;
  };
  const chunk = (relevance: number): StoredChunk =>
    ({ text: String(relevance), title: '', headingPath: [] }) as unknown as StoredChunk;
  const chosen = (...passages: object[]): Chosen => ({ candidates: passages }) as unknown as Chosen;
  const hits = (...values: number[]): Chosen[] => values.map((value) => chosen({ chunk: chunk(value), fused: {} })); // prettier-ignore
  const evidence = (first: Chosen[], more: object = {}) => ({ first, page: first, chunks: 11, ...more }); // prettier-ignore

  it('the bounds of the best decide', async () => {
    for (const [best, verdict] of [
      [0.19, 'nothing_relevant'],
      [0.2, 'weak'],
      [0.49, 'weak'],
      [0.5, 'answered'],
    ] as const) {
      // prettier-ignore
      const rating = await rate(depsOf(), 'q', evidence(hits(0.1, best)));
      assert.deepEqual(rating, { relevance: [0.1, best], verdict });
      const chunks = await rateChunks(depsOf(), 'q', { found: [chunk(0.1), chunk(best)], chunks: 11 });
      assert.deepEqual(chunks, { relevance: [0.1, best], verdict });
    }
  });

  it('of at most ten passages one that is near is weak', async () => {
    const verdict = async (near: boolean, more: object) => (await rate(depsOf(near), 'q', evidence(hits(0.1), more))).verdict; // prettier-ignore
    assert.equal(await verdict(true, { chunks: 10 }), 'weak');
    assert.equal(await verdict(false, { chunks: 10 }), 'nothing_relevant');
    assert.equal(await verdict(true, { chunks: 11 }), 'nothing_relevant');
    assert.equal((await rateChunks(depsOf(true), 'q', { found: [chunk(0.1)], chunks: 10 })).verdict, 'weak');
    const byWords = evidence([chosen({ fused: { share: 0.1 } })].map((hit) => ({ ...hit, candidates: hit.candidates.map((one) => ({ ...one, chunk: chunk(0) })) })), { byWords: parseQuery('q'), chunks: 1 }); // prettier-ignore
    assert.deepEqual(await rate(depsOf(true), 'q', byWords), {
      relevance: [0.1],
      verdict: 'nothing_relevant',
    });
  });

  it('the first ten decide, whatever the page shows', async () => {
    const eleven = hits(0.3, ...Array<number>(9).fill(0.1), 0.9);
    assert.deepEqual(await rate(depsOf(), 'q', evidence(eleven, { page: eleven.slice(10) })), { relevance: [0.9], verdict: 'weak' }); // prettier-ignore
    const late = hits(0.1, 0.19, 0.5);
    const onPage = async (count: number) => (await rate(depsOf(), 'q', evidence(late, { page: late.slice(0, count) }))).elsewhere; // prettier-ignore
    assert.deepEqual([await onPage(2), await onPage(3)], [true, undefined], 'a page without it says so');
    const found = [0.3, ...Array<number>(9).fill(0.1), 0.9].map(chunk);
    assert.equal((await rateChunks(depsOf(), 'q', { found, chunks: 11 })).verdict, 'weak');
  });

  it('a joined hit is worth its best passage, and what a reranker judged is not judged again', async () => {
    const joined = chosen({ chunk: chunk(0.1), fused: {} }, { chunk: chunk(0.6), fused: {} });
    assert.deepEqual(await rate(depsOf(), 'q', evidence([joined])), {
      relevance: [0.6],
      verdict: 'answered',
    });
    const known = chosen({ chunk: chunk(0.1), fused: {}, relevance: 0.7 });
    assert.deepEqual((await rate(depsOf(), 'q', evidence([known]))).relevance, [0.7]);
    assert.deepEqual(
      (await rate(depsOf(), 'q', evidence([known, ...hits(0.2)]))).relevance,
      [0.1, 0.2],
      'all or none',
    );
  });

  it('by words alone a passage that words did not find is worth nothing', async () => {
    const page = [chosen({ chunk: chunk(0.9), fused: { share: 0.6 } }), ...hits(0.9)];
    assert.deepEqual(await rate(depsOf(), 'q', evidence(page, { byWords: parseQuery('q') })), { relevance: [0.6, 0], verdict: 'answered' }); // prettier-ignore
  });

  it('nothing found is nothing relevant, and no model is asked', async () => {
    const nothing = { relevance: [], verdict: 'nothing_relevant' };
    assert.deepEqual(await rate({} as EngineDeps, 'q', evidence([])), nothing);
    assert.deepEqual(await rateChunks({} as EngineDeps, 'q', { found: [], chunks: 0 }), nothing);
  });

  it('collections are counted together, and an answer needs no notice', () => {
    const views = [2, 3].map((chunks) => ({ stats: { chunks } })) as CollectionView[];
    assert.equal(chunkCount(views), 5);
    assert.deepEqual((['answered', 'weak', 'nothing_relevant'] as const).flatMap(verdictNotice).map(({ code }) => code), ['weak', 'nothing_relevant']); // prettier-ignore
  });
});
