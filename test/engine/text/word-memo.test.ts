import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { createWordMemo } from '../../../src/engine/text/word-memo.ts';
import { unitsOf } from '../../../src/domain/units.ts';

test('what is remembered of a word is never told of another', () => {
  const word = fc.string({ unit: fc.constantFrom('a', 'b', 'é', '名'), maxLength: 40 });
  fc.assert(
    fc.property(fc.array(word, { maxLength: 60 }), (words) => {
      const memo = createWordMemo<string>();
      for (const one of words) {
        const text = `xx${one}y`;
        const found = memo.get(unitsOf(text), 2, 2 + one.length);
        if (found === undefined) memo.put(one);
        else assert.equal(found, one);
      }
    }),
  );
});

test('a word of usual length is remembered until everything is forgotten', () => {
  const memo = createWordMemo<number>();
  const units = unitsOf('useState');
  assert.equal(memo.get(units, 0, 8), undefined);
  memo.put(7);
  assert.equal(memo.get(units, 0, 8), 7);
  assert.equal(memo.get(units, 0, 3), undefined);
  memo.clear();
  assert.equal(memo.get(units, 0, 8), undefined);
});
