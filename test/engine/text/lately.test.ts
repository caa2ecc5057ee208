import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { createLately } from '../../../src/engine/text/lately.ts';
import { unitsOf } from '../../../src/domain/units.ts';

test('what is remembered of a word is never told of another', () => {
  const word = fc.string({ unit: fc.constantFrom('a', 'b', 'é', '名'), maxLength: 40 });
  fc.assert(
    fc.property(fc.array(word, { maxLength: 60 }), (words) => {
      const lately = createLately<string>();
      for (const one of words) {
        const text = `xx${one}y`;
        const found = lately.get(unitsOf(text), 2, 2 + one.length);
        if (found === undefined) lately.put(one);
        else assert.equal(found, one);
      }
    }),
  );
});

test('a word of usual length is remembered until everything is forgotten', () => {
  const lately = createLately<number>();
  const units = unitsOf('useState');
  assert.equal(lately.get(units, 0, 8), undefined);
  lately.put(7);
  assert.equal(lately.get(units, 0, 8), 7);
  assert.equal(lately.get(units, 0, 3), undefined);
  lately.clear();
  assert.equal(lately.get(units, 0, 8), undefined);
});
