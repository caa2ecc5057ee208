// The second stage by itself: who is read again, how its order is blended with the first, and what happens without it.

import assert from 'node:assert/strict';
import { test, type TestContext } from 'node:test';
import { VaiError } from '../../../src/domain/errors.ts';
import { localCall } from '../../../src/engine/call.ts';
import type { EngineDeps } from '../../../src/engine/deps.ts';
import {
  foundFirst,
  openReranker,
  readable,
  readsOf,
  rerank,
  type Candidate,
} from '../../../src/engine/search/rerank.ts';
import type { Reranked, RerankCandidate } from '../../../src/ports/reranker.ts';
import type { StoredChunk } from '../../../src/ports/store.ts';

const chunk = { text: 'text', title: 'Title', headingPath: [] } as unknown as StoredChunk;
const candidates = (...scores: number[]): Candidate[] =>
  scores.map((score, at) => ({
    chunk: { ...chunk, id: String(at) },
    fused: { id: String(at), score, scores: at === 0 ? { words: 0.5 } : {} },
    score,
  }));

interface Asked {
  share?: number;
  relations?: number;
  /** There is no reranker. */
  fails?: VaiError;
  model?: string;
  /** What the reranker does in place of an answer. */
  answer?: () => Promise<Reranked>;
  signal?: AbortSignal;
}

async function outcome(
  list: Candidate[],
  order: Reranked['order'],
  { share, relations = 0, fails, model, answer, signal }: Asked = {},
) {
  const read: (readonly RerankCandidate[])[] = [];
  const reranker = {
    ...{ model: 'reader', hosted: false, ...(share === undefined ? {} : { share }) },
    rerank: (_query: string, inputs: readonly RerankCandidate[]) => {
      read.push(inputs);
      return answer?.() ?? Promise.resolve({ order, tokens: 7 });
    },
  };
  const models = { reranker: () => (fails ? Promise.reject(fails) : Promise.resolve(reranker)) };
  const deps = { models, settings: {} } as unknown as EngineDeps;
  const call = localCall(signal ? { signal } : {});
  const opened = await openReranker(deps, call, model);
  const result = await rerank(opened, call, { query: 'q', relations }, list);
  const scores = result.candidates.map(({ fused, score }) => [fused.id, Number(score.toFixed(4))]);
  return { ...result, scores, read };
}

test('two are worth reading again, one is not', async () => {
  const one = await outcome(candidates(1), []);
  assert.deepEqual([one.reranked, one.tokens, one.warnings, one.read.length], [false, 0, [], 0]);
  const two = await outcome(candidates(1, 0), [{ index: 1, score: 0.9 }, { index: 0, score: 0.2 }]); // prettier-ignore
  assert.deepEqual([two.reranked, two.tokens, two.model], [true, 7, 'reader']);
  assert.deepEqual(two.scores, [['1', 0.9], ['0', 0.2]]); // prettier-ignore
});

test('all are read, and those it says nothing of follow as they were', async () => {
  const many = candidates(...Array.from({ length: 52 }, (_, at) => 1 - at / 100));
  const { read, scores } = await outcome(many, [{ index: 49, score: 2 }]);
  assert.equal(read[0]!.length, 52);
  assert.deepEqual(scores.map(([id]) => id), ['49', ...many.filter((_, at) => at !== 49).map(({ fused }) => fused.id)]); // prettier-ignore
});

test('fifty are worth reading unless a reranker asks for another number', () => {
  const reranker = { model: 'reader', hosted: false, rerank: () => Promise.reject(new Error('not asked')) };
  assert.deepEqual([readsOf(reranker), readsOf({ ...reranker, reads: 7 })], [50, 7]);
  assert.equal(readsOf(new VaiError('MODEL_UNSUPPORTED', 'There is none.')), 50);
});

test('it is told the score by words where there is one, and says how likely a passage answers where it can', async () => {
  const order = [{ index: 0, score: 0.9, relevance: 0.8 }, { index: 1, score: 0.1 }]; // prettier-ignore
  const { read, candidates: found } = await outcome(candidates(1, 0), order);
  assert.deepEqual(read[0]!.map((input) => input.words), [0.5, undefined]); // prettier-ignore
  assert.ok(!('words' in read[0]![1]!));
  assert.deepEqual(found.map(({ rerank, relevance }) => [rerank, relevance]), [[0.9, 0.8], [0.1, undefined]]); // prettier-ignore
  assert.ok(!('relevance' in found[1]!));
});

test('one with a share of the say is blended with the first stage, each scaled to 0 to 1', async () => {
  const order = [{ index: 2, score: 30 }, { index: 1, score: 20 }, { index: 0, score: 10 }]; // prettier-ignore
  const blended = async (asked: Asked, first = [0.8, 0.6, 0.4]) =>
    (await outcome(candidates(...first), order, asked)).scores;
  assert.deepEqual(await blended({ share: 0.75 }), [['2', 0.75], ['1', 0.5], ['0', 0.25]]); // prettier-ignore
  assert.deepEqual(await blended({ share: 0.25 }), [['0', 0.75], ['1', 0.5], ['2', 0.25]]); // prettier-ignore
  // The more relations have to say, the less has who reads passage by passage.
  assert.deepEqual(await blended({ share: 0.75, relations: 0.5 }), [['0', 0.625], ['1', 0.5], ['2', 0.375]]); // prettier-ignore
  assert.deepEqual(await blended({ share: 1, relations: 0.5 }), [['2', 30], ['1', 20], ['0', 10]]); // prettier-ignore
  assert.deepEqual(await blended({ relations: 0.75 }), [['2', 30], ['1', 20], ['0', 10]]); // prettier-ignore
  assert.deepEqual(await blended({ share: 0.5 }, [0.3, 0.3, 0.3]), [['2', 1], ['1', 0.75], ['0', 0.5]], 'where the first are equal, each is worth 1'); // prettier-ignore
});

