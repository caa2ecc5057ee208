// What an answer is worth: relevance of each hit, the verdict, and what is done with both, through the whole engine.

import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, before, it } from 'node:test';
import { localCall } from '../../../src/engine/call.ts';
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

it('`minRelevance` leaves out the others; where none is left, that is said', async () => {
  const all = await search({ query: OWN });
  const bound = all.hits[0]!.relevance;
  assert.ok(all.hits.length > 1);
  const { hits } = await search({ query: OWN, minRelevance: bound });
  assert.deepEqual(hits.map(({ id }) => id), [all.hits[0]!.id]); // prettier-ignore
  const none = await search({ query: STRANGE, minRelevance: 0.9 });
  assert.deepEqual([none.hits.length, none.verdict], [0, 'nothing_relevant']);
  assert.ok(none.notices.some(({ code }) => code === 'min_relevance'));
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
  } finally {
    await own.close();
  }
});
