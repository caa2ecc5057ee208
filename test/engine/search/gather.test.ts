// How far a search looks, in which order candidates are taken, and whether there is more.

import assert from 'node:assert/strict';
import { test, type TestContext } from 'node:test';
import { VaiError } from '../../../src/domain/errors.ts';
import { definitionKey } from '../../../src/domain/symbols.ts';
import { localCall } from '../../../src/engine/call.ts';
import { gather } from '../../../src/engine/search/gather.ts';
import { parseQuery } from '../../../src/engine/search/parse-query.ts';
import type { SearchRequest } from '../../../src/engine/search/types.ts';

interface World {
  /** How many chunks match, and how many of the first say the same. */
  found?: number;
  copies?: number;
  /** Ids of definitions that are given for a name. */
  named?: string[];
  /** Ids of definitions that words of the question call. */
  spelled?: string[];
  /** Ids of pages that are given for a title. */
  titled?: string[];
  /** Chunks that are about the name `Falcon`. */
  falcon?: string[];
  /** What the reranker thinks of each passage it reads; it decides alone unless it asks for a share. */
  judge?: (at: number) => number;
  share?: number;
  started?: number;
  /** Changes a chunk. */
  chunk?: (at: number) => object;
  score?: (at: number) => number;
  mode?: string;
  text?: string;
  signal?: AbortSignal;
}

async function asked(wanted: number, request: Partial<SearchRequest> = {}, world: World = {}) {
  const { found = 40, copies = 0, mode = 'words', text = 'harbour lights', signal } = world;
  const log = {
    limits: [] as number[],
    read: [] as number[],
    titles: [] as string[][],
    rerankers: [] as unknown[],
    reranked: [] as number[],
  };
  const chunk = (id: string) => {
    const at = Number(id);
    const own = Array.from({ length: 12 }, (_, n) => `w${at < copies ? 0 : at}x${n}`).join(' ');
    return {
      ...{
        id,
        collection: 'c',
        path: `p${at}`,
        ordinal: 0,
        text: own,
        title: '',
        headingPath: [],
        metadata: {},
      },
      ...{ startLine: 1, endLine: 5, block: { start: 1, end: 9 }, ...world.chunk?.(at) },
    };
  };
  const search = {
    words: ({ limit }: { limit: number }) => {
      log.limits.push(limit);
      const hits = Array.from({ length: Math.min(limit, found) }, (_, at) => ({ id: String(at), score: world.score?.(at) ?? found - at })); // prettier-ignore
      return Promise.resolve({ hits, notices: [], total: found, totalIsBound: false });
    },
    chunks: (ids: string[]) => {
      log.read.push(ids.length);
      return Promise.resolve(ids.map(chunk));
    },
    pages: ({ names }: { names: string[] }) => {
      if (names[0] === definitionKey(text)) return Promise.resolve(world.named ?? []);
      if (names[0]!.startsWith(definitionKey(''))) return Promise.resolve(world.spelled ?? []);
      log.titles.push(names);
      return Promise.resolve(world.titled ?? []);
    },
    wordCounts: () => Promise.resolve(undefined),
    similarWords: () => Promise.resolve(new Map()),
  };
  const graph = {
    unnamed: () => Promise.resolve([]),
    chunksWithMentions: (keys: string[]) =>
      Promise.resolve(
        new Map(keys.filter((key) => /^\W?falcon$/.test(key)).map((key) => [key, world.falcon ?? []])),
      ),
  };
  const reranker = (name?: string) => {
    log.rerankers.push(name);
    const rerank = (_query: string, passages: unknown[]) => {
      log.reranked.push(passages.length);
      const order = passages.map((_, index) => ({ index, score: world.judge?.(index) ?? 0 }));
      return Promise.resolve({ order: order.sort((a, b) => b.score - a.score), tokens: 0 });
    };
    return Promise.resolve({ model: 'reader', rerank, ...(world.share ? { share: world.share } : {}) });
  };
  const result = await gather({
    ...{
      deps: { models: { reranker }, settings: {} },
      store: { search, graph },
      call: localCall(signal ? { signal } : {}),
    },
    ...{
      query: parseQuery(text),
      text,
      mode,
      scope: {},
      collections: [],
      wanted,
      started: world.started ?? 0,
    },
    request: { query: text, limit: wanted, mode, ...request },
  } as unknown as Parameters<typeof gather>[0]);
  const { chosen } = result.selected;
  const first = chosen.map(({ candidates }) => candidates.map((one) => one.chunk.id).join('+'));
  return { ...result, ...log, chosen, first };
}

