import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { holdsEveryWord } from '../../../src/engine/search/coverage.ts';

const passage = {
  title: 'Connection pool',
  headingPath: ['Connection pool', 'Timeouts'],
  text: 'Idle clients are closed after thirty seconds; naïve callers wait.',
};

test('words are looked for in the title, the headings and the text, by stem', () => {
  assert.ok(holdsEveryWord('pooling timeout closing idle client', passage));
  assert.ok(holdsEveryWord('How are the clients closed?', passage));
  assert.ok(holdsEveryWord('NAIVE callers', passage));
  assert.ok(!holdsEveryWord('idle clients are reopened', passage));
});

test('function words do not count, unless there is nothing else', () => {
  assert.ok(holdsEveryWord('what is a pool', passage));
  assert.ok(!holdsEveryWord('what', passage));
  assert.ok(holdsEveryWord('?!', passage));
});

test('a passage holds every word of itself', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'grapheme', maxLength: 200 }), (text) => {
      assert.ok(holdsEveryWord(text, { headingPath: [], text }));
    }),
  );
});
