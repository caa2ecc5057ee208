// BM25: the weight of a word in a chunk, from how often it occurs there, how long the chunk is and how rare the word is
// in the collection. The same in every store that ranks words itself.

const K1 = 1.2;
const B = 0.75;
/** What the commonest word still counts: in a collection of three chunks every word is common. */
const LEAST = 0.1;

/** So often a word counts in a field other than the text: a title or a list of names that repeats it says no more. */
export const MOST_IN_FIELD = 3;

/** What is counted of a collection. */
export interface Statistics {
  chunks: number;
  /** Words of all chunks together. */
  words: number;
}

/**
 * Of a word that so many of the chunks have. One of `length` words in which it stands `count` times, weighed by field,
 * gets `(most * count) / (count + base + perWord * length)`: never more than `most`.
 */
export function bm25(holding: number, { chunks, words }: Statistics): Bm25 {
  const rarity = Math.max(LEAST, Math.log((chunks - holding + 0.5) / (holding + 0.5)));
  return { most: rarity * (K1 + 1), base: K1 * (1 - B), perWord: (K1 * B * chunks) / Math.max(1, words) };
}

export interface Bm25 {
  most: number;
  base: number;
  perWord: number;
}

/** Scores are shares of the most a query could give; the same share of other statistics may differ in its last digits. */
export function roundedScore(score: number): number {
  return Math.round(score * 1e9) / 1e9;
}
