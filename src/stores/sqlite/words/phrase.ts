// Chunks in which words stand next to each other, in one field: the lists of the words are walked together, and where
// all meet in a chunk their positions are compared.

import type { Leaf } from '../../../domain/words/plan.ts';
import type { Connection } from '../connection.ts';
import type { StoredEntry } from './pages.ts';
import { AT_END, FIELD_BITS, PositionReader, PostingReader } from './postings.ts';
import { entriesWith, findEntry, positionsOf, postingsOf, type WordIndex } from './segments.ts';

/** Chunks in rising order and how often each has the phrase. */
export interface Listed {
  chunks: number[];
  counts: number[];
}

export function openPhrase({ connection, segments }: WordIndex, leaf: Leaf): Listed {
  const found: Listed = { chunks: [], counts: [] };
  const last = leaf.terms.length - 1;
  for (const { id } of segments) {
    const entries: StoredEntry[][] = [];
    for (const [at, term] of leaf.terms.entries()) {
      const own = findEntries(connection, id, { term, prefix: leaf.prefix && at === last });
      // Without one of the words there is no phrase.
      if (own.length === 0) break;
      entries.push(own);
    }
    if (entries.length === leaf.terms.length)
      walk(
        entries.map((own) => openSlot(connection, id, own)),
        leaf.weights,
        found,
      );
  }
  return found;
}

/** Words that begin alike and are looked for in a row: each costs as much as a word of its own. */
const MOST_BEGINNING = 64;

function findEntries(
  connection: Connection,
  segment: number,
  { term, prefix }: { term: string; prefix: boolean },
): StoredEntry[] {
  if (prefix) {
    const all = [...entriesWith(connection, segment, term)];
    if (all.length > MOST_BEGINNING) all.sort((a, b) => b.chunks - a.chunks);
    return all.slice(0, MOST_BEGINNING);
  }
  const entry = findEntry(connection, segment, term);
  return entry ? [entry] : [];
}

/** One word of the phrase, or all words that begin with it. */
type Slot = { postings: PostingReader; positions: PositionReader }[];

function openSlot(connection: Connection, segment: number, entries: readonly StoredEntry[]): Slot {
  return entries.map((entry) => ({
    postings: new PostingReader(postingsOf(connection, segment, entry), entry.first),
    positions: new PositionReader(positionsOf(connection, segment, entry)),
  }));
}

/** The first chunk of a slot that is not before the given one. */
function reach(slot: Slot, chunk: number): number {
  let next = AT_END;
  for (const { postings, positions } of slot) {
    while (postings.chunk < chunk) {
      postings.skip();
      positions.skip();
    }
    if (postings.chunk < next) next = postings.chunk;
  }
  return next;
}

/** The places of a slot in the chunk it stands at, and on to the next. */
function take(slot: Slot, chunk: number): number[] {
  return slot.flatMap(({ postings, positions }) => {
    if (postings.chunk !== chunk) return [];
    postings.skip();
    return positions.places();
  });
}

function walk(slots: readonly Slot[], weights: readonly number[], found: Listed): void {
  for (let chunk = meeting(slots, 0); chunk !== AT_END; chunk = meeting(slots, chunk + 1)) {
    const count = countRows(
      slots.map((slot) => take(slot, chunk)),
      weights,
    );
    if (count > 0) {
      found.chunks.push(chunk);
      found.counts.push(count);
    }
  }
}

/** The first chunk from the given one on that every slot has. */
function meeting(slots: readonly Slot[], from: number): number {
  for (let chunk = from; ;) {
    let highest = chunk;
    for (const slot of slots) highest = Math.max(highest, reach(slot, highest));
    if (highest === chunk || highest === AT_END) return highest;
    chunk = highest;
  }
}

/** How often the places of the words stand in a row, weighed by their field. */
function countRows(places: readonly number[][], weights: readonly number[]): number {
  let starts = places[0]!;
  // Word by word, so that a word said a thousand times costs a thousand look-ups and not a million.
  for (let at = 1; at < places.length && starts.length > 0; at += 1) {
    const others = new Set(places[at]);
    starts = starts.filter((place) => others.has(place + at));
  }
  return starts.reduce((sum, place) => sum + weights[place >>> FIELD_BITS]!, 0);
}
