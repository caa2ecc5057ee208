import assert from 'node:assert/strict';
import { DatabaseSync } from 'node:sqlite';
import { test } from 'node:test';
import fc from 'fast-check';
import { stem } from '../../src/domain/stem.ts';

test('stems are those of FTS5, so a marked line is a line the index matched', () => {
  const db = new DatabaseSync(':memory:');
  db.exec(
    "create virtual table f using fts5(x, tokenize='porter unicode61'); create virtual table v using fts5vocab(f, 'instance')",
  );
  const add = db.prepare('insert into f(rowid, x) values(1, ?)');
  const term = db.prepare('select term from v where doc = 1');
  const fts = (word: string): string => {
    add.run(word);
    const found = (term.get() as { term: string }).term;
    db.exec('delete from f');
    return found;
  };
  const parts = [
    're',
    'bundl',
    'conn',
    'oper',
    'nation',
    'hap',
    'activ',
    'troubl',
    'fall',
    'agre',
    'hop',
    'motor',
    'y',
  ];
  const ends = [
    '',
    's',
    'ed',
    'ing',
    'ation',
    'ational',
    'ly',
    'ies',
    'y',
    'er',
    'izer',
    'fulness',
    'iveness',
    'ment',
    'eed',
    'ion',
    'able',
    'll',
  ];
  const words = fc.oneof(
    fc.stringMatching(/^[a-z]{1,12}$/),
    fc.tuple(fc.constantFrom(...parts), fc.constantFrom(...ends)).map((pair) => pair.join('')),
  );
  for (const word of ['eed', 'eeds', 'ies', 'sses', 'ed', 'ing', 'ings', 'ation', 'ness', 'ment'])
    assert.equal(stem(word), fts(word), word);
  fc.assert(
    fc.property(words, (word) => assert.equal(stem(word), fts(word))),
    { numRuns: 2000 },
  );
  db.close();
});
