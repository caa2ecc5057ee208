// The vectors of one collection in memory, as bytes or as codes, and how they follow the database: ids only
// rise within a collection, so what is new lies behind the last one known, and what was deleted shows in the count.

import type { Connection } from '../connection.ts';
import { CHUNK_SPAN } from '../ids.ts';
import type { Arena, Region } from './arena.ts';
import { byteStride, codeBytes, decodeVector, toBytes } from './code.ts';

/** One byte per dimension, or one bit. */
export type Form = 'bytes' | 'codes';

export interface CollectionState {
  id: number;
  dimensions: number;
  vectors: number;
  version: number;
}

export interface Segment {
  readonly form: Form;
  /** Bytes of a row behind its factor. */
  readonly stride: number;
  version: number;
  count: number;
  /** Ids, one per row. */
  chunks: Float64Array;
  /** Read when a filter asks for them. */
  documents: Float64Array | undefined;
  /** For each vector a factor (f32), then its bytes or bits. */
  rows: Region;
}

/** Ids covered by one statement. */
const BLOCK = 20_000;
const FACTOR_BYTES = 4;

export function bytesNeeded(form: Form, dimensions: number, count: number): number {
  return count * (strideOf(form, dimensions) + 20);
}

function strideOf(form: Form, dimensions: number): number {
  return form === 'bytes' ? byteStride(dimensions) : codeBytes(dimensions);
}

export function createSegment(arena: Arena, form: Form, dimensions: number): Segment {
  return {
    form,
    stride: strideOf(form, dimensions),
    version: -1,
    count: 0,
    chunks: new Float64Array(0),
    documents: undefined,
    rows: arena.take(0),
  };
}

/**
 * Brings a segment up to what the caller's transaction sees. With `atMost` it may stop before the end; the next call
 * goes on from there.
 */
export function refreshSegment(
  context: { connection: Connection; arena: Arena },
  segment: Segment,
  state: CollectionState,
  atMost = Infinity,
): void {
  const { connection, arena } = context;
  if (segment.version === state.version) return;
  const last = (state.id + 1) * CHUNK_SPAN - 1;
  const from = segment.count > 0 ? segment.chunks[segment.count - 1]! : state.id * CHUNK_SPAN;
  segment.documents = undefined;
  if (segment.count > 0) {
    const [added] = connection.row<[number]>(
      'SELECT count(*) FROM codes WHERE chunk > ? AND chunk <= ?',
      from,
      last,
    )!;
    if (segment.count + added !== state.vectors) forget(connection, arena, segment, state);
  }
  reserve(arena, segment, state.vectors);
  const load = segment.form === 'codes' ? loadCodes : loadBytes;
  load(context, segment, [from, last], atMost);
  if (segment.count === state.vectors) segment.version = state.version;
}

/** Takes out rows whose chunks are gone. */
function forget(connection: Connection, arena: Arena, segment: Segment, state: CollectionState): void {
  const base = state.id * CHUNK_SPAN;
  const { list } = connection
    .sql<{ list: string | null }>(
      'SELECT group_concat(chunk - ?) AS list FROM codes WHERE chunk BETWEEN ? AND ?',
    )
    .get(base, base, base + CHUNK_SPAN - 1)!;
  const alive = new Set((list ?? '').split(',').map(Number));
  const rows = arena.u8(segment.rows);
  const size = segment.stride + FACTOR_BYTES;
  let to = 0;
  for (let from = 0; from < segment.count; from += 1) {
    if (!alive.has(segment.chunks[from]! - base)) continue;
    if (to !== from) {
      rows.copyWithin(to * size, from * size, (from + 1) * size);
      segment.chunks[to] = segment.chunks[from]!;
    }
    to += 1;
  }
  segment.count = to;
}

/** Makes room, with some to spare, because a collection that grows goes on growing. */
function reserve(arena: Arena, segment: Segment, count: number): void {
  if (count <= segment.chunks.length) return;
  const room = segment.count > 0 ? Math.ceil(count * 1.25) : count;
  const chunks = new Float64Array(room);
  chunks.set(segment.chunks.subarray(0, segment.count));
  segment.chunks = chunks;
  const rows = arena.take(room * (segment.stride + FACTOR_BYTES));
  arena.u8(rows).set(arena.u8(segment.rows));
  arena.drop(segment.rows);
  segment.rows = rows;
}

