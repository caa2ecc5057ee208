// The word index as documents are written: chunks come and go inside a transaction, and before it ends their words are
// written as one segment. A rollback leaves nothing of them.

import type { Connection } from '../connection.ts';
import { CHUNK_SPAN } from '../ids.ts';
import { Gathered, type Fields } from './gather.ts';
import { dropAllLengths, dropLengths, setLengths, type Lengths } from './lengths.ts';
import { mergeAll, tidy } from './merge.ts';
import { beginSegment, dropSegment, segmentsOf } from './segments.ts';

export interface WordWrites {
  /** Ids rise within a collection. */
  add(chunk: number, fields: Fields): void;
  /** Chunks of one collection, by their first and last id. */
  remove(first: number, last: number): void;
  removeAll(collection: number): void;
  /** Brings every collection into its quickest form. */
  optimize(): void;
  /** Merges that were left for later, because they would have taken too long, are done now. */
  catchUp(): void;
  /** Whether there are any. */
  readonly behind: boolean;
}

/** `most`: chunks that may be merged within a write, which is as long as others wait. */
export function createWordWrites(connection: Connection, lengths: Lengths, most = Infinity): WordWrites {
  const { sql } = connection;
  const untidy = new Set<number>();
  const gathered = new Map<number, Gathered>();
  connection.beforeCommit(flush, () => gathered.clear());

  function flush(): void {
    for (const collection of gathered.keys()) flushOne(collection);
  }

  function flushOne(collection: number): void {
    const words = gathered.get(collection);
    if (!words) return;
    gathered.delete(collection);
    const { chunks } = words;
    const place = { first: chunks[0]!, last: chunks.at(-1)!, chunks: chunks.length };
    count(collection, setLengths(connection, collection, words));
    const segment = beginSegment(connection, collection, place);
    words.write(segment);
    segment.end();
    tidyOne(collection, most);
  }

  function tidyOne(collection: number, limit: number): void {
    if (tidy(connection, collection, lengths, limit)) untidy.delete(collection);
    else untidy.add(collection);
  }

  const collections = (): number[] =>
    connection.rows<[id: number]>('SELECT DISTINCT collection FROM word_segments').map(([id]) => id);

  function count(collection: number, words: number): void {
    sql('UPDATE collections SET words = words + ? WHERE id = ?').run(words, collection);
  }

  return {
    add(chunk, fields) {
      const collection = Math.floor(chunk / CHUNK_SPAN);
      let words = gathered.get(collection);
      if (!words) gathered.set(collection, (words = new Gathered()));
      words.add(chunk % CHUNK_SPAN, fields);
      if (words.full) flushOne(collection);
    },
    remove(first, last) {
      if (last < first) return;
      const collection = Math.floor(first / CHUNK_SPAN);
      const chunks = Array.from({ length: last - first + 1 }, (_, at) => (first + at) % CHUNK_SPAN);
      // Written in this very transaction.
      if (chunks.at(-1)! >= (gathered.get(collection)?.chunks[0] ?? Infinity)) flushOne(collection);
      count(collection, -dropLengths(connection, collection, chunks));
      sql(
        `UPDATE word_segments SET dead = dead + min(last, ?3) - max(first, ?2) + 1
         WHERE collection = ?1 AND first <= ?3 AND last >= ?2`,
      ).run(collection, chunks[0]!, chunks.at(-1)!);
    },
    removeAll(collection) {
      gathered.delete(collection);
      for (const { id } of segmentsOf(connection, collection)) dropSegment(connection, id);
      dropAllLengths(connection, collection);
      sql('UPDATE collections SET words = 0 WHERE id = ?').run(collection);
    },
    optimize() {
      flush();
      for (const collection of collections()) mergeAll(connection, collection, lengths);
      untidy.clear();
    },
    catchUp() {
      for (const collection of collections()) tidyOne(collection, Infinity);
    },
    get behind() {
      return untidy.size > 0;
    },
  };
}
