// The retrievers by themselves: what is asked of the store and the model, how lists are weighted, and what is said.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { VaiError } from '../../../src/domain/errors.ts';
import { localCall } from '../../../src/engine/call.ts';
import { parseQuery } from '../../../src/engine/search/parse-query.ts';
import { retrieve, type RetrieveRequest } from '../../../src/engine/search/retrieve.ts';

interface World {
  /** Ids found by words, for each search in turn. */
  words?: string[][];
  near?: Record<string, string[]>;
  /** How many of nine chunks have a word; without it, the store does not count. */
  counts?: Record<string, number>;
  trust?: number;
  weighsWords?: true;
  /** Of the model on this machine, before and after it was fetched; vectors are of revision 1. */
  revisions?: [number | undefined, number | undefined];
  configured?: string;
  fails?: VaiError;
  collections?: object[];
  /** The text of every chunk. */
  passage?: string;
  /** Chunks that are about the name `Falcon`. */
  falcon?: string[];
  /** Whether names are still to be found, and whether the store then takes them. */
  unnamed?: 'taken' | 'refused';
}

const collection = (name: string, { model = 'north-1', dimensions = 2, vectors = 1 } = {}) => ({
  ...{ name, stats: { vectors }, embedding: { model, dimensions, revision: 1 } },
});

async function asked(mode: string, world: World = {}, more: Partial<RetrieveRequest> = {}) {
  const log: Record<string, unknown[]> = { words: [], vectors: [], counts: [], embedders: [], options: [] };
  const turns = [...(world.words ?? [['w']])];
  const [before, fetched] = world.revisions ?? [1, 1];
  let revision = before;
  const embedder = (model: string, dimensions: number) => {
    log['embedders']!.push([model, dimensions]);
    revision = fetched;
    const embed = (_texts: unknown, options: object) => {
      log['options']!.push(options);
      if (world.fails) return Promise.reject(world.fails);
      return Promise.resolve({ vectors: [Float32Array.of(1, 0)], tokens: 3 });
    };
    const { trust = 0.5, weighsWords } = world;
    return Promise.resolve({ model, dimensions, trust, embed, ...(weighsWords ? { weighsWords } : {}) });
  };
  const hits = (ids: string[]) => ids.map((id) => ({ id, score: 1 }));
  const search = {
    words: (query: { limit: number }) => {
      log['words']!.push(query.limit);
      return Promise.resolve({ hits: hits(turns.shift() ?? []), notices: ['said by words'] });
    },
    vectors: ({ scope }: { scope: { collections: string[] } }) => {
      log['vectors']!.push(scope.collections);
      return Promise.resolve({ hits: hits(['m']), notices: ['said by meaning'] });
    },
    similarWords: (list: string[]) => Promise.resolve(new Map(list.map((w) => [w, world.near?.[w] ?? []]))),
    wordCounts: (list: string[]) => {
      log['counts']!.push(list);
      const { counts } = world;
      return Promise.resolve(counts && { chunks: 9, having: list.map((word) => counts[word] ?? 0) });
    },
    chunks: (ids: string[]) =>
      Promise.resolve(ids.map((id) => ({ id, title: '', headingPath: [], text: world.passage ?? '' }))),
  };
  let waiting = world.unnamed !== undefined;
  const graph = {
    unnamed: () => {
      const chunks = [{ id: 'n', text: 'nothing', headingPath: [] }];
      return Promise.resolve(waiting ? [{ info: { title: 'n', path: 'n', headings: 1 }, chunks }] : []);
    },
    name: () => {
      if (world.unnamed === 'refused')
        return Promise.reject(new VaiError('STORE_READONLY', 'The store is read-only.'));
      waiting = false;
      return Promise.resolve();
    },
    chunksWithMentions: (keys: string[]) =>
      Promise.resolve(
        new Map(keys.filter((key) => /^\W?falcon$/.test(key)).map((key) => [key, world.falcon ?? []])),
      ),
  };
  const models = {
    embedder,
    traits: (name: string) => ({ revision, known: name.startsWith('south') }),
    space: (name: string) => name.split('-')[0],
    info: (name: string) => (name.endsWith('rerank') ? { type: 'rerank' } : undefined),
  };
  const text = more.text ?? 'harbour lights';
  const request = {
    ...{
      deps: { models, settings: { model: world.configured } },
      store: { search, graph },
      call: localCall(),
    },
    ...{ query: parseQuery(text), text, mode, scope: {}, pool: 100 },
    ...{ collections: world.collections ?? [collection('a')], ...more },
  } as unknown as RetrieveRequest;
  const found = await retrieve(request);
  const lists = found.lists.map(({ retriever, weight }) => [retriever, Number(weight.toFixed(4))]);
  return { ...found, weights: lists, codes: found.notices.map(({ code }) => code), log };
}

