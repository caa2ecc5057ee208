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
  readonly stride: number;
  version: number;
  count: number;
  /** Position of each chunk and document inside the collection's rows. */
  chunks: Float64Array;
  documents: Float64Array;
  rows: Region;
  /** One per row. */
  factors: Region;
}

const BLOCK = 20_000;

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
    documents: new Float64Array(0),
    rows: arena.take(0),
    factors: arena.take(0),
  };
}

export function dropSegment(arena: Arena, segment: Segment): void {
  arena.drop(segment.rows);
  arena.drop(segment.factors);
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
  const added = connection
    .sql<{ n: number }>('SELECT count(*) AS n FROM codes WHERE chunk > ? AND chunk <= ?')
    .get(from, last)!;
  if (segment.count + added.n !== state.vectors) forget(connection, arena, segment, state);
  reserve(arena, segment, segment.count + added.n);
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
  const factors = arena.f32(segment.factors);
  let to = 0;
  for (let from = 0; from < segment.count; from += 1) {
    if (!alive.has(segment.chunks[from]! - base)) continue;
    if (to !== from) {
      rows.copyWithin(to * segment.stride, from * segment.stride, (from + 1) * segment.stride);
      segment.chunks[to] = segment.chunks[from]!;
      segment.documents[to] = segment.documents[from]!;
      factors[to] = factors[from]!;
    }
    to += 1;
  }
  segment.count = to;
}

/** Makes room, with some to spare, because a collection that grows goes on growing. */
function reserve(arena: Arena, segment: Segment, count: number): void {
  if (count <= segment.chunks.length) return;
  const room = segment.count > 0 ? Math.ceil(count * 1.25) : count;
  const grown = (old: Float64Array): Float64Array => {
    const next = new Float64Array(room);
    next.set(old.subarray(0, segment.count));
    return next;
  };
  segment.chunks = grown(segment.chunks);
  segment.documents = grown(segment.documents);
  segment.rows = moved(arena, segment.rows, room * segment.stride);
  segment.factors = moved(arena, segment.factors, room * 4);
}

function moved(arena: Arena, old: Region, bytes: number): Region {
  const next = arena.take(bytes);
  arena.u8(next).set(arena.u8(old).subarray(0, Math.min(old.bytes, next.bytes)));
  arena.drop(old);
  return next;
}

function loadBytes(
  { connection, arena }: { connection: Connection; arena: Arena },
  segment: Segment,
  span: readonly [number, number],
  atMost: number,
): void {
  const rows = arena.u8(segment.rows);
  const factors = arena.f32(segment.factors);
  const found = connection.rows<[chunk: number, document: number, data: Uint8Array]>(
    `SELECT v.chunk, c.document, v.data FROM vectors v JOIN codes c ON c.chunk = v.chunk
     WHERE v.chunk > ? AND v.chunk <= ? ORDER BY v.chunk LIMIT ?`,
    ...span,
    Number.isFinite(atMost) ? atMost : -1,
  );
  for (const [chunk, document, data] of found) {
    const at = segment.count * segment.stride;
    factors[segment.count] = toBytes(decodeVector(data), rows.subarray(at, at + segment.stride));
    segment.chunks[segment.count] = chunk;
    segment.documents[segment.count] = document;
    segment.count += 1;
  }
}

/** Many rows per statement, each column joined to one blob in C: a call per row would take ten times as long. */
function loadCodes(
  { connection, arena }: { connection: Connection; arena: Arena },
  segment: Segment,
  span: readonly [number, number],
): void {
  const words = segment.stride / 4;
  const rows = new Uint32Array(arena.u8(segment.rows).buffer, segment.rows.offset);
  const factors = new Uint32Array(arena.f32(segment.factors).buffer, segment.factors.offset);
  const block = connection.sql<{ chunks: Uint8Array | null; documents: Uint8Array; codes: Uint8Array }>(
    `SELECT CAST(group_concat(chunk) AS BLOB) AS chunks, CAST(group_concat(document) AS BLOB) AS documents,
       CAST(group_concat(code, '') AS BLOB) AS codes
     FROM (SELECT chunk, document, code FROM codes WHERE chunk > ? AND chunk <= ? ORDER BY chunk LIMIT ${BLOCK})`,
  );
  for (let after = span[0]; ; after = segment.chunks[segment.count - 1]!) {
    const { chunks, documents, codes } = block.get(after, span[1])!;
    if (chunks === null) return;
    const from = segment.count;
    readNumbers(chunks, segment.chunks, from);
    readNumbers(documents, segment.documents, from);
    // A factor, then the bits of the code.
    const read = new Uint32Array(codes.buffer, codes.byteOffset, codes.length / 4);
    segment.count += read.length / (words + 1);
    for (let row = from, at = 0; row < segment.count; row += 1) {
      factors[row] = read[at++]!;
      for (let word = 0; word < words; word += 1) rows[row * words + word] = read[at++]!;
    }
    if (segment.count - from < BLOCK) return;
  }
}

/** Numbers in digits, with a comma between two. */
function readNumbers(text: Uint8Array, into: Float64Array, at: number): void {
  let value = 0;
  for (let index = 0; index < text.length; index += 1) {
    const digit = text[index]! - 48;
    if (digit >= 0) value = value * 10 + digit;
    else {
      into[at++] = value;
      value = 0;
    }
  }
  into[at] = value;
}
