import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { FEATURES, featuresOf } from '../../../src/models/builtin/features.ts';
import { createLexicon } from '../../../src/models/builtin/lexicon.ts';
import { coverage, matchesOf, wanted } from '../../../src/models/builtin/matches.ts';
import { BIAS, INNER, OUTER, SKIP } from '../../../src/models/builtin/rerank-weights.ts';
import { createBuiltinReranker, rerankBuiltin } from '../../../src/models/builtin/reranker.ts';
import { queryTerms } from '../../../src/models/builtin/terms.ts';
import { builtinWeights } from '../../../src/models/builtin/weights.ts';

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
  assert.equal(SKIP.length, FEATURES.length);
  assert.equal(INNER.length, OUTER.length);
  assert.equal(BIAS.length, OUTER.length);
  assert.ok(INNER.every((row) => row.length === FEATURES.length));
  const { rows } = featuresOf(builtinWeights(), 'signing keys', [{ text: DOCUMENTS[1]! }, { text: '' }]);
  assert.ok(rows.every((row) => row.length === FEATURES.length && row.every(Number.isFinite)));
});

test('matches: counts, spelling, neighbours, window and lead', () => {
  const lexicon = createLexicon();
  const terms = queryTerms(lexicon, 'rotating the signing keys', 8);
  assert.deepEqual(terms.map(({ word }) => word), ['rotating', 'signing', 'keys']); // prettier-ignore
  const filler = 'word '.repeat(60);
  const numbers = lexicon.read(`Rotate it. ${filler} A signing key and other keys.`);
  const passage = { numbers, words: numbers.length / 2 };
  const asked = wanted(terms, [0.5, 0.3, 0.2], lexicon.stems);
  const match = matchesOf(passage, asked);
  assert.deepEqual(match.counts, [1, 1, 2]);
  assert.deepEqual(match.exact, [false, true, true]);
  assert.equal(match.pairs, 0.5);
  assert.ok(Math.abs(match.window - 0.5) < 1e-9);
  assert.equal(match.lead, 0.5);
  assert.equal(coverage(passage, 2, asked), 0.5);
  assert.equal(coverage(passage, 0, asked), 0);
});

test('a cancelled call does no work', async () => {
  const signal = AbortSignal.abort();
  await assert.rejects(createBuiltinReranker().rerank('x', [{ text: 'x' }], { signal }));
});

test('fifty passages take milliseconds', () => {
  const passage = `${DOCUMENTS.join(' ')} `.repeat(5).slice(0, 1500);
  const candidates = Array.from({ length: 50 }, (_, at) => ({ text: `${at} ${passage}` }));
  rerankBuiltin('how to rotate signing keys', candidates);
  const began = process.cpuUsage();
  for (let round = 0; round < 5; round++) rerankBuiltin('how to rotate signing keys', candidates);
  const used = process.cpuUsage(began);
  assert.ok((used.user + used.system) / 5000 < 200);
});
