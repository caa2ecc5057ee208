// Whether the word index is whole: every word of every chunk is counted again from the positions.

import type { Connection } from '../connection.ts';
import { CHUNK_SPAN, chunksOf } from '../ids.ts';
import { createLengths, MOST_WORDS, WINDOW } from './lengths.ts';
import { entriesOf } from './pages.ts';
import { AT_END, PositionReader, PostingReader } from './postings.ts';
import { pagesOf, positionsOf, postingsOf, segmentsOf } from './segments.ts';

/** What is wrong, in words that go behind a count. */
export function checkWords(connection: Connection): { n: number; claim: string }[] {
  let [missing, left, differing, uncounted] = [0, 0, 0, 0];
  const lengths = createLengths(connection);
  for (const [collection, words] of connection.rows<[number, number]>('SELECT id, words FROM collections')) {
    const counted = countAgain(connection, collection);
    let sum = 0;
    const ids = connection.rows<[id: number]>(
      'SELECT id FROM chunks WHERE id BETWEEN ? AND ? ORDER BY id',
      ...chunksOf(collection),
    );
    for (const [id] of ids) {
      const chunk = id % CHUNK_SPAN;
      const length = lengths.of(collection, Math.floor(chunk / WINDOW))[chunk % WINDOW]! - 1;
      if (length === -1) missing += 1;
      else if (length !== Math.min(counted.get(chunk) ?? 0, MOST_WORDS)) differing += 1;
      sum += Math.max(0, length);
    }
    if (sum !== words) uncounted += 1;
    const known = segmentsOf(connection, collection).reduce(
      (all, { chunks, dead }) => all + chunks - dead,
      0,
    );
    left += Math.max(0, known - ids.length);
  }
  return [
    { n: missing, claim: 'chunks missing in the word index' },
    { n: left, claim: 'entries of the word index without a chunk' },
    { n: differing, claim: 'chunks whose words are not all in the word index' },
    { n: uncounted, claim: 'collections whose words do not add up' },
  ];
}

/** Words of each chunk, by its sequence number. */
function countAgain(connection: Connection, collection: number): Map<number, number> {
  const counted = new Map<number, number>();
  for (const { id } of segmentsOf(connection, collection))
    for (const page of pagesOf(connection, id))
      for (const entry of entriesOf(page)) {
        const postings = new PostingReader(postingsOf(connection, id, entry), entry.first);
        const positions = new PositionReader(positionsOf(connection, id, entry));
        while (postings.chunk !== AT_END) {
          const places = positions.places().length;
          counted.set(postings.chunk, (counted.get(postings.chunk) ?? 0) + places);
          postings.skip();
        }
      }
  return counted;
}
