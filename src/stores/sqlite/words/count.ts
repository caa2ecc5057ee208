// How many chunks have a word: what its rarity follows from.

import { termOf } from '../../../domain/words/tokens.ts';
import { findEntry, type WordIndex } from './segments.ts';

interface Counted extends WordIndex {
  statistics: { chunks: number };
}

/** Chunks that went since the index was last put in order are still counted. */
export function countWords(
  indexes: readonly Counted[],
  words: readonly string[],
): { chunks: number; having: number[] } {
  const having = words.map((word) => {
    const term = termOf(word);
    return indexes.reduce(
      (sum, { connection, segments }) =>
        sum + segments.reduce((all, { id }) => all + (findEntry(connection, id, term)?.chunks ?? 0), 0),
      0,
    );
  });
  return { chunks: indexes.reduce((sum, { statistics }) => sum + statistics.chunks, 0), having };
}