test('words weigh 1, and meaning beside them what it can be trusted against what it cannot', async () => {
  for (const [trust, weight] of [[0.2, 0.25], [0.5, 1], [0.75, 3], [0.95, 9.5]] as const) // prettier-ignore
    assert.deepEqual((await asked('hybrid', { trust })).weights, [['words', 1], ['meaning', weight]]); // prettier-ignore
  assert.deepEqual((await asked('meaning', { trust: 0.75 })).weights, [['meaning', 1]]);
  const words = await asked('words');
  assert.deepEqual([words.weights, words.log['embedders'], words.tokens], [[['words', 1]], [], 0]);
});

test('an answer says what was searched with, what it cost, and what each retriever had to say', async () => {
  const found = await asked('hybrid');
  assert.deepEqual([found.model, found.dimensions, found.tokens], ['north-1', 2, 3]);
  assert.deepEqual(found.asked, [{ vector: Float32Array.of(1, 0), collections: ['a'] }]);
  assert.deepEqual(found.notices, [
    { code: 'words', message: 'said by words' },
    { code: 'meaning', message: 'said by meaning' },
  ]);
  assert.deepEqual(found.log['options'], [{ role: 'query' }]);
});

test('collections of one model and length are asked together', async () => {
  const collections = [collection('a'), collection('b'), collection('c', { dimensions: 4 })];
  const none = [collection('d', { vectors: 0 }), { name: 'e', stats: { vectors: 1 } }];
  const { log } = await asked('hybrid', { collections: [...collections, ...none] });
  assert.deepEqual(log['vectors'], [['a', 'b'], ['c']]);
  assert.deepEqual(log['embedders'], [['north-1', 2], ['north-1', 4]]); // prettier-ignore
});

test('an embedder that weighs words is told how rare each of 64 is, where the store counts them', async () => {
  const counts = { lights: 9 };
  const { log } = await asked('hybrid', { weighsWords: true, counts });
  const others = (await asked('hybrid', { counts })).log['counts']!;
  assert.deepEqual(log['counts']!.length - others.length, 1, 'beside what spelling asks');
  const { rarity } = log['options']![0] as { rarity: Map<string, number> };
  assert.deepEqual([...rarity], [['harbour', Math.log(20)], ['lights', Math.log(2)]]); // prettier-ignore
  assert.deepEqual((await asked('hybrid', { weighsWords: true })).log['options'], [{ role: 'query' }]);
  const text = Array.from({ length: 70 }, (_, at) => `w${at}`).join(' ');
  const many = await asked('hybrid', { weighsWords: true }, { text });
  assert.equal(Math.min(...many.log['counts']!.map((words) => (words as string[]).length)), 64);
});

test('near spellings are said only where they are found', async () => {
  const codes = async (words: string[][], near = {}, mode = 'hybrid') =>
    (await asked(mode, { words, near, counts: {} })).codes.filter(
      (code) => code !== 'words' && code !== 'meaning',
    );
  assert.deepEqual(await codes([['w']]), []);
  assert.deepEqual(await codes([[], ['w']], { harbour: ['harbor'] }), ['spelling']);
  assert.deepEqual(await codes([[], []], { harbour: ['harbor'] }), []);
});

test('by meaning alone, a collection without vectors says so', async () => {
  const collections = [collection('a', { vectors: 0 })];
  assert.deepEqual((await asked('meaning', { collections })).codes, ['no_vectors']);
  assert.deepEqual((await asked('hybrid', { collections })).codes, ['words']);
  assert.deepEqual((await asked('meaning')).codes, ['meaning']);
});

test('vectors of an earlier model are not searched: words are, and a notice says so', async () => {
  for (const revisions of [
    [2, 2],
    [undefined, 2],
  ] as [number | undefined, number][]) {
    // prettier-ignore
    const meaning = await asked('meaning', { revisions });
    assert.deepEqual([meaning.weights, meaning.log['vectors']], [[['words', 1]], []]);
    assert.deepEqual(meaning.codes.toSorted(), ['stale_vectors', 'words']);
    const notice = meaning.notices.find(({ code }) => code === 'stale_vectors')!;
    assert.match(notice.message, /^`a`: the vectors were made by an earlier north-1 /);
    assert.equal(meaning.log['embedders']!.length, revisions[0] === undefined ? 1 : 0, 'fetched to find out');
    const hybrid = await asked('hybrid', { revisions });
    assert.deepEqual([hybrid.weights, hybrid.log['words']], [[['words', 1]], [100]]);
  }
  const collections = [collection('a', { vectors: 0 })];
  assert.deepEqual((await asked('meaning', { revisions: [2, 2], collections })).codes, ['no_vectors']);
});

