// How many chunks have a word: what its rarity follows from.

import { termOf } from '../../../domain/words/tokens.ts';
import { findEntry, type Ground } from './segments.ts';

interface Counted extends Ground {
  statistics: { chunks: number };
}

/** Chunks that went since the index was last put in order are still counted. */
export function countWords(
  grounds: readonly Counted[],
  words: readonly string[],
): { chunks: number; having: number[] } {
  const having = words.map((word) => {
    const term = termOf(word);
    return grounds.reduce(
      (sum, { connection, segments }) =>
        sum + segments.reduce((all, { id }) => all + (findEntry(connection, id, term)?.chunks ?? 0), 0),
      0,
    );
  });
  return { chunks: grounds.reduce((sum, { statistics }) => sum + statistics.chunks, 0), having };
}
