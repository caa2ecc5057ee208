import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { createPlainWords } from '../../../src/models/builtin/plain-words.ts';
import { wordsOf } from '../../../src/models/builtin/terms.ts';

/** Words in the order of their numbers; a stem is the number negated, so that the two are told apart. */
function numbering() {
  const words: string[] = [];
  const asked: string[] = [];
  const plain = createPlainWords((word) => {
    asked.push(word);
    if (word.startsWith('never')) return { word: 0, stem: 0 };
    const at = words.indexOf(word);
    const id = at === -1 ? words.push(word) : at + 1;
    return { word: id, stem: -id };
  });
  const read = (text: string): string[] | undefined => {
    const numbers = plain.read(text);
    return numbers && [...numbers].flatMap((id, at) => (at % 2 ? [words[id - 1]!] : []));
  };
  return { plain, asked, read };
}

test('plain text has the words the Unicode rules give it, the first time and later', () => {
  const { read } = numbering();
  const part = fc.constantFrom(
    'Pool',
    'idle42',
    'A',
    '—',
    '“',
    '…',
    '→',
    '™',
    '¨',
    '½',
    '́',
    'é',
    '🙂',
    'x'.repeat(60),
  );
  const text = fc.oneof(
    fc.array(fc.oneof(part, fc.string({ maxLength: 3 })), { maxLength: 12 }).map((parts) => parts.join('')),
    fc.string({ unit: 'binary', maxLength: 8 }),
  );
  let plain = 0;
  fc.assert(
    fc.property(text, (some) => {
      for (let time = 0; time < 2; time++) {
        const words = read(some);
        if (words) assert.deepEqual(words, [...wordsOf(some)]);
        plain += words ? 1 : 0;
      }
    }),
    { numRuns: 500 },
  );
  assert.ok(plain > 200);
  assert.equal(read('né'), undefined);
  assert.equal(read('a '.repeat(9_000)), undefined);
});

test('a number is asked for once, until all is forgotten; what has none is asked for again', () => {
  const { plain, asked } = numbering();
  assert.deepEqual([...plain.read('One two ONE never')!], [-1, 1, -2, 2, -1, 1, 0, 0]);
  assert.deepEqual([...plain.read('two never')!], [-2, 2, 0, 0]);
  assert.deepEqual(asked, ['one', 'two', 'never', 'never']);
  plain.clear();
  plain.read('one');
  assert.equal(asked.length, 5);
});
