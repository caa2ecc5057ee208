// How sure a relation is, from how sure each place is that says so.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { addVote, confidenceOf, sureness, type Tally } from '../../src/domain/tally.ts';

function counted(...levels: (number | undefined)[]): Tally {
  const tally: Tally = new Map();
  for (const level of levels) addVote(tally, 'sure', sureness(level), 1);
  return tally;
}

test('confidence rises a little with each further place, in any order', () => {
  assert.equal(confidenceOf(counted(0.7)), 0.7);
  assert.equal(confidenceOf(counted(undefined)), 0.8);
  assert.equal(confidenceOf(new Map()), 0.8);
  const two = confidenceOf(counted(0.7, 0.5));
  assert.ok(two > 0.7 && two < 0.8, String(two));
  assert.equal(confidenceOf(counted(0.5, 0.7)), two);
  assert.ok(confidenceOf(counted(0.5, 0.5, 0.5)) > confidenceOf(counted(0.5, 0.5)));
  const many = confidenceOf(counted(...new Array<number>(50).fill(0.5)));
  assert.ok(many < 0.8, 'the same mistake fifty times does not make it true');
});

test('withdrawing a statement restores the earlier state', () => {
  const tally = counted(0.6, 0.9);
  addVote(tally, 'sure', sureness(0.9), -1);
  assert.equal(confidenceOf(tally), 0.6);
});

test('a level is within bounds', () => {
  assert.deepEqual([sureness(2), sureness(-1), sureness(0.123)], ['0.99', '0.01', '0.12']);
});
