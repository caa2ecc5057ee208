// The chunks of one collection that have a leaf of a query, and how often: straight from the postings for a plain word;
// gathered beforehand for a phrase or the beginning of a word, because their frequency is not stored.

import { BODY, type Leaf } from '../../../domain/words/plan.ts';
import { WINDOW } from './lengths.ts';
import { phrasesOf, type Occurrence } from './phrase.ts';
import { AT_END, PostingReader, weightsOfBytes } from './postings.ts';
import { entriesWith, findEntry, postingsOf, type WordIndex } from './segments.ts';

/** Chunks in rising order, and how often each has the leaf, weighed by field. Some may be gone since. */
export interface Occurrences {
  /** The next chunk, or `AT_END`. */
  next(): number;
  /** Takes the chunks before `end`, which are no more than a window's; returns how many. */
  fill(end: number, chunks: Uint32Array, counts: Float64Array): number;
}

export interface OpenLeaf extends Occurrences {
  /** How many chunks have it. */
  total: number;
}

/** Where `any` chunk will do, none are counted: the total is one. */
export function openLeaf(index: WordIndex, leaf: Leaf, any = false): OpenLeaf {
  if (leaf.terms.length > 1 || leaf.prefix) {
    const found = leaf.terms.length > 1 ? phrasesOf(index, leaf) : sumOf(index, leaf);
    if (any) return { ...listed(found), total: 1 };
    const all = [...found];
    return withTotal(index, () => listed(all.values()));
  }
  const lists = index.segments.flatMap((segment) => {
    const entry = findEntry(index.connection, segment.id, leaf.terms[0]!);
    return entry ? [{ entry, postings: postingsOf(index.connection, segment.id, entry) }] : [];
  });
  const open = (): Occurrences =>
    reading(
      lists.map(({ entry, postings }) => new PostingReader(postings, entry.first)),
      leaf.weights,
    );
  if (any) return { ...open(), total: 1 };
  const exact = leaf.weights.every((weight) => weight > 0) && index.segments.every(({ dead }) => dead === 0);
  if (!exact) return withTotal(index, open);
  return { ...open(), total: lists.reduce((sum, { entry }) => sum + entry.chunks, 0) };
}

/** One list after the other: segments follow each other. */
function reading(readers: readonly PostingReader[], weights: readonly number[]): Occurrences {
  const table = weightsOfBytes(weights);
  let at = 0;
  const next = (): number => {
    while (at < readers.length && readers[at]!.chunk === AT_END) at += 1;
    return readers[at]?.chunk ?? AT_END;
  };
  return {
    next,
    fill(end, chunks, counts) {
      let found = 0;
      while (next() < end) {
        const to = { chunks: chunks.subarray(found), counts: counts.subarray(found) };
        found += readers[at]!.fill(end, { table, body: weights[BODY]! }, to);
      }
      return found;
    },
  };
}

function listed(all: Iterator<Occurrence>): Occurrences {
  let here = all.next();
  return {
    next: () => (here.done ? AT_END : here.value.chunk),
    fill(end, chunks, counts) {
      let found = 0;
      for (; !here.done && here.value.chunk < end; here = all.next()) {
        chunks[found] = here.value.chunk;
        counts[found++] = here.value.count;
      }
      return found;
    },
  };
}

/** All words that begin alike count as one. */
function* sumOf({ connection, segments }: WordIndex, leaf: Leaf): Generator<Occurrence> {
  const table = weightsOfBytes(leaf.weights);
  for (const segment of segments) {
    const sums = new Float64Array(segment.last - segment.first + 1);
    const to = { chunks: new Uint32Array(sums.length), counts: new Float64Array(sums.length) };
    for (const entry of entriesWith(connection, segment.id, leaf.terms[0]!)) {
      const reader = new PostingReader(postingsOf(connection, segment.id, entry), entry.first);
      const size = reader.fill(AT_END, { table, body: leaf.weights[BODY]! }, to);
      for (let at = 0; at < size; at += 1) sums[to.chunks[at]! - segment.first]! += to.counts[at]!;
    }
    for (const [at, sum] of sums.entries()) if (sum > 0) yield { chunk: segment.first + at, count: sum };
  }
}

/** Read twice: first to count the chunks that are still there. */
function withTotal({ collection, lengths }: WordIndex, open: () => Occurrences): OpenLeaf {
  const chunks = new Uint32Array(WINDOW);
  const counts = new Float64Array(WINDOW);
  const occurrences = open();
  let total = 0;
  for (let next = occurrences.next(); next !== AT_END; next = occurrences.next()) {
    const window = Math.floor(next / WINDOW);
    const live = lengths.of(collection, window);
    const size = occurrences.fill((window + 1) * WINDOW, chunks, counts);
    for (let at = 0; at < size; at += 1) if (live[chunks[at]! % WINDOW] !== 0) total += 1;
  }
  return { ...open(), total };
}
