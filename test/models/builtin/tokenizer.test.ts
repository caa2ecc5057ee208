import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { plainBytes } from '../../../src/models/builtin/plain.ts';
import type { Read } from '../../../src/models/builtin/tokenizer.ts';
import { createRuns } from '../../../src/models/builtin/runs.ts';
import { builtinWeights } from '../../../src/models/builtin/weights.ts';

const { tokenizer } = builtinWeights();
/** A letter with an accent sends the whole text through the Unicode rules. */
const wholeRules = (text: string): number[] => tokenizer.encode(`${text} é`).slice(0, -1);

test('reading plain text as bytes gives the ids the Unicode rules give', () => {
  const words = fc.constantFrom(
    'pool',
    'getElementById',
    'HTTPServer2',
    'x'.repeat(41),
    'Y7'.repeat(60),
    '0',
  );
  const signs = fc.constantFrom(' ', '-', '—', '’', '…', '→', '\u00a0', '┌', '😀', '\ufe0f', '\u0301', '½', 'ﬁ', '你', '\ud800'); // prettier-ignore
  const any = fc.oneof(words, signs, fc.string(), fc.string({ unit: 'binary' }));
  fc.assert(
    fc.property(fc.array(any, { maxLength: 12 }), (parts) => {
      const text = parts.join('');
      assert.deepEqual(tokenizer.encode(text), wholeRules(text));
    }),
    { numRuns: 1000 },
  );
});

test('every sign that is read as a space is one to the Unicode rules', () => {
  const bytes = Buffer.alloc(16);
  let plain = 0;
  for (let point = 128; point < 0x20000; point++) {
    const text = `ab${String.fromCodePoint(point)}cd`;
    if (plainBytes(text, bytes) === -1) continue;
    plain += 1;
    const normal = text.normalize('NFKD').replace(/\p{M}+/gu, '');
    assert.match(normal, /^ab[^\p{L}\p{N}]+cd$/u, point.toString(16));
  }
  assert.ok(plain > 1000);
  assert.equal(plainBytes('ab—c', bytes), 4);
  assert.equal(bytes.toString('latin1', 0, 4), 'ab c');
  assert.equal(plainBytes('naïve', bytes), -1);
  assert.equal(plainBytes('x'.repeat(17), bytes), -1);
});

test('a buffer takes what fits and the answer counts all', () => {
  const ids = new Int32Array(3);
  const text = 'one two three four five';
  assert.equal(tokenizer.encodeInto(text, ids), tokenizer.encode(text).length);
  assert.deepEqual([...ids], tokenizer.encode(text).slice(0, 3));
  const long = 'connection pool '.repeat(10_000);
  assert.equal(tokenizer.encode(long).length, tokenizer.encode(long.slice(0, 16_000)).length * 10);
});

test('remembered runs: found only by their own bytes, forgotten when full, never without end', () => {
  const runs = createRuns();
  const remember = (run: string, hash: number, ids: number[]): number =>
    runs.remember(Buffer.from(`__${run}`), { start: 2, length: run.length, hash }, ids);
  const recall = (run: string, hash: number): number[] | undefined => {
    const bytes = Buffer.from(run);
    const ids = new Int32Array(8);
    const found = runs.find(bytes, 0, bytes.length, hash);
    return found === -1 ? undefined : [...ids.subarray(0, runs.copy(found, ids, 0))];
  };
  const alpha = remember('alpha', -5, [1, 2]);
  assert.equal(runs.word(alpha), 0);
  runs.setWord(alpha, -9);
  remember('gamma', -5, []);
  assert.equal(runs.word(alpha), -9);
  assert.deepEqual(recall('alpha', -5), [1, 2]);
  assert.deepEqual(recall('gamma', -5), []);
  assert.equal(recall('delta', -5), undefined);
  assert.equal(recall('alpha', -4), undefined);
  for (let at = 0; at < 100; at++) remember(`same ${at}`, 77, [at]);
  assert.deepEqual(recall('same 0', 77), [0]);
  assert.equal(recall('same 99', 77), undefined);
  for (let at = 0; at < 60_000; at++) remember(`${at}`.padEnd(40), at * 31, [at]);
  assert.equal(recall('alpha', -5), undefined);
  assert.deepEqual(recall('59999'.padEnd(40), 59_999 * 31), [59_999]);
});

const read = (...texts: string[]): Read => {
  const into: Read = { ids: new Int32Array(400), tokens: 0, words: new Int32Array(400), count: 0 };
  for (const text of texts) tokenizer.read(text, into);
  return into;
};
const wordsIn = (...texts: string[]): number[] => {
  const { words, count } = read(...texts);
  return [...words.subarray(0, count)];
};

test('reading gives the ids of encoding and one number a word, the same for words of one stem', () => {
  const { ids, tokens } = read('Rotate the signing keys', 'getElementById');
  assert.deepEqual([...ids.subarray(0, tokens)], [...tokenizer.encode('Rotate the signing keys'), ...tokenizer.encode('getElementById')]); // prettier-ignore
  const words = wordsIn('Rotate rotating ROTATED key keys');
  assert.equal(words.length, 5);
  assert.deepEqual([words[1], words[2], words[4]], [words[0], words[0], words[3]]);
  assert.notEqual(words[0], words[3]);
  assert.deepEqual(words, wordsIn('Rotate rotating', 'ROTATED key keys'), 'in one text or two');
});

test('words of plain text are those the Unicode rules give, the first time and later', () => {
  const word = fc.constantFrom(
    'Pool',
    'idle',
    'HTTPServer2',
    'x'.repeat(50),
    'keys',
    '—',
    '½',
    '😀',
    '\u0301',
  );
  fc.assert(
    fc.property(fc.array(fc.oneof(word, fc.string()), { maxLength: 10 }), (parts) => {
      const text = parts.join(' ');
      const [first, again] = [wordsIn(text), wordsIn(text)];
      assert.deepEqual(again, first);
      assert.deepEqual(wordsIn(`${text} é`).slice(0, -1), first);
    }),
    { numRuns: 500 },
  );
});
