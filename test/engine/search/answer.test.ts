// What an answer says of itself, on a store that holds one text many times and models that judge as they are told.

import assert from 'node:assert/strict';
import { test, type TestContext } from 'node:test';
import { localCall } from '../../../src/engine/call.ts';
import type { EngineDeps } from '../../../src/engine/deps.ts';
import { createSearch } from '../../../src/engine/search/search.ts';
import type { SearchRequest, SearchResult } from '../../../src/engine/search/types.ts';

interface World {
  /** How often the text is found. */
  found?: number;
  collections?: object[];
  trust?: number;
  relevance?: number;
  /** Collections the project names. */
  project?: string[];
}

const collection = (more: object = {}) => ({
  ...{ name: 'c', stats: { chunks: 9, vectors: 1 }, embedding: { model: 'north', dimensions: 1 }, ...more },
});

const chunk = (id: string) => ({
  ...{ id, collection: 'c', path: `p${id}`, ordinal: 0, title: 'Title', headingPath: [], metadata: {} },
  text: 'The harbour lights burn from dusk to dawn on every day of the year.',
  ...{ sha256: 'a'.repeat(64), startLine: 1, endLine: 3, block: { start: 1, end: 3 } },
});

function ask(request: Partial<SearchRequest>, world: World = {}): Promise<SearchResult> {
  const { found = 0, collections = [collection()], trust = 0.5, relevance = 1, project } = world;
  const resolve = <T>(value: T): Promise<T> => Promise.resolve(value);
  const none = () => resolve({ hits: [], notices: [] });
  const words = ({ limit }: { limit: number }) => {
    const hits = Array.from({ length: Math.min(limit, found) }, (_, at) => ({ id: String(at), score: 1 }));
    return resolve({ hits, notices: [], total: found, totalIsBound: false });
  };
  const search = {
    ...{
      words,
      vectors: none,
      pages: () => resolve([]),
      similarWords: () => resolve(new Map()),
      wordCounts: () => resolve(undefined),
    },
    chunks: (ids: string[]) => resolve(ids.map(chunk)),
  };
  const documents = { lines: (asked: unknown[]) => resolve(asked.map(() => '\nharbour lights\n')) };
  const store = { search, documents, database: 'd', collections: { list: () => resolve(collections) } };
  const bounds = { nothing: 0.2, weak: 0.5 };
  const models = {
    traits: () => ({ trust, hosted: false }),
    space: () => 'north',
    embedder: () => resolve({ trust, embed: () => resolve({ vectors: [Float32Array.of(1)], tokens: 0 }) }),
    relevance: () =>
      resolve({
        judge: (_: string, passages: unknown[]) => ({ relevance: passages.map(() => relevance), bounds }),
        isNear: () => false,
      }),
  };
  const settings = {
    defaultDb: 'd',
    ...(project ? { project: { file: '.vai.json', folder: '.', collections: project } } : {}),
  };
  const deps = { models, settings, stores: { open: () => resolve(store) } } as unknown as EngineDeps;
  return createSearch(deps).run(localCall(), { query: 'harbour lights', limit: 1, ...request });
}

const codes = (result: SearchResult): string[] => result.notices.map(({ code }) => code);

test('vectors that can be trusted are searched alone, where every collection has them', async () => {
  const mode = async (query: string, world: World) => (await ask({ query }, world)).mode;
  const trusted = { trust: 0.75 };
  const empty = collection({ stats: { chunks: 9, vectors: 0 } });
  assert.equal(await mode('harbour', trusted), 'meaning');
  assert.equal(await mode('harbour', { trust: 0.74 }), 'hybrid');
  assert.equal(await mode('harbour', { ...trusted, collections: [empty] }), 'hybrid');
  assert.equal(await mode('harbour', { ...trusted, collections: [collection(), empty] }), 'hybrid');
  assert.equal(
    await mode('harbour', { ...trusted, collections: [collection({ embedding: undefined })] }),
    'hybrid',
  );
  assert.equal(await mode('harbour', { ...trusted, collections: [] }), 'hybrid');
  assert.equal(await mode('+harbour lights', trusted), 'words');
  assert.equal(await mode('harbour -lights', trusted), 'words');
});

test('one hit is shown from its first line that says something, with the version it documents', async () => {
  const documented = [collection({ extra: { statedVersion: '1.2.3' } })];
  const { hits } = await ask({ mode: 'words' }, { found: 1, collections: documented });
  const [{ text, lines, docsVersion } = {}] = hits as [SearchResult['hits'][number]];
  assert.deepEqual(
    [hits.length, text, lines, docsVersion],
    [1, 'harbour lights', { start: 2, end: 2 }, '1.2.3'],
  );
  const [plain] = (await ask({ mode: 'words' }, { found: 1 })).hits;
  assert.ok(!('docsVersion' in plain!));
});

test('of one hit it is said that it does not answer, or is less relevant than asked for', async () => {
  const said = async (relevance: number, minRelevance?: number) =>
    codes(await ask({ mode: 'words', ...(minRelevance ? { minRelevance } : {}) }, { found: 1, relevance }));
  assert.deepEqual(await said(0.9), []);
  assert.deepEqual(await said(0.3), ['weak']);
  assert.deepEqual(await said(0.1), ['nothing_relevant']);
  assert.deepEqual(await said(0.6, 0.7), ['min_relevance']);
  assert.deepEqual(await said(0.8, 0.7), []);
});

test('a page that only copies are left for is empty and the last', async () => {
  const first = await ask({ mode: 'words' }, { found: 2_000 });
  assert.equal(first.hits.length, 1);
  assert.ok(first.nextCursor);
  const second = await ask({ mode: 'words', cursor: first.nextCursor }, { found: 2_000 });
  assert.deepEqual([second.hits, second.nextCursor, codes(second)], [[], undefined, []]);
});

test('ten of the collections that a project still lacks are named', async () => {
  const project = Array.from({ length: 12 }, (_, at) => `s${at}`);
  const { notices } = await ask({}, { project });
  const names = project.slice(0, 10).join(', ');
  const message = `Of this project's collections, not installed yet: ${names}. \`vai sync\` installs them.`;
  assert.deepEqual(notices[0], { code: 'not_installed', message });
});

test('the time it took is given to a hundredth of a millisecond', async (t: TestContext) => {
  const times = [10.001];
  t.mock.method(performance, 'now', () => times.shift() ?? 13.3357);
  assert.equal((await ask({ mode: 'words' })).timeMs, 3.33);
});
