import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import type { Read } from '../../../src/models/builtin/tokenizer.ts';
import { builtinWeights } from '../../../src/models/builtin/weights.ts';

const { tokenizer } = builtinWeights();
/** A letter with an accent sends the whole text through the Unicode rules. */
const wholeRules = (text: string): number[] => tokenizer.encode(`${text} é`).slice(0, -1);

test('plain text gets the ids the Unicode rules give', () => {
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
  for (let point = 128; point < 0x3000; point += 1) {
    const text = `ab${String.fromCodePoint(point)}cd`;
    assert.deepEqual(tokenizer.encode(text), wholeRules(text), point.toString(16));
  }
  fc.assert(
    fc.property(fc.array(any, { maxLength: 12 }), (parts) => {
      const text = parts.join('');
      assert.deepEqual(tokenizer.encode(text), wholeRules(text));
    }),
    { numRuns: 1000 },
  );
});

test('a buffer takes what fits and the answer counts all', () => {
  const ids = new Int32Array(3);
  const text = 'one two three four five';
  assert.equal(tokenizer.encodeInto(text, ids), tokenizer.encode(text).length);
  assert.deepEqual([...ids], tokenizer.encode(text).slice(0, 3));
  const long = 'connection pool '.repeat(10_000);
  assert.equal(tokenizer.encode(long).length, tokenizer.encode(long.slice(0, 16_000)).length * 10);
});

test('more words than are remembered get the ids each of them has alone', () => {
  const words = Array.from({ length: 25_000 }, (_, at) => `Word${at}Ax`);
  const some = words.filter((_, at) => at % 1_000 === 0);
  const alone = some.flatMap((word) => tokenizer.encode(word));
  tokenizer.encode(words.join(' '));
  assert.deepEqual(tokenizer.encode(some.join(' ')), alone);
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
