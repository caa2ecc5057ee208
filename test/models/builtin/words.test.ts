// Relevance from words alone: the same features as the reranker's where they are the same, without its vectors.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createFeatures, FEATURES } from '../../../src/models/builtin/features.ts';
import { builtinLengths, readLengths } from '../../../src/models/builtin/lengths.ts';
import { norm } from '../../../src/models/builtin/nearest.ts';
import { createPieces } from '../../../src/models/builtin/pieces.ts';
import { createRelevance } from '../../../src/models/builtin/relevance.ts';
import { builtinWeights } from '../../../src/models/builtin/weights.ts';
import { wordFeatures } from '../../../src/models/builtin/words.ts';

const PASSAGES = [
  { title: 'Rotating keys', headingPath: ['Rotating keys', 'Signing'], text: 'To rotate a signing key, create the new one first; keys retire a day later.' },
  { title: 'Pool', text: 'The idle timeout closes connections—nobody’s – after thirty seconds. getElementById(id) 5xx C' },
  { text: 'Schlüssel rotieren: der Signaturschlüssel läuft ab. A signing key expires; naïve rotation of keys.' },
  { text: '' },
]; // prettier-ignore
const QUESTIONS = [
  'how do I rotate a signing key',
  'idle connection timeouts, 5xx and C',
  'getElementById',
  'Signaturschlüssel rotieren',
  'the of and',
  'xqzzv unheardof',
];

test('coverage, the heaviest missing word, pairs and window are those of the reranker', () => {
  const all = createFeatures(builtinWeights());
  const columns = ['coverage', 'missing', 'pairs', 'window'].map((name) =>
    FEATURES.findIndex((feature) => feature === name),
  );
  for (const question of QUESTIONS) {
    const expected = all(question, PASSAGES).rows;
    const found = wordFeatures(builtinLengths(), question, PASSAGES.map((one) => ({ ...one, share: 0.5 }))); // prettier-ignore
    found.forEach(([, , ...row], at) =>
      row.forEach((value, column) =>
        assert.ok(Math.abs(value - expected[at]![columns[column]!]!) < 1e-6, `${question} ${at} ${column}`),
      ),
    );
  }
});

test('lengths are those of the vectors, read from the file piece by piece', () => {
  const weights = builtinWeights();
  const { tokenizer, lengthOf } = builtinLengths();
  const ids = tokenizer.encode('rotate a signing key with kubelet Xyzzy42');
  assert.deepEqual(ids, weights.tokenizer.encode('rotate a signing key with kubelet Xyzzy42'));
  for (const id of [...ids, ...ids]) assert.ok(Math.abs(lengthOf(id) - norm(weights, id)) < 1e-6);
  assert.throws(() => readLengths(new URL('./no-such.bin', import.meta.url)), /built-in model/);
  assert.throws(() => readLengths(new URL(import.meta.url)), /built-in model/);
});

test('a piece is found whole, or the longest that begins or continues a word', () => {
  const names = Buffer.from('a\nab\nabc\n##c\n##cd\nx   ');
  const pieces = createPieces(names, 6)!;
  assert.equal(pieces.count, 6);
  assert.deepEqual([createPieces(names, 5), createPieces(names, 7)], [undefined, undefined]);
  assert.deepEqual(['ab', 'x', 'c', 'cd', 'abcd', ''].map((word) => pieces.whole(word)), [1, 5, -1, -1, -1, -1]); // prettier-ignore
  assert.deepEqual([pieces.longest('abcd', 0), pieces.longest('abcd', 2), pieces.longest('abx', 2)], [2, 4, -1]); // prettier-ignore
  assert.deepEqual([pieces.longest('cd', 0), pieces.longest('x'.repeat(200), 0)], [-1, 5]);
  assert.deepEqual([2, 4, 5].map((id) => pieces.size(id)), [3, 2, 1]); // prettier-ignore
});

test('relevance from words rises with the score and with what is held of the question', () => {
  const judge = (question: string, found: { text: string; share: number }[]) =>
    createRelevance().judgeWords(question, found);
  const text = PASSAGES[0]!.text;
  const { relevance, bounds } = judge('rotate signing key', [
    { text, share: 0.9 },
    { text, share: 0.6 },
    { text, share: 0.3 },
  ]);
  assert.deepEqual(relevance, relevance.toSorted((a, b) => b - a)); // prettier-ignore
  assert.ok(relevance[0]! > bounds.weak && relevance.every((value) => value > 0 && value < 1));
  const [strange] = judge('chocolate signing cake recipe', [{ text, share: 0.2 }]).relevance;
  assert.ok(strange! < bounds.nothing, `${strange}`);
  // Only beginnings of words were looked for (`conf*`): no word can be missing.
  assert.ok(judge('', [{ text, share: 0.9 }]).relevance[0]! > bounds.weak);
  assert.deepEqual(judge('x', []).relevance, []);
  assert.ok(0 < bounds.nothing && bounds.nothing < bounds.weak && bounds.weak < 1);
});