test('without a reranker the first order stays, and a warning says why', async () => {
  const fails = new VaiError('PROVIDER_UNAVAILABLE', 'The provider is away.');
  const { reranked, tokens, warnings, scores } = await outcome(candidates(1, 0.5), [], { fails });
  assert.deepEqual([reranked, tokens, warnings], [false, 0, ['Not reranked: The provider is away.']]);
  assert.deepEqual(scores, [['0', 1], ['1', 0.5]]); // prettier-ignore
});

test('a reranker that somebody named must exist', async () => {
  const fails = new VaiError('MODEL_UNSUPPORTED', 'There is no such model.');
  await assert.rejects(outcome(candidates(1, 0.5), [], { fails, model: 'other' }), fails);
});

const never = (): Promise<never> => new Promise(() => undefined);
const unchanged = [['0', 1], ['1', 0.5]]; // prettier-ignore

test('one that fails leaves the first order, and a warning says why', async () => {
  const answer = () => Promise.reject(new VaiError('PROVIDER_UNAVAILABLE', 'The provider is away.'));
  const { reranked, tokens, warnings, scores } = await outcome(candidates(1, 0.5), [], { answer });
  assert.deepEqual([reranked, tokens, scores], [false, 0, unchanged]);
  assert.deepEqual(warnings, ['Not reranked by reader: The provider is away.']);
});

test('one that does not answer in time leaves the first order', async (t: TestContext) => {
  for (const before of [true, false]) {
    const deadline = new AbortController();
    t.mock.method(AbortSignal, 'timeout', () => deadline.signal);
    if (before) deadline.abort();
    const answer = () => {
      queueMicrotask(() => deadline.abort());
      return never();
    };
    const { reranked, warnings, scores } = await outcome(candidates(1, 0.5), [], { answer });
    assert.deepEqual([reranked, scores], [false, unchanged]);
    assert.deepEqual(warnings, ['Not reranked by reader: the deadline passed']);
    t.mock.restoreAll();
  }
});

test('it has twenty seconds where nobody says how long', async (t: TestContext) => {
  const { signal } = new AbortController();
  const timeout = t.mock.method(AbortSignal, 'timeout', () => signal);
  await outcome(candidates(1, 0.5), []);
  assert.deepEqual(timeout.mock.calls.map((call) => call.arguments as unknown[]), [[20_000]]); // prettier-ignore
});

test('a caller that goes away is not served', async () => {
  const caller = new AbortController();
  const answer = () => {
    queueMicrotask(() => caller.abort());
    return never();
  };
  await assert.rejects(outcome(candidates(1, 0.5), [], { answer, signal: caller.signal }), VaiError);
  await assert.rejects(
    outcome(candidates(1, 0.5), [], { answer: never, signal: AbortSignal.abort() }),
    VaiError,
  );
});

test('a passage under no heading stands under the title of its page', () => {
  assert.deepEqual(readable(chunk).headingPath, ['Title']);
  assert.deepEqual(readable({ ...chunk, headingPath: ['Part'] }).headingPath, ['Part']);
});

test('relations put nothing before what is found first without them', () => {
  const found = (
    id: string,
    score: number,
    unrelated: number,
    scores: Candidate['fused']['scores'],
  ): Candidate => ({
    chunk: { ...chunk, id },
    fused: { id, score, unrelated, scores },
    score,
  });
  const ids = (list: readonly Candidate[], share?: number): string[] =>
    foundFirst(list, share).map(({ fused }) => fused.id);
  const related = found('related', 0.8, 0.3, { words: 0.4, relations: 1 });
  const best = found('best', 0.7, 0.6, { words: 1, meaning: 0.6 });
  const other = found('other', 0.2, 0.1, { words: 0.2 });
  const first = foundFirst([related, best, other]);
  assert.deepEqual(first.map(({ fused, score }) => [fused.id, score]), [['best', 0.8], ['related', 0.8], ['other', 0.2]]); // prettier-ignore
  const neither = found('best', 0.7, 0.6, { words: 0.9, meaning: 0.9 });
  assert.deepEqual(
    ids([related, neither, other]),
    ['related', 'best', 'other'],
    'neither list puts it first',
  );
  const read = [
    { ...related, rerank: 0.1 },
    { ...best, rerank: 0.2 },
    { ...found('read', 0.5, 0.4, { meaning: 1 }), rerank: 0.9 },
  ];
  assert.deepEqual(ids(read, 0.6), ['read', 'related', 'best'], 'the reranker has its say');
  assert.deepEqual(ids([related]), ['related']);
  assert.deepEqual(ids([]), []);
});
