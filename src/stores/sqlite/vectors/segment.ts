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
  readonly dimensions: number;
  /** Bytes of a row behind its factor. */
  readonly stride: number;
  version: number;
  /** The version it is being brought to. */
  target: number;
  count: number;
  /** Ids, one per row. */
  chunks: Float64Array;
  /** Read when a filter asks for them. */
  documents: Float64Array | undefined;
  /** For each vector a factor (f32), then its bytes or bits. */
  rows: Region;
}

interface Context {
  connection: Connection;
  arena: Arena;
}

/** Above the first, up to the second. */
type Span = readonly [after: number, last: number];

/** Codes read at a time, and those of one document more: few enough to stay in SQLite's pages and the processor's cache. */
const BLOCK = 2_000;
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
    dimensions,
    stride: strideOf(form, dimensions),
    version: -1,
    target: -1,
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
  context: Context,
  segment: Segment,
  state: CollectionState,
  atMost = Infinity,
): void {
  if (segment.version === state.version) return;
  const { connection, arena } = context;
  const base = state.id * CHUNK_SPAN;
  const span = (): Span => [segment.count > 0 ? lastOf(segment) : base, base + CHUNK_SPAN - 1];
  if (segment.target !== state.version) {
    // What changed while it was being loaded is not known.
    if (segment.version !== segment.target) segment.count = 0;
    else if (segment.count > 0 && segment.count + countCodes(connection, segment, span()) !== state.vectors)
      forget(context, segment, [base, lastOf(segment)]);
    segment.target = state.version;
  }
  segment.documents = undefined;
  reserve(arena, segment, state.vectors);
  const load = segment.form === 'codes' ? loadCodes : loadBytes;
  load(context, segment, span(), atMost);
  if (segment.count === state.vectors) segment.version = state.version;
}

function lastOf({ chunks, count }: Segment): number {
  return chunks[count - 1]!;
}

function countCodes(connection: Connection, segment: Segment, span: Span): number {
  const [bytes] = connection.row<[number]>(
    'SELECT coalesce(sum(length(code)), 0) FROM codes WHERE chunk > ? AND chunk <= ?',
    ...span,
  )!;
  return bytes / codeSize(segment);
}

/** Takes out rows whose chunks are gone. */
function forget({ connection, arena }: Context, segment: Segment, span: Span): void {
  const rows = arena.u8(segment.rows);
  const size = segment.stride + FACTOR_BYTES;
  const { firsts, counts } = readRuns(connection, segment, span);
  let [to, run] = [0, 0];
  for (let from = 0; from < segment.count; from += 1) {
    const chunk = segment.chunks[from]!;
    while (run < firsts.length && firsts[run]! + counts[run]! <= chunk) run += 1;
    if (run === firsts.length || chunk < firsts[run]!) continue;
    if (to !== from) {
      rows.copyWithin(to * size, from * size, (from + 1) * size);
      segment.chunks[to] = chunk;
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

function loadBytes({ connection, arena }: Context, segment: Segment, span: Span, atMost: number): void {
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
function loadCodes({ connection, arena }: Context, segment: Segment, [after, last]: Span): void {
  const rows = arena.u8(segment.rows);
  for (let done = after; ;) {
    const next = connection.row<[number]>(
      'SELECT chunk FROM codes WHERE chunk > ? AND chunk <= ? ORDER BY chunk LIMIT 1',
      done,
      last,
    );
    if (!next) return;
    const block: Span = [next[0] - 1, (done = Math.min(next[0] + BLOCK, last))];
    const [codes] = connection.row<[Uint8Array]>(
      "SELECT CAST(group_concat(code, '') AS BLOB) FROM codes WHERE chunk > ? AND chunk <= ?",
      ...block,
    )!;
    rows.set(codes, segment.count * codeSize(segment));
    const { firsts, counts } = readRuns(connection, segment, block);
    firsts.forEach((first, run) => {
      for (let nth = 0; nth < counts[run]!; nth += 1) segment.chunks[segment.count++] = first + nth;
    });
  }
}

/** The document of each row. */
export function documentsOf(connection: Connection, segment: Segment): Float64Array {
  if (segment.documents) return segment.documents;
  const { chunks, count } = segment;
  const { counts, documents } = readRuns(connection, segment, [chunks[0]! - 1, lastOf(segment)]);
  const perRow = new Float64Array(count);
  let at = 0;
  documents.forEach((document, run) => {
    perRow.fill(document, at, (at += counts[run]!));
  });
  return (segment.documents = perRow);
}

/** The stored form: see `signCode`. */
function codeSize({ dimensions }: Segment): number {
  return FACTOR_BYTES + codeBytes(dimensions);
}

/** Which chunks have codes: of a document so many from the first one on. Columns are joined in C, as above. */
function readRuns(
  connection: Connection,
  segment: Segment,
  span: Span,
): { firsts: Float64Array; counts: Float64Array; documents: Float64Array } {
  const [firsts, counts, documents] = connection.row<(Uint8Array | null)[]>(
    `SELECT CAST(group_concat(chunk) AS BLOB), CAST(group_concat(length(code) / ${codeSize(segment)}) AS BLOB),
       CAST(group_concat(document) AS BLOB)
     FROM codes WHERE chunk > ? AND chunk <= ?`,
    ...span,
  )!;
  return { firsts: readNumbers(firsts), counts: readNumbers(counts), documents: readNumbers(documents) };
}

/** Whole numbers in digits, with a comma between two. */
function readNumbers(text: Uint8Array | null | undefined): Float64Array {
  if (!text) return new Float64Array(0);
  const numbers = new Float64Array((text.length + 1) >> 1);
  let at = 0;
  for (let index = 0; index < text.length; index += 1) {
    const digit = text[index]! - 48;
    if (digit < 0) at += 1;
    else numbers[at] = numbers[at]! * 10 + digit;
  }
  return numbers.subarray(0, at + 1);
}
