// From the full-text table of earlier versions to the word index: FTS5 lists every word it holds by term, chunk and place,
// which is the order segments are written in. One segment for each collection.

import type { DatabaseSync } from 'node:sqlite';

import { CHUNK_SPAN, chunksOf } from '../ids.ts';
import type { Prepared, Statements } from '../statements.ts';
import { setLengths } from './lengths.ts';
import { bytesOf } from './pages.ts';
import { FIELD_BITS, PostingWriter } from './postings.ts';
import { beginSegment, type SegmentWriter } from './segments.ts';

/** In the order of their numbers. */
const FIELDS = ['title', 'heading', 'body', 'extra'];

interface Moving {
  segment: SegmentWriter;
  lists: PostingWriter;
  /** Words of each chunk, by its sequence number. */
  lengths: Map<number, number>;
}

type Instance = [term: string, chunk: number, field: string, position: number];

export function moveWords(raw: DatabaseSync): void {
  const statements = statementsOf(raw);
  const moving = beginAll(statements);
  raw.exec("CREATE VIRTUAL TABLE temp.instances USING fts5vocab(main, words, 'instance')");
  const instances = raw.prepare('SELECT term, doc, col, offset FROM temp.instances');
  instances.setReturnArrays(true);
  let term = '';
  let chunk = -1;
  const places: number[] = [];
  const endChunk = (): void => {
    if (chunk === -1) return;
    const { lists, lengths } = moving.get(Math.floor(chunk / CHUNK_SPAN))!;
    const number = chunk % CHUNK_SPAN;
    lists.add(number, Uint32Array.from(places), 0, places.length);
    lengths.set(number, (lengths.get(number) ?? 0) + places.length);
    places.length = 0;
  };
  const endTerm = (): void => {
    endChunk();
    chunk = -1;
    for (const { lists, segment } of moving.values()) if (lists.chunks > 0) segment.add(bytesOf(term), lists);
  };
  for (const row of instances.iterate() as Iterable<unknown> as Iterable<Instance>) {
    if (row[0] !== term) {
      endTerm();
      term = row[0];
    }
    if (row[1] !== chunk) {
      endChunk();
      chunk = row[1];
    }
    places.push((FIELDS.indexOf(row[2]) << FIELD_BITS) | row[3]);
  }
  endTerm();
  raw.exec('DROP TABLE temp.instances');
  for (const [collection, { segment, lengths }] of moving) {
    segment.end();
    const chunks = sequenceOf(statements, collection);
    const words = setLengths(statements, collection, {
      chunks,
      lengths: chunks.map((one) => lengths.get(one) ?? 0),
    });
    statements.sql('UPDATE collections SET words = ? WHERE id = ?').run(words, collection);
  }
}

function statementsOf(raw: DatabaseSync): Statements {
  const arrays = (text: string) => {
    const statement = raw.prepare(text);
    statement.setReturnArrays(true);
    return statement;
  };
  return {
    sql: <Row>(text: string) => raw.prepare(text) as unknown as Prepared<Row>,
    row: <Columns extends unknown[]>(text: string, ...values: (number | string)[]) =>
      arrays(text).get(...values) as Columns | undefined,
    rows: <Columns extends unknown[]>(text: string, ...values: (number | string)[]) =>
      arrays(text).all(...values) as unknown as Columns[],
  };
}

function beginAll(statements: Statements): Map<number, Moving> {
  const moving = new Map<number, Moving>();
  for (const [collection] of statements.rows<[id: number]>('SELECT id FROM collections WHERE chunks > 0')) {
    const chunks = sequenceOf(statements, collection);
    const place = { first: chunks[0]!, last: chunks.at(-1)!, chunks: chunks.length };
    const segment = beginSegment(statements, collection, place);
    moving.set(collection, { segment, lists: new PostingWriter(), lengths: new Map() });
  }
  return moving;
}

/** Sequence numbers in rising order. */
function sequenceOf({ rows }: Statements, collection: number): number[] {
  const select = 'SELECT id FROM chunks WHERE id BETWEEN ? AND ? ORDER BY id';
  return rows<[id: number]>(select, ...chunksOf(collection)).map(([id]) => id % CHUNK_SPAN);
}