test('so many candidates are asked for', async () => {
  const limits = async (wanted: number, request?: Partial<SearchRequest>, mode?: string) =>
    (await asked(wanted, request, { found: 0, ...(mode ? { mode } : {}) })).limits;
  assert.deepEqual(await limits(10), [50], 'enough to rank code');
  assert.deepEqual(await limits(100), [104], 'four to spare');
  assert.deepEqual(await limits(100, { blocks: true }), [204], 'for blocks once more');
  assert.deepEqual(await limits(2_000), [1_000], 'a thousand at most');
  assert.deepEqual(await limits(10, {}, 'hybrid'), [100]);
  assert.deepEqual(await limits(80, {}, 'hybrid'), [160]);
  assert.deepEqual(await limits(10, { rerank: true }), [100], 'a reranker reads more');
});

test('where copies filled the first look, the second is eight times as wide', async () => {
  const wider = await asked(4, {}, { found: 60, copies: 52 });
  assert.deepEqual([wider.limits, wider.chosen.length, wider.more], [[50, 400], 9, true]);
  const all = await asked(4, {}, { found: 49, copies: 49 });
  assert.deepEqual([all.limits, all.chosen.length, all.more], [[50], 1, false], 'unless there are no more');
  const just = await asked(4, {}, { found: 50, copies: 50 });
  assert.deepEqual([just.limits, just.more], [[50, 400], false]);
  const most = await asked(4, {}, { found: 2_000, copies: 2_000 });
  assert.deepEqual([most.limits, most.more], [[50, 400], true], 'what is left can be gone on with');
  assert.deepEqual((await asked(200, {}, { found: 2_000, copies: 2_000 })).limits, [204, 1_000]);
  assert.deepEqual((await asked(1_000, {}, { found: 2_000, copies: 2_000 })).limits, [1_000], 'never twice');
  const enough = await asked(4, {}, { found: 50, copies: 47 });
  assert.deepEqual(
    [enough.limits, enough.chosen.length, enough.more],
    [[50], 4, true],
    'a full page is enough',
  );
});

test('in other modes models are asked once, and pages after the first are chosen from all there is', async () => {
  const hybrid = { found: 2_000, copies: 95, mode: 'hybrid' };
  const short = await asked(40, {}, hybrid);
  assert.deepEqual([short.limits, short.chosen.length, short.more], [[100], 6, true]);
  const next = await asked(46, { cursor: 'c' }, hybrid);
  assert.deepEqual([next.limits, next.chosen.length >= 46, next.more], [[1_000], true, true]);
  const few = await asked(40, {}, { found: 60, copies: 55, mode: 'hybrid' });
  assert.deepEqual([few.limits, few.chosen.length, few.more], [[100], 6, false]);
});

test('there is more where a hit is left over', async () => {
  const more = async (wanted: number, found: number) => (await asked(wanted, {}, { found })).more;
  assert.deepEqual([await more(10, 10), await more(10, 11)], [false, true]);
  assert.deepEqual([await more(60, 60), await more(60, 61), await more(60, 64)], [false, true, true]);
});

test('chunks are read a dozen at a time, until the page is full', async () => {
  const read = async (wanted: number, request?: Partial<SearchRequest>, world?: World) =>
    (await asked(wanted, request, world)).read;
  assert.deepEqual(await read(5), [12]);
  assert.deepEqual(await read(12), [12, 12], 'one more than the page, to know that there is more');
  assert.deepEqual(await read(60), [12, 12, 12, 4]);
  assert.deepEqual(await read(60, {}, { found: 24 }), [12, 12], 'nothing after the last');
  assert.deepEqual(await read(5, { blocks: true }), [14], 'as many as decide the verdict');
  const chunk = (at: number) => (at === 3 ? { defines: [] } : {});
  assert.deepEqual(await read(5, {}, { chunk, found: 60 }), [12, 38], 'with code among them, fifty at once');
  assert.deepEqual(await read(5, {}, { chunk: (at) => (at === 13 ? { defines: [] } : {}), found: 60 }), [12]);
});

