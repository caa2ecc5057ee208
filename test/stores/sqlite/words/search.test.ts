// The ranked OR leaves chunks unscored only when they cannot win: its answer is the one scoring everything would give.

import assert from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test, type TestContext } from 'node:test';
import { connect } from '../../../../src/stores/sqlite/connection.ts';
import { createStore } from '../../../../src/stores/sqlite/store.ts';
import { anyOf, COLUMN_WEIGHTS, compileQuery } from '../../../../src/stores/sqlite/words/compile.ts';
import { rankedOr, weigh, withinBudget } from '../../../../src/stores/sqlite/words/rank.ts';
import { countMatches, readPlace, type Ground } from '../../../../src/stores/sqlite/words/select.ts';
import { scoredInPlace } from '../../../../src/stores/sqlite/words/ties.ts';
import { collection, document, query } from '../../../contract/fixtures.ts';

/** A fixed sequence, so that a failure repeats. */
function sequence(seed: number): () => number {
  let state = seed;
  return () => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    return state / 2 ** 32;
  };
}

/** Three collections of words with frequencies as in real text: few everywhere, most of them rare. */
async function filled(context: TestContext) {
  const folder = mkdtempSync(join(tmpdir(), 'vai-words-'));
  const connection = connect('w', join(folder, 'w.db'));
  const store = createStore(connection, () => new Date());
  context.after(async () => {
    await store.close();
    rmSync(folder, { recursive: true, force: true });
  });
  const next = sequence(11);
  const word = (): string => `w${Math.floor(400 * next() ** 3)}q`;
  const names = ['a', 'b', 'c'];
  for (const name of names) await store.collections.put(collection(name));
  const writes = Array.from({ length: 150 }, (_, n) => {
    const blocks = Array.from({ length: 20 }, () =>
      Array.from({ length: 4 + Math.floor(next() * 30) }, word).join(' '),
    );
    return document({ collection: names[n % 3]!, path: `p${n}`, text: blocks.join('\n\n'), title: word() });
  });
  await Promise.all(writes.map((write) => store.documents.replace(write)));
  return { connection, store, next, word };
}

test('the ranked OR gives what scoring every chunk gives', async (context) => {
  const { connection, next, word } = await filled(context);
  const ground: Ground = {
    connection,
    weights: COLUMN_WEIGHTS,
    collections: undefined,
    keep: undefined,
    using: (_keep, work) => work(),
    frequency: (match) => countMatches(connection, match, 1_000_000),
    placeOf: (chunk) => readPlace(connection, chunk),
  };
  for (let round = 0; round < 120; round += 1) {
    const wanted = Array.from({ length: 2 + Math.floor(next() * 6) }, word);
    const { should } = compileQuery(query(wanted))!;
    const limit = 1 + Math.floor(next() * 15);
    const scope = round % 3 === 0 ? [2] : undefined;
    const here = { ...ground, collections: scope };
    const expected = scoredInPlace(here, { match: anyOf(weigh(here, should)), limit });
    const units = weigh(here, should);
    const found = rankedOr(here, units, { match: anyOf(units), limit });
    assert.deepEqual(found, expected, wanted.join(' '));
  }
});

test('a word that is known by heart ranks as one that is looked up', async (context) => {
  const { store } = await filled(context);
  const next = sequence(5);
  const word = (): string => `w${Math.floor(60 * next() ** 2)}q`;
  for (let round = 0; round < 80; round += 1) {
    const wanted = Array.from({ length: 1 + Math.floor(next() * 4) }, word);
    const ask = () =>
      store.search.words({
        query: query(wanted),
        scope: round % 3 === 0 ? { collections: ['a', 'c'] } : {},
        limit: 1 + (round % 20),
      });
    // A write of any kind makes it forget.
    await store.setMeta('round', String(round));
    const first = await ask();
    for (let again = 0; again < 5; again += 1) assert.deepEqual(await ask(), first, wanted.join(' '));
  }
});

test('words that would cost too much are left out and named', () => {
  const unit = (match: string, postings: number) => ({ match, plain: true, postings, bound: 1 });
  const { kept, left } = withinBudget(
    [unit('"rare"', 10), unit('"often"', 1_900_000), unit('"the"', 3_000_000)],
    2_000_000,
  );
  assert.deepEqual(
    kept.map(({ match }) => match),
    ['"rare"', '"often"'],
  );
  assert.deepEqual(
    left.map(({ match }) => match),
    ['"the"'],
  );
  const only = withinBudget([unit('"the"', 3_000_000)], 2_000_000);
  assert.equal(only.kept.length, 1, 'something is always searched');
});
