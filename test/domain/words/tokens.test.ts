// The word index takes texts apart as FTS5 did: databases of earlier versions were moved term by term.

import assert from 'node:assert/strict';
import { DatabaseSync } from 'node:sqlite';
import { test } from 'node:test';
import { termsIn } from '../../../src/domain/words/tokens.ts';

/** The terms FTS5 would index, in their order. */
function fts5(texts: readonly string[]): string[][] {
  const raw = new DatabaseSync(':memory:');
  raw.exec(`CREATE VIRTUAL TABLE words USING fts5(body, tokenize='porter unicode61 remove_diacritics 2');
    CREATE VIRTUAL TABLE instances USING fts5vocab(words, 'instance')`);
  const insert = raw.prepare('INSERT INTO words (rowid, body) VALUES (?, ?)');
  texts.forEach((text, at) => insert.run(at + 1, text));
  const read = raw.prepare('SELECT term FROM instances WHERE doc = ? ORDER BY offset');
  const terms = texts.map((_, at) => read.all(at + 1).map((row) => row['term'] as string));
  raw.close();
  return terms;
}

test('terms are those of FTS5', () => {
  const texts = [
    'The quick brown foxes were running, jumping and relational databases generalizations',
    'café CAFÉ Ärger naïve Łódź Ångström ÇA ñandú',
    'use_state useState http.maxRetryCount foo-bar node.js v1.2.3 0x1F #42 C++ a',
    'Привет мир, ёлка и йод; Αθήνα και άλφα; עברית; العربية',
    '知识库服务器 テスト 한국어 문서 ไทย',
    'x² ½ Ⅷ ① 𝒳 😀 a😀b \u{20000}字',
    'e\u0301clair cafe\u0301',
    "don't it's O'Reilly 'quoted'",
    '',
    '--- *** ...',
  ];
  assert.deepEqual(texts.map(termsIn), fts5(texts));
});

test('vowel signs do not part words, and only plain Latin words are stemmed', () => {
  assert.deepEqual(termsIn('हिन्दी Straße'), ['हिन्दी', 'straße']);
});

test('an endless word is cut, never inside a character', () => {
  assert.deepEqual(termsIn('x'.repeat(5000)), ['x'.repeat(64)]);
  assert.deepEqual(termsIn('a \ud800 b\udc00c'), ['a', 'b', 'c']);
  assert.equal(termsIn('𝒳'.repeat(100))[0]!.isWellFormed(), true);
});