test('what holds no word of the question is said, unless it defines what the question names', async () => {
  const codes = async (world: World) => {
    const { retrieval } = await asked(5, {}, { found: 0, text: 'Harbour', ...world });
    return retrieval.notices.map(({ code }) => code);
  };
  assert.deepEqual(await codes({}), [], 'nothing was found at all');
  assert.deepEqual(await codes({ mode: 'relations', falcon: ['1'], text: 'Falcon' }), ['no_words']);
  assert.deepEqual(await codes({ mode: 'relations', falcon: ['1'], text: 'Falcon', named: ['2'] }), []);
});

test('by words a score is the share of the best', async () => {
  const scores = async (score: (at: number) => number) => {
    const { chosen } = await asked(5, {}, { found: 3, score });
    return chosen.map(({ score: shown, candidates: [best] }) => [
      shown,
      best!.fused.scores,
      best!.fused.share,
    ]);
  };
  assert.deepEqual(await scores((at) => [4, 2, 1][at]!), [
    [1, { words: 1 }, 4],
    [0.5, { words: 0.5 }, 2],
    [0.25, { words: 0.25 }, 1],
  ]);
  assert.deepEqual((await scores((at) => [0.5, 0.25, 0][at]!))[1], [0.5, { words: 0.5 }, 0.25]);
  assert.deepEqual(
    (await scores(() => 0)).flat(),
    Array(3)
      .fill([0, { words: 0 }, 0])
      .flat(),
  );
});

test('definitions of the name that is asked for are taken first, found by words or not', async () => {
  const { first, found, chosen } = await asked(
    3,
    {},
    { text: 'parseHeaders', named: ['5', '90'], found: 20 },
  );
  assert.deepEqual(first.slice(0, 3), ['5', '90', '0']);
  assert.equal(first.filter((id) => id === '5').length, 1);
  assert.equal(found, 21);
  assert.deepEqual(chosen[1]!.candidates[0]!.fused, { id: '90', score: 0, scores: {} });
});

test('a single definition is taken first too', async () => {
  const { first } = await asked(3, {}, { text: 'parseHeaders', named: ['5'], found: 20 });
  assert.deepEqual(first.slice(0, 3), ['5', '0', '1']);
});

test('in other modes scores are scaled between the best and the last', async () => {
  const scores = async (found: number) => {
    const { chosen } = await asked(5, {}, { mode: 'hybrid', found, score: (at) => [4, 3, 2][at]! });
    return chosen.map(({ score }) => score);
  };
  assert.deepEqual(await scores(3), [1, 0.5, 0]);
  assert.deepEqual(await scores(1), [1]);
  assert.deepEqual(await scores(0), []);
});

test('a page is asked for by name unless words are searched as typed, required or excluded', async () => {
  const asksFor = async (text: string, request: Partial<SearchRequest> = {}) =>
    (await asked(3, request, { text, mode: 'hybrid' })).titles.length > 0;
  assert.equal(await asksFor('harbour lights'), true);
  assert.equal(await asksFor('"harbour lights"'), true, 'quotes or not');
  assert.equal(await asksFor('harbour lights', { mode: 'words' }), false);
  assert.equal(await asksFor('harbour lights -pier'), false);
  assert.equal(await asksFor('harbour +lights'), false);
  assert.equal(await asksFor('harbour +lights -pier'), false);
});

test('a page that is called what is asked for comes first', async () => {
  const chunk = (at: number) => (at === 90 ? { title: 'Harbour Lights' } : {});
  const { first } = await asked(3, {}, { mode: 'hybrid', titled: ['90'], chunk });
  assert.deepEqual(first.slice(0, 3), ['90', '0', '1']);
});

test('a section that is called so comes first, but only from among the first that are read', async () => {
  const first = async (place: number) => {
    const chunk = (at: number) => (at === place ? { headingPath: ['Harbour Lights'] } : {});
    return (await asked(30, { perDocument: 9 }, { mode: 'hybrid', chunk })).first.map(Number);
  };
  assert.deepEqual((await first(5)).slice(0, 7), [5, 0, 1, 2, 3, 4, 6]);
  assert.deepEqual(
    (await first(15)).slice(0, 16),
    Array.from({ length: 16 }, (_, at) => at),
  );
});

