import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { FEATURES, RELATIVE } from '../../../src/models/builtin/features.ts';
import type { Network } from '../../../src/models/builtin/network.ts';
import { RELEVANCE } from '../../../src/models/builtin/relevance-weights.ts';
import { createRelevance } from '../../../src/models/builtin/relevance.ts';
import { RERANK } from '../../../src/models/builtin/rerank-weights.ts';
import { createBuiltinReranker, rerankBuiltin } from '../../../src/models/builtin/reranker.ts';

const DOCUMENTS = [
  'The scheduler places pods on nodes according to their resource requests.',
  'To rotate a signing key, create the new key first, publish it, and retire the old one after a day.',
  'Install the command line tool with your package manager, then run it once to write a configuration.',
  'Keys are kept in a vault. Signing happens on the server; tokens expire after an hour.',
];

test('plain documents without a first stage: the one that answers comes first', async () => {
  const answer = await createBuiltinReranker().rerank(
    'how to rotate signing keys',
    DOCUMENTS.map((text) => ({ text })),
    {},
  );
  assert.equal(answer.order[0]!.index, 1);
  assert.equal(answer.order[1]!.index, 3);
  assert.equal(answer.order.length, DOCUMENTS.length);
  assert.ok(answer.tokens > 40);
});

test('where a passage stands counts', () => {
  const text = 'Set the value to thirty seconds in the file and restart the process to apply the change.';
  const candidates = [
    { text, title: 'Logging', headingPath: ['Logging', 'Rotation'] },
    { text, title: 'Connection pool', headingPath: ['Connection pool', 'Idle timeout'] },
  ];
  assert.equal(rerankBuiltin('connection pool idle timeout', candidates).order[0]!.index, 1);
});

test('passages that say the same confirm each other', () => {
  const query = 'how to rotate signing keys';
  const score = (texts: string[]): number =>
    rerankBuiltin(query, texts.map((text) => ({ text }))).order.find(({ index }) => index === 1)!.score; // prettier-ignore
  const twin = 'Rotating a signing key: create a new key, publish it, then retire the old key.';
  assert.ok(score([...DOCUMENTS, twin]) > score([...DOCUMENTS, DOCUMENTS[2]!]));
});

test('any input gives every candidate once, with scores from 0 to 1, best first', () => {
  const candidate = fc.record(
    {
      text: fc.string({ unit: 'binary', maxLength: 300 }),
      title: fc.string(),
      headingPath: fc.array(fc.string(), { maxLength: 3 }),
      words: fc.float({ min: -1, max: 2 }),
    },
    { requiredKeys: ['text'] },
  );
  fc.assert(
    fc.property(
      fc.string({ unit: 'binary' }),
      fc.array(candidate, { maxLength: 12 }),
      (query, candidates) => {
        const { order } = rerankBuiltin(query, candidates);
        assert.deepEqual(
          order.map(({ index }) => index).sort((a, b) => a - b),
          candidates.map((_, at) => at),
        );
        for (const [at, { score }] of order.entries()) {
          assert.ok(score >= 0 && score <= 1);
          if (at > 0) assert.ok(score <= order[at - 1]!.score);
        }
      },
    ),
    { numRuns: 200 },
  );
});

test('equal candidates keep their order and get equal scores', () => {
  const { order } = rerankBuiltin('same', [
    { text: 'same text' },
    { text: 'same text' },
    { text: 'same text' },
  ]);
  assert.deepEqual(order.map(({ index }) => index), [0, 1, 2]); // prettier-ignore
  assert.equal(new Set(order.map(({ score }) => score)).size, 1);
});

test('the learned weights fit the features', () => {
  const fits = ({ skip, inner, bias, outer }: Network, width: number): void => {
    assert.deepEqual([skip.length, inner.length, bias.length], [width, outer.length, outer.length]);
    assert.ok(inner.every((row) => row.length === width));
  };
  fits(RERANK, FEATURES.length);
  fits(RELEVANCE, FEATURES.length - RELATIVE + 1);
});

test('relevance: high for what answers, low where nothing does, the same list or not', () => {
  const model = createRelevance();
  const { bounds } = model;
  const of = (question: string, texts = DOCUMENTS): number[] =>
    model.judge(question, texts.map((text) => ({ text }))).relevance; // prettier-ignore
  const asked = of('how to rotate a signing key');
  assert.equal(asked.indexOf(Math.max(...asked)), 1);
  assert.ok(asked[1]! > bounds.weak, `${asked[1]}`);
  const strange = of('how do I bake a chocolate cake');
  assert.ok(
    strange.every((value) => value < bounds.nothing),
    `${strange.join(' ')}`,
  );
  assert.ok(Math.abs(of('how to rotate a signing key', [DOCUMENTS[1]!])[0]! - asked[1]!) < 0.02);
  assert.deepEqual(of('x', []), []);
  assert.ok(0 < bounds.nothing && bounds.nothing < bounds.weak && bounds.weak < 1);
});

test('a cancelled call does no work', async () => {
  const signal = AbortSignal.abort();
  await assert.rejects(createBuiltinReranker().rerank('x', [{ text: 'x' }], { signal }));
});
