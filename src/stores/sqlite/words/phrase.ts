// Chunks in which words stand next to each other, in one field: the lists of the words are walked together, and where
// all meet in a chunk their positions are compared. What only begins like the last word is looked for behind them, one
// word after the other, so that thousands cost no more than their lists are long.

import { oncePerKey } from '../../../domain/once.ts';
import type { Leaf } from '../../../domain/words/plan.ts';
import type { Connection } from '../connection.ts';
import type { StoredEntry } from './pages.ts';
import { AT_END, FIELD_BITS, PositionReader, PostingReader } from './postings.ts';
import { entriesWith, findEntry, positionsOf, postingsOf, type WordIndex } from './segments.ts';

/** A chunk and how often it has the phrase, weighed by field. */
export interface Occurrence {
  chunk: number;
  count: number;
}

/** A chunk that has words in a row, and the places at which the row begins. */
interface Row {
  chunk: number;
  starts: number[];
}

/** Chunks in rising order. */
export function* phrasesOf({ connection, segments }: WordIndex, leaf: Leaf): Generator<Occurrence> {
  const whole = leaf.prefix ? leaf.terms.slice(0, -1) : leaf.terms;
  for (const { id } of segments) {
    const entries = whole.flatMap((term) => findEntry(connection, id, term) ?? []);
    // Without one of the words there is no phrase.
    if (entries.length < whole.length) continue;
    const words = entries.map((entry) => openWord(connection, id, entry));
    const rows = leaf.prefix ? followed(connection, id, { rows: [...rowsOf(words)], leaf }) : rowsOf(words);
    for (const { chunk, starts } of rows) {
      const count = starts.reduce((sum, place) => sum + leaf.weights[place >>> FIELD_BITS]!, 0);
      yield { chunk, count };
    }
  }
}

interface Word {
  postings: PostingReader;
  positions: PositionReader;
}

function openWord(connection: Connection, segment: number, entry: StoredEntry): Word {
  return {
    postings: new PostingReader(postingsOf(connection, segment, entry), entry.first),
    positions: new PositionReader(positionsOf(connection, segment, entry)),
  };
}

function skip({ postings, positions }: Word): void {
  postings.skip();
  positions.skip();
}

/** The places of a word in the chunk it stands at, and on to the next. */
function take({ postings, positions }: Word): number[] {
  postings.skip();
  return positions.places();
}

function* rowsOf(words: readonly Word[]): Generator<Row> {
  for (let chunk = meeting(words, 0); chunk !== AT_END; chunk = meeting(words, chunk + 1)) {
    const starts = startsOf(words.map(take));
    if (starts.length > 0) yield { chunk, starts };
  }
}

/** The first chunk from the given one on that every word has. */
function meeting(words: readonly Word[], from: number): number {
  for (let chunk = from; ;) {
    let highest = chunk;
    for (const word of words) {
      while (word.postings.chunk < highest) skip(word);
      highest = word.postings.chunk;
    }
    if (highest === chunk || highest === AT_END) return highest;
    chunk = highest;
  }
}

/** Where the places of the words stand in a row. */
function startsOf(places: readonly number[][]): number[] {
  let starts = places[0]!;
  // Word by word, so that a word said a thousand times costs a thousand look-ups and not a million.
  for (let at = 1; at < places.length && starts.length > 0; at += 1) {
    const others = new Set(places[at]);
    starts = starts.filter((place) => others.has(place + at));
  }
  return starts;
}

/** The rows behind which a word stands that begins like the last one of the phrase. */
function followed(
  connection: Connection,
  segment: number,
  { rows, leaf }: { rows: readonly Row[]; leaf: Leaf },
): Row[] {
  const behind = leaf.terms.length - 1;
  const byChunk = new Map(rows.map((row) => [row.chunk, row]));
  const all = oncePerKey((row: Row) => new Set(row.starts));
  const kept = new Map<Row, Set<number>>();
  for (const entry of entriesWith(connection, segment, leaf.terms[behind]!)) {
    const word = openWord(connection, segment, entry);
    while (word.postings.chunk !== AT_END) {
      const row = byChunk.get(word.postings.chunk);
      if (!row) {
        skip(word);
        continue;
      }
      for (const place of take(word))
        if (all(row).has(place - behind)) kept.set(row, (kept.get(row) ?? new Set()).add(place - behind));
    }
  }
  return rows.flatMap((row) => {
    const starts = kept.get(row);
    return starts ? [{ chunk: row.chunk, starts: [...starts] }] : [];
  });
}