function loadBytes(
  { connection, arena }: { connection: Connection; arena: Arena },
  segment: Segment,
  span: readonly [number, number],
  atMost: number,
): void {
  const rows = arena.u8(segment.rows);
  const factors = new DataView(rows.buffer, rows.byteOffset);
  const size = segment.stride + FACTOR_BYTES;
  const found = connection.rows<[chunk: number, data: Uint8Array]>(
    'SELECT chunk, data FROM vectors WHERE chunk > ? AND chunk <= ? ORDER BY chunk LIMIT ?',
    ...span,
    Number.isFinite(atMost) ? atMost : -1,
  );
  for (const [chunk, data] of found) {
    const at = segment.count * size;
    factors.setFloat32(at, toBytes(decodeVector(data), rows.subarray(at + FACTOR_BYTES, at + size)), true);
    segment.chunks[segment.count] = chunk;
    segment.count += 1;
  }
}

/** Many rows per statement, joined to one blob in C: a call per row would take ten times as long. */
function loadCodes(
  { connection, arena }: { connection: Connection; arena: Arena },
  segment: Segment,
  [after, last]: readonly [number, number],
): void {
  const rows = arena.u8(segment.rows);
  const size = segment.stride + FACTOR_BYTES;
  for (const [from, to] of blocks(connection, after, last)) {
    const [codes] = connection.row<[Uint8Array]>(
      "SELECT CAST(group_concat(code, '') AS BLOB) FROM codes WHERE chunk BETWEEN ? AND ?",
      from,
      to,
    )!;
    rows.set(codes, segment.count * size);
    const added = codes.length / size;
    // Where none is missing, the ids need not be read.
    if (added <= to - from)
      readColumn(connection, 'chunk', [from, to], segment.chunks.subarray(segment.count));
    else for (let row = 0; row < added; row += 1) segment.chunks[segment.count + row] = from + row;
    segment.count += added;
  }
}

/** The document of each row. */
export function documentsOf(connection: Connection, segment: Segment): Float64Array {
  if (segment.documents) return segment.documents;
  const { chunks, count } = segment;
  const documents = new Float64Array(count);
  let read = 0;
  for (const [from, to] of blocks(connection, chunks[0]! - 1, chunks[count - 1]!))
    read += readColumn(connection, 'document', [from, to], documents.subarray(read));
  return (segment.documents = documents);
}

/** Ranges of ids, each of which begins with one that has a vector. */
function* blocks(connection: Connection, after: number, last: number): Generator<[from: number, to: number]> {
  for (let to = after; ;) {
    const next = connection.row<[number]>(
      'SELECT chunk FROM codes WHERE chunk > ? AND chunk <= ? ORDER BY chunk LIMIT 1',
      to,
      last,
    );
    if (!next) return;
    to = Math.min(next[0] + BLOCK - 1, last);
    yield [next[0], to];
  }
}

/** Writes a column of a range, in the order of ids; returns how many numbers that were. */
function readColumn(
  connection: Connection,
  column: 'chunk' | 'document',
  range: readonly [number, number],
  into: Float64Array,
): number {
  const [text] = connection.row<[Uint8Array]>(
    `SELECT CAST(group_concat(${column}) AS BLOB) FROM codes WHERE chunk BETWEEN ? AND ?`,
    ...range,
  )!;
  return readNumbers(text, into);
}

/** Numbers in digits, with a comma between two; returns how many there are. */
function readNumbers(text: Uint8Array, into: Float64Array): number {
  let at = 0;
  let value = 0;
  for (let index = 0; index < text.length; index += 1) {
    const digit = text[index]! - 48;
    if (digit >= 0) value = value * 10 + digit;
    else {
      into[at++] = value;
      value = 0;
    }
  }
  into[at++] = value;
  return at;
}
