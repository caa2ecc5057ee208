// Names as tokens of the mention index: taken together they read as they would one by one.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { mentionTokens } from '../../../src/stores/sqlite/graph/mentions.ts';

test('every name is one token, whatever its neighbours', () => {
  const name = fc.string({
    unit: fc.constantFrom('a', '7', '#', '.', '/', ' ', 'é', '名', 'B'),
    minLength: 1,
  });
  fc.assert(
    fc.property(fc.array(name, { maxLength: 8 }), (names) => {
      const together = mentionTokens(names);
      assert.equal(together, names.map((one) => mentionTokens([one])).join(' '));
      assert.equal(together === '' ? 0 : together.split(' ').length, names.length);
    }),
  );
});
