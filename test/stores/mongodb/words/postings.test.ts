// Postings hold every word with its place, however they are split.

import assert from 'node:assert/strict';
import { it } from 'node:test';
import type { Binary } from 'mongodb';
import { BSON } from 'mongodb';
import fc from 'fast-check';
import { termsIn } from '../../../../src/domain/words/tokens.ts';
import {
  fieldOf,
  readPostings,
  toPostings,
  type Fields,
} from '../../../../src/stores/mongodb/search/words/postings.ts';

const OWNER = {
  collection: 'docs',
  doc: 'd0000000-0000-0000-0000-000000000000',
  source: 'a.md',
  staged: false,
};
const ID = 'ab'.repeat(16);

/** By chunk and field, as they come back out of the database. */
function readBack(chunks: readonly Fields[]): string[][][] {
  const { rows } = toPostings(
    OWNER,
    chunks.map((fields) => ({ id: ID, fields })),
  );
  const found: string[][][] = chunks.map(() => [[], [], [], []]);
  for (const row of rows) {
    const stored = BSON.deserialize(BSON.serialize(row));
    for (const [term, places] of Object.entries((stored.terms ?? {}) as Record<string, Binary>))
      for (const { chunk, places: at } of readPostings(places))
        for (const place of at) found[Number(stored.first) + chunk]![fieldOf(place)]![place % 2 ** 20] = term;
  }
  return found;
}

it('what was written is read back, word by word', () => {
  const word = fc.constantFrom('react', 'State', 'constructor', '__proto__', 'naïve', '日本', 'x1', 'of');
  const text = fc.array(word, { maxLength: 40 }).map((words) => words.join(' '));
  const chunks = fc.array(fc.tuple(text, text, text, text), { maxLength: 140 });
  fc.assert(
    fc.property(chunks, (written) => {
      assert.deepEqual(
        readBack(written),
        written.map((fields) => fields.map((field) => termsIn(field))),
      );
    }),
    { numRuns: 60 },
  );
});

it('entries stay below two kilobytes, except for a single word that fills one', () => {
  const words = Array.from({ length: 6000 }, (_, n) => `word${(n * 7919) % 3001}`);
  const chunks = Array.from({ length: 60 }, (_, n) => words.slice(n * 100, (n + 1) * 100).join(' '));
  const { rows, words: total } = toPostings(
    OWNER,
    chunks.map((body) => ({ id: ID, fields: ['t', '', body, ''] })),
  );
  assert.equal(total, 6060);
  const sizes = rows.map((row) => BSON.calculateObjectSize(row));
  assert.ok(Math.max(...sizes) < 2048, `${Math.max(...sizes)}`);
});
