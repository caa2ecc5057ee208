// Segments that follow each other become one: their lists are put one behind the other, and postings of chunks that are
// gone are left out. A word is written again once per level, and levels grow sixteenfold.

import { oncePerKey } from '../../../domain/once.ts';
import type { Connection } from '../connection.ts';
import { WINDOW, type Lengths } from './lengths.ts';
import { compareBytes, entriesOf, type Entry, type StoredEntry } from './pages.ts';
import { AT_END, PositionReader, PostingReader, PostingWriter } from './postings.ts';
import {
  beginSegment,
  dropLists,
  dropSegment,
  positionsOf,
  postingsOf,
  segmentsOf,
  type WordIndex,
  type Segment,
} from './segments.ts';

/** Segments of one level that are merged into one of the next. */
const FACTOR = 16;
/** A segment of fewer chunks is of the lowest level. */
const SMALL = 64;
/** A segment is written again when more than this share of its chunks is gone. */
const DEAD_SHARE = 1 / 3;

function levelOf({ chunks, dead }: Segment): number {
  const level = Math.log2(Math.max(1, chunks - dead) / SMALL) / Math.log2(FACTOR);
  return Math.max(0, Math.floor(level) + 1);
}

/** After a write: keeps the segments few and mostly alive. False when more than `most` chunks would have to be merged for it. */
export function tidy(connection: Connection, collection: number, lengths: Lengths, most: number): boolean {
  const read = (): Segment[] => segmentsOf(connection, collection);
  let done = true;
  const mergeInto = (segments: Segment[]): void => {
    if (segments.reduce((sum, { chunks }) => sum + chunks, 0) > most) done = false;
    else merge({ connection, collection, segments, lengths });
  };
  for (const segment of read()) if (segment.dead > segment.chunks * DEAD_SHARE) mergeInto([segment]);
  for (let level = 0, top = 0; level <= top; level += 1) {
    const segments = read();
    top = Math.max(0, ...segments.map(levelOf));
    const tail = segments.slice(segments.findLastIndex((segment) => levelOf(segment) > level) + 1);
    if (tail.filter((segment) => levelOf(segment) === level).length >= FACTOR) mergeInto(tail);
  }
  return done;
}

/** After a bulk load: one segment. */
export function mergeAll(connection: Connection, collection: number, lengths: Lengths): void {
  const segments = segmentsOf(connection, collection);
  if (segments.length > 1 || segments[0]?.dead) merge({ connection, collection, segments, lengths });
}

function merge(index: WordIndex): void {
  const { connection, collection, segments } = index;
  const chunks = segments.reduce((sum, segment) => sum + segment.chunks - segment.dead, 0);
  if (chunks > 0) {
    const place = { first: segments[0]!.first, last: segments.at(-1)!.last, chunks };
    const merged = beginSegment(connection, collection, place);
    const isLive = liveness(index);
    const lists = new PostingWriter();
    for (const { term, found } of terms(index)) {
      for (const { segment, entry } of found) {
        const list = takeLists(connection, segment.id, entry);
        if (segment.dead === 0) lists.append(list);
        else appendLive(lists, list, isLive);
      }
      merged.add(term, lists);
    }
    merged.end();
  }
  for (const { id } of segments) dropSegment(connection, id);
}

interface Source {
  segment: Segment;
  entries: Generator<StoredEntry, undefined>;
  entry: StoredEntry | undefined;
}

/** The terms of all segments in their order, each with the segments that have it. */
function* terms({
  connection,
  segments,
}: WordIndex): Generator<{ term: Uint8Array; found: { segment: Segment; entry: StoredEntry }[] }> {
  const sources = segments.map((segment): Source => {
    const entries = allEntries(connection, segment.id);
    return { segment, entries, entry: entries.next().value };
  });
  for (;;) {
    let term: Uint8Array | undefined;
    let same: Source[] = [];
    for (const source of sources) {
      if (!source.entry) continue;
      const order = term ? compareBytes(source.entry.term, term) : -1;
      if (order < 0) {
        ({ term } = source.entry);
        same = [source];
      } else if (order === 0) same.push(source);
    }
    if (!term) return;
    yield { term, found: same.map(({ segment, entry }) => ({ segment, entry: entry! })) };
    for (const source of same) source.entry = source.entries.next().value;
  }
}

/** Pages and lists go as they are read: what is written takes their room in the file. */
function* allEntries({ row, sql }: Connection, segment: number): Generator<StoredEntry, undefined> {
  const remove = sql('DELETE FROM word_pages WHERE segment = ? AND first = ?');
  for (;;) {
    const page = row<[first: string, data: Uint8Array]>(
      'SELECT first, data FROM word_pages WHERE segment = ? ORDER BY first LIMIT 1',
      segment,
    );
    if (!page) return;
    remove.run(segment, page[0]);
    yield* entriesOf(page[1]);
  }
}

function takeLists(connection: Connection, segment: number, entry: StoredEntry): Entry {
  const lists = {
    postings: postingsOf(connection, segment, entry),
    positions: positionsOf(connection, segment, entry),
  };
  if (!entry.inline) dropLists(connection, segment, entry.list);
  return { ...entry, ...lists };
}

/** Inside a write nothing is remembered, so the windows are kept here. */
function liveness({ collection, lengths }: WordIndex): (chunk: number) => boolean {
  const windowOf = oncePerKey((number: number) => lengths.of(collection, number));
  return (chunk) => windowOf(Math.floor(chunk / WINDOW))[chunk % WINDOW] !== 0;
}

function appendLive(
  lists: PostingWriter,
  { postings, positions, first }: Pick<Entry, 'postings' | 'positions' | 'first'>,
  isLive: (chunk: number) => boolean,
): void {
  const reader = new PostingReader(postings, first);
  const places = new PositionReader(positions);
  while (reader.chunk !== AT_END) {
    const { chunk } = reader;
    const posting = { counts: reader.take(), positions: places.take() };
    if (isLive(chunk)) lists.take(chunk, posting);
  }
}
