// Words of the postings that are one typing slip away. The index lists no words in order, so every word a slip could have
// been made from is looked up at once; a chunk that has one shows how it is written.

import type { Document } from 'mongodb';
import { isOneEdit } from '../../../../domain/nearest.ts';
import { stem } from '../../../../domain/stem.ts';
import { foldAccents } from '../../../../domain/text.ts';
import { spellingIn } from '../../../spelling.ts';
import type { Database } from '../../database.ts';
import { inScope } from '../../filter.ts';
import { wordsIn } from './vocabulary.ts';

const MAX_WORDS = 16;
const MAX_FOUND = 5;
const ALPHABETS = [
  'abcdefghijklmnopqrstuvwxyz0123456789',
  'абвгдежзийклмнопрстуфхцчшщъыьэюяё',
  'αβγδεζηθικλμνξοπρσςτυφχψω',
];

export async function findSimilarOwn(
  database: Database,
  { words, collections }: { words: readonly string[]; collections: readonly string[] | undefined },
): Promise<Map<string, string[]>> {
  const scope = inScope(collections);
  const found = new Map<string, string[]>();
  for (const word of [...new Set(words)].slice(0, MAX_WORDS)) {
    const folded = foldAccents(word);
    if (folded.length < 3 || folded.length > 40) continue;
    const near = await nearTerms(database, folded, scope);
    const written = await Promise.all(
      near.map((term) => asWritten(database, { term, typed: folded, scope })),
    );
    found.set(
      word,
      [...new Set(written)].filter((one) => one !== folded),
    );
  }
  return found;
}

/** Stems within one edit of the word or of its own stem, most frequent first. A slip in the first letter is rare. */
async function nearTerms(database: Database, word: string, scope: Document): Promise<string[]> {
  const own = stem(word);
  const slips = [...new Set([...oneEditFrom(own), ...oneEditFrom(word)])].filter(
    (term) => term[0] === own[0] && term !== own && (isOneEdit(own, term) || isOneEdit(word, term)),
  );
  return wordsIn(database, {
    match: { ...scope, tokens: { $in: slips } },
    keep: { $in: ['$$token', slips] },
    limit: MAX_FOUND,
  });
}

function oneEditFrom(word: string): string[] {
  const letters = [...word];
  const alphabet =
    ALPHABETS.find((one) => letters.some((letter) => /\p{L}/u.test(letter) && one.includes(letter))) ?? '';
  const made: string[] = [];
  for (let at = 1; at <= letters.length; at += 1) {
    const [before, after] = [letters.slice(0, at).join(''), letters.slice(at + 1).join('')];
    const here = letters[at] ?? '';
    for (const letter of alphabet) made.push(before + letter + here + after, before + letter + after);
    if (at < letters.length) made.push(before + after);
    if (at + 1 < letters.length) made.push(before + letters[at + 1]! + here + letters.slice(at + 2).join(''));
  }
  return made;
}

/** The spelling of a stem in an entry that holds it, the one nearest to what was typed first. */
async function asWritten(
  database: Database,
  { term, typed, scope }: { term: string; typed: string; scope: Document },
): Promise<string> {
  const entry = await database
    .own('postings')
    .findOne(
      { ...scope, tokens: term, staged: { $ne: true } },
      { ...database.limits, projection: { doc: 1 } },
    );
  const chunks = entry
    ? database
        .own('words')
        .find(
          { doc: entry.doc },
          { ...database.limits, projection: { title: 1, heading: 1, text: 1, extra: 1 } },
        )
    : [];
  for await (const { title, heading, text, extra } of chunks) {
    const written = spellingIn([title, heading, text, extra].join('\n'), term, typed);
    if (written !== undefined) return written;
  }
  return term;
}