test('a model that fails leaves the words, unless nothing but meaning was asked for', async () => {
  const away = new VaiError('PROVIDER_UNAVAILABLE', 'The provider is away.');
  const hybrid = await asked('hybrid', { fails: away });
  assert.deepEqual(hybrid.weights, [['words', 1]]);
  assert.deepEqual(hybrid.warnings, ['Searched by words only in a: The provider is away.']);
  await assert.rejects(asked('meaning', { fails: away }), { code: 'PROVIDER_UNAVAILABLE' });
  await assert.rejects(asked('meaning', { fails: away }, { deadlineMs: 60_000 }), { code: 'PROVIDER_UNAVAILABLE' }); // prettier-ignore
  const late = new VaiError('TIMEOUT', 'Too late.');
  await assert.rejects(asked('meaning', { fails: late }), { code: 'TIMEOUT' });
  assert.deepEqual((await asked('meaning', { fails: late }, { deadlineMs: 60_000 })).weights, [['words', 1]]);
  const spent = new VaiError('COST_LIMIT', 'No more today.');
  assert.deepEqual((await asked('meaning', { fails: spent })).weights, [['words', 1]]);
});

test('a model is told to stop when its time is over or the caller goes away', async () => {
  const stops = async (more: Partial<RetrieveRequest>) =>
    'signal' in ((await asked('meaning', {}, more)).log['options']![0] as object);
  const { signal } = new AbortController();
  assert.equal(await stops({}), false);
  assert.equal(await stops({ deadlineMs: 60_000 }), true);
  assert.equal(await stops({ call: localCall({ signal }) }), true);
});

const FALCON = { text: 'Falcon sessions' };

test('relations alone replace words; beside words and meaning they are one list more', async () => {
  const weights = async (mode: string, more: Partial<RetrieveRequest> = {}) =>
    (await asked(mode, { falcon: ['r'] }, { ...FALCON, ...more })).weights;
  const found = [['words', 1], ['meaning', 1]]; // prettier-ignore
  assert.deepEqual(await weights('relations'), [['relations', 0.75]]);
  assert.deepEqual(await weights('graph'), [...found, ['relations', 0.75]]);
  assert.deepEqual(await weights('hybrid', { relations: true }), [...found, ['relations', 0.75]]);
  assert.deepEqual(await weights('hybrid'), found);
  assert.deepEqual(await weights('meaning', { relations: true }), [['meaning', 1]]);
  assert.deepEqual(await weights('words', { relations: true }), [['words', 1]]);
});

test('beside others, relations have no say where a passage says all of the question; alone they have', async () => {
  const weights = async (mode: string) =>
    (await asked(mode, { falcon: ['r'], passage: 'The Falcon keeps sessions.' }, FALCON)).weights;
  assert.deepEqual(await weights('graph'), [['words', 1], ['meaning', 1]]); // prettier-ignore
  assert.deepEqual(await weights('relations'), [['relations', 0.75]]);
});

test('names that cannot be written down are told to who asks for relations, to nobody else', async () => {
  const told = async (mode: string, world: World, more: Partial<RetrieveRequest> = {}) =>
    (await asked(mode, world, { ...FALCON, ...more })).notices.filter(
      ({ code }) => code === 'names_incomplete',
    );
  const message = 'Some names were not looked for, so relations may be missing: The store is read-only.';
  for (const mode of ['relations', 'graph']) {
    assert.deepEqual(await told(mode, { unnamed: 'refused' }), [{ code: 'names_incomplete', message }]);
    assert.deepEqual(await told(mode, { unnamed: 'taken' }), []);
  }
  assert.deepEqual(await told('hybrid', { unnamed: 'refused' }, { relations: true }), []);
});

test('looking for names shows progress where relations are asked for, and is silent beside a hybrid search', async () => {
  const progress = async (mode: string) => {
    const said: unknown[] = [];
    const call = localCall({ progress: (one) => said.push(one) });
    await asked(mode, { unnamed: 'taken' }, { ...FALCON, call, relations: true });
    return said;
  };
  assert.deepEqual(await progress('relations'), [{ done: 1, message: 'finding names' }]);
  assert.deepEqual(await progress('graph'), [{ done: 1, message: 'finding names' }]);
  assert.deepEqual(await progress('hybrid'), []);
});

test('a caller that went away is not served', async () => {
  const call = localCall({ signal: AbortSignal.abort() });
  await assert.rejects(asked('meaning', {}, { call }), VaiError);
});

test('the model asked for or configured is used where its vectors can be compared', async () => {
  const used = async (world: World, model?: string) =>
    (await asked('meaning', world, { ...(model ? { model } : {}) })).model;
  assert.equal(await used({}, 'north-2'), 'north-2');
  assert.equal(await used({ configured: 'north-3' }), 'north-3');
  assert.equal(await used({ configured: 'south-1' }), 'north-1');
  assert.equal(await used({ configured: 'north-3' }, 'north-2'), 'north-2');
  for (const [model, message] of [
    ['south-1', /^`a` was embedded with north-1; south-1 lives in another space\.$/],
    ['west-rerank', /west-rerank is a reranker/],
    ['x'.repeat(100), /; x{80} is not a model vai knows/],
  ] as const)
    await assert.rejects(used({}, model), { code: 'MODEL_MISMATCH', message });
});