test('the first fifty are reranked, once, by the reranker that was named', async () => {
  const judge = (at: number): number => at / 100;
  const all = await asked(60, { rerank: true }, { found: 70, judge });
  assert.deepEqual([all.reranked, all.rerankers, all.read], [[50], [undefined], [50, 20]]);
  assert.deepEqual([all.first[0], all.first[49], all.first[50]], ['49', '0', '50']);
  assert.equal(all.second?.model, 'reader');
  assert.deepEqual((await asked(5, { rerank: 'other' }, { judge })).rerankers, ['other']);
  const plain = await asked(5, {}, { judge });
  assert.deepEqual([plain.rerankers, plain.second], [[], undefined]);
  const chunk = () => ({ defines: [] });
  assert.deepEqual((await asked(5, { rerank: true }, { found: 70, judge, chunk })).read, [50], 'code or not');
});

test('a reranker of passages has the less of a say the more relations have', async () => {
  const scores = async (falcon: string[]) => {
    const world = {
      found: 2,
      text: 'Falcon lights',
      mode: 'graph',
      judge: (at: number) => at,
      share: 0.4,
      falcon,
    };
    const { chosen } = await asked(5, { rerank: true }, world);
    return chosen.map(({ candidates: [best], score }) => [best!.chunk.id, Number(score.toFixed(4))]);
  };
  assert.deepEqual(await scores([]), [['0', 0.6], ['1', 0.4]]); // prettier-ignore
  // One list of relations, of weight 0.75, where there may be two: the share is 0.4 · (1 − 0.375).
  assert.deepEqual(await scores(['0']), [['0', 0.75], ['1', 0.25]]); // prettier-ignore
});

test('a reranker gets what is left of the time, a millisecond at least, or twenty seconds', async (t: TestContext) => {
  const { signal } = new AbortController();
  const timeout = t.mock.method(AbortSignal, 'timeout', () => signal);
  const given = async (deadlineMs: number | undefined, started: number) => {
    timeout.mock.resetCalls();
    await asked(5, { rerank: true, ...(deadlineMs ? { deadlineMs } : {}) }, { started });
    return timeout.mock.calls.map((call) => (call.arguments as unknown[])[0]);
  };
  assert.deepEqual(await given(undefined, 0), [20_000]);
  assert.deepEqual(await given(30, -1e9), [1], 'nothing is left');
  t.mock.method(performance, 'now', () => 100);
  assert.deepEqual(await given(30, 88), [18]);
});

test('passages side by side are joined unless blocks, or passages by themselves, are asked for', async () => {
  const chunk = (at: number) => ({ path: 'book', ordinal: at, startLine: at * 5 + 1, endLine: at * 5 + 5 });
  const first = async (request: Partial<SearchRequest>, world: World = {}) =>
    (await asked(9, request, { found: 3, chunk, ...world })).first;
  assert.deepEqual(await first({}), ['0+1+2']);
  assert.deepEqual(await first({ join: false }), ['0', '1', '2']);
  assert.deepEqual(await first({ blocks: true }), ['0'], 'one block');
  const apart = { found: 5, chunk: (at: number) => ({ ...chunk(at * 2) }) };
  assert.equal((await first({}, apart)).length, 5, 'by words a document has no limit');
  assert.equal((await first({}, { ...apart, mode: 'hybrid' })).length, 3);
  assert.equal((await first({ perDocument: 1 }, apart)).length, 1);
});

test('a caller that went away is not served', async () => {
  await assert.rejects(asked(5, {}, { signal: AbortSignal.abort() }), VaiError);
});

test('a definition that the question spells out is among the passages ranked as code, wherever its words left it', async () => {
  const chunk = (at: number) => ({ defines: at === 90 ? ['HarbourLights'] : [] });
  const { first } = await asked(3, {}, { spelled: ['90'], found: 60, chunk });
  assert.ok(first.includes('90'), `ranked high by what it defines: ${first.join(' ')}`);
  const none = await asked(3, {}, { spelled: ['90'], found: 60, chunk, text: 'harbour lights -dusk' });
  assert.ok(!none.first.includes('90'), 'excluded words are not looked for in it');
});
