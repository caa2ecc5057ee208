// The word index in its tables. Chunks that were written together are a segment: their terms in pages, long lists in
// rows of their own. Segments of a collection follow each other as their chunks do, and are never changed, only merged.

import type { Connection } from '../connection.ts';
import type { Statements } from '../statements.ts';
import type { Lengths } from './lengths.ts';
import { bytesOf, entriesOf, entryOf, PageWriter, type StoredEntry } from './pages.ts';
import type { PostingWriter } from './postings.ts';

export interface Segment {
  id: number;
  /** First and last sequence number of its chunks. */
  first: number;
  last: number;
  /** Chunks that were written to it, and those of them that are gone since. */
  chunks: number;
  dead: number;
}

/** The word index of one collection, as a search reads it. */
export interface WordIndex {
  connection: Connection;
  collection: number;
  segments: readonly Segment[];
  lengths: Lengths;
}

/** Lists of a segment: the id of a list is `segment * LIST_SPAN + number`. */
const LIST_SPAN = 2 ** 24;

type Row = [id: number, first: number, last: number, chunks: number, dead: number];

/** In the order of their chunks. */
export function segmentsOf({ rows }: Connection, collection: number): Segment[] {
  return rows<Row>(
    'SELECT id, first, last, chunks, dead FROM word_segments WHERE collection = ? ORDER BY first',
    collection,
  ).map(([id, first, last, chunks, dead]) => ({ id, first, last, chunks, dead }));
}

/** Takes the terms of a segment in their order, each with its lists, which are empty afterwards. */
export interface SegmentWriter {
  add(term: Uint8Array, lists: PostingWriter): void;
  end(): void;
}

export function beginSegment(
  { sql }: Statements,
  collection: number,
  { first, last, chunks }: Pick<Segment, 'first' | 'last' | 'chunks'>,
): SegmentWriter {
  const added = sql(
    'INSERT INTO word_segments (collection, first, last, chunks, dead) VALUES (?, ?, ?, ?, 0)',
  ).run(collection, first, last, chunks);
  const id = Number(added.lastInsertRowid);
  const page = sql('INSERT INTO word_pages (segment, first, data) VALUES (?, ?, ?)');
  const list = sql('INSERT INTO word_lists (id, data) VALUES (?, ?)');
  let lists = 0;
  const pages = new PageWriter({
    page: (first, data) => void page.run(id, first, data),
    lists(postings, positions) {
      const number = lists;
      lists += 2;
      list.run(id * LIST_SPAN + number, postings);
      list.run(id * LIST_SPAN + number + 1, positions);
      return number;
    },
  });
  return {
    add(term, lists) {
      const { chunks, first, last } = lists;
      const bytes = { postings: lists.postings.view(), positions: lists.positions.view() };
      if (chunks > 0) pages.add({ term, chunks, first, last, ...bytes });
      lists.clear();
    },
    end: () => pages.end(),
  };
}

export function dropSegment({ sql }: Connection, id: number): void {
  sql('DELETE FROM word_pages WHERE segment = ?').run(id);
  sql('DELETE FROM word_lists WHERE id BETWEEN ? AND ?').run(id * LIST_SPAN, (id + 1) * LIST_SPAN - 1);
  sql('DELETE FROM word_segments WHERE id = ?').run(id);
}

/** The postings and positions of one term. */
export function dropLists({ sql }: Connection, segment: number, number: number): void {
  const first = segment * LIST_SPAN + number;
  sql('DELETE FROM word_lists WHERE id BETWEEN ? AND ?').run(first, first + 1);
}

export function findEntry({ row }: Connection, segment: number, term: string): StoredEntry | undefined {
  const page = row<[data: Uint8Array]>(
    'SELECT data FROM word_pages WHERE segment = ? AND first <= ? ORDER BY first DESC LIMIT 1',
    segment,
    term,
  );
  return page && entryOf(page[0], bytesOf(term));
}

/** The pages of a segment in their order, from the one that would hold `from` on. */
export function* pagesOf({ row }: Connection, segment: number, from = ''): Generator<Uint8Array> {
  type Page = [first: string, data: Uint8Array];
  let page =
    row<Page>(
      'SELECT first, data FROM word_pages WHERE segment = ? AND first <= ? ORDER BY first DESC LIMIT 1',
      segment,
      from,
    ) ?? row<Page>('SELECT first, data FROM word_pages WHERE segment = ? ORDER BY first LIMIT 1', segment);
  while (page) {
    yield page[1];
    page = row<Page>(
      'SELECT first, data FROM word_pages WHERE segment = ? AND first > ? ORDER BY first LIMIT 1',
      segment,
      page[0],
    );
  }
}

/** A list that stands in a row of its own, or in its page. */
function listOf({ row }: Connection, segment: number, number: number): Uint8Array {
  return row<[data: Uint8Array]>(
    'SELECT data FROM word_lists WHERE id = ?',
    segment * LIST_SPAN + number,
  )![0];
}

export function postingsOf(
  connection: Connection,
  segment: number,
  { inline, list }: StoredEntry,
): Uint8Array {
  return inline ? inline.postings : listOf(connection, segment, list);
}

export function positionsOf(
  connection: Connection,
  segment: number,
  { inline, list }: StoredEntry,
): Uint8Array {
  return inline ? inline.positions : listOf(connection, segment, list + 1);
}

/** The terms of a segment that begin with the given letters. */
export function* entriesWith(
  connection: Connection,
  segment: number,
  prefix: string,
): Generator<StoredEntry> {
  const start = bytesOf(prefix);
  for (const page of pagesOf(connection, segment, prefix))
    for (const entry of entriesOf(page)) {
      const differs = start.findIndex((byte, at) => entry.term[at] !== byte);
      if (differs === -1) yield entry;
      else if ((entry.term[differs] ?? 0) > start[differs]!) return;
    }
}
