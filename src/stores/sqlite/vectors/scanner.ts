// Nearest vectors of the collections in scope. All are compared by one byte per dimension while they are few, by one bit
// above that; the best are compared again by their exact numbers. Runs where it is called: on the event loop for small
// scopes, in a worker for large ones.

import type { Filter } from '../../../domain/filter.ts';
import type { Connection } from '../connection.ts';
import { createMemory } from '../memory.ts';
import { keepBy } from '../predicate.ts';
import { collectionIds } from '../scope.ts';
import { createArena, type Arena, type Region } from './arena.ts';
import { decodeVector, queryPlanes, toShorts } from './code.ts';
import {
  bytesNeeded,
  createSegment,
  documentsOf,
  refreshSegment,
  type CollectionState,
  type Form,
  type Segment,
} from './segment.ts';
import { topScores } from './top.ts';

export interface ScanRequest {
  vector: Float32Array;
  model: string;
  collections: readonly string[] | undefined;
  filter: Filter | undefined;
  limit: number;
}

export interface ScanHit {
  id: number;
  score: number;
}

export interface Scanner {
  /** Nothing is near a vector of zeros; such a search only loads what others need. */
  search(request: ScanRequest): ScanHit[];
  /** Whether comparing all of them takes only a few milliseconds. */
  small(request: ScanRequest): boolean;
  /** Loads at most so many vectors of what the search of a small scope needs; true once nothing is missing. */
  warm(request: ScanRequest, atMost: number): boolean;
}

/** Up to which every vector is compared by its bytes: 50,000 of 256 dimensions. */
const SMALL_BYTES = 50_000 * 256;
/** Memory for vectors; the least recently used collections make room. */
const MAX_BYTES = 256 * 1024 * 1024;
/** Requests whose collections are remembered. */
const MAX_STATES = 100;
const MIN_DOUBTFUL = 16;
const MIN_CANDIDATES = 400;
const MAX_CANDIDATES = 5000;
const CANDIDATES_PER_HIT = 10;

export function createScanner(connection: Connection, smallBytes = SMALL_BYTES): Scanner {
  let arena: Arena | undefined;
  const statesOf = createStates(connection);
  /** In the order of last use. */
  const segments = new Map<string, Segment>();

  function segmentOf(form: Form, state: CollectionState, atMost?: number): Segment {
    arena ??= createArena();
    const key = `${form}:${state.id}`;
    const known = segments.get(key);
    const segment = known ?? createSegment(arena, form, state.dimensions);
    segments.delete(key);
    segments.set(key, segment);
    makeRoom(bytesNeeded(form, state.dimensions, Math.max(0, state.vectors - segment.count)));
    refreshSegment({ connection, arena }, segment, state, atMost);
    return segment;
  }

  function makeRoom(bytes: number): void {
    for (const [key, segment] of segments) {
      if (arena!.used() + bytes <= MAX_BYTES || segments.size === 1) return;
      segments.delete(key);
      arena!.drop(segment.rows);
    }
  }

  /** Scores of every row of a segment; valid until the next call. */
  function scoresOf(segment: Segment, vector: Float32Array): Float32Array {
    const out = arena!.take(Math.max(segment.count, 1) * 4);
    const scan = segment.form === 'codes' ? scanCodes : scanBytes;
    scan(arena!, segment, vector, out);
    const scores = arena!.f32(out);
    arena!.drop(out);
    return scores;
  }

  function search(request: ScanRequest): ScanHit[] {
    const states = statesOf(request);
    if (states.length === 0) return [];
    const pointless = request.vector.every((value) => value === 0);
    const form = small(request) ? 'bytes' : 'codes';
    const keep = request.filter && keepBy(connection, request.filter);
    const wanted = candidates(form, request.limit);
    let best: ScanHit[] = [];
    for (const state of states) {
      const segment = segmentOf(form, state);
      if (segment.count === 0 || pointless) continue;
      const { chunks } = segment;
      const documents = keep && documentsOf(connection, segment);
      const scores = scoresOf(segment, request.vector);
      const kept = keep && ((index: number): boolean => keep(documents![index]!, chunks[index]!));
      for (const index of topScores(scores, segment.count, wanted, kept))
        best.push({ id: chunks[index]!, score: scores[index]! });
      if (best.length > wanted) best = best.sort(byScore).slice(0, wanted);
    }
    return rescore(connection, best, request.vector).sort(byScore).slice(0, request.limit);
  }

  function warm(request: ScanRequest, atMost: number): boolean {
    for (const state of statesOf(request))
      if (segmentOf('bytes', state, atMost).version !== state.version) return false;
    return true;
  }

  function small(request: ScanRequest): boolean {
    const vectors = statesOf(request).reduce((sum, state) => sum + state.vectors, 0);
    return vectors * request.vector.length <= smallBytes;
  }

  return { search, small, warm };
}

/** What is known of the collections a request means, kept until the database changes. */
function createStates(connection: Connection): (request: ScanRequest) => readonly CollectionState[] {
  const known = createMemory<string, readonly CollectionState[]>(connection, MAX_STATES);
  return (request) => {
    const { model, vector, collections } = request;
    return known.get(JSON.stringify([model, vector.length, collections]), () =>
      readStates(connection, request),
    );
  };
}

function readStates(connection: Connection, request: ScanRequest): CollectionState[] {
  const wanted = collectionIds(connection, request.collections);
  const rows = connection
    .sql<CollectionState>(
      `SELECT id, dimensions, vectors, vector_version AS version FROM collections
       WHERE model = ? AND dimensions = ? AND vectors > 0 ORDER BY id`,
    )
    .all(request.model, request.vector.length);
  const only = wanted && new Set(wanted);
  return only ? rows.filter((row) => only.has(row.id)) : rows;
}

function scanBytes(arena: Arena, segment: Segment, vector: Float32Array, out: Region): void {
  const { shorts, scale } = toShorts(vector);
  const input = arena.take(shorts.byteLength);
  arena.u8(input).set(new Uint8Array(shorts.buffer));
  const { rows, count, stride } = segment;
  arena.kernel.bytes(input.offset, rows.offset, out.offset, count, stride, scale);
  arena.drop(input);
}

function scanCodes(arena: Arena, segment: Segment, vector: Float32Array, out: Region): void {
  const { masks, a, b, c } = queryPlanes(vector);
  const input = arena.take(masks.length);
  arena.u8(input).set(masks);
  const { rows, count, stride } = segment;
  arena.kernel.codes(input.offset, rows.offset, out.offset, count, stride, a, b, c);
  arena.drop(input);
}

/** How many are compared again by their exact numbers: bytes err by less than a thousandth, bits by far more. */
function candidates(form: Form, limit: number): number {
  if (form === 'bytes') return limit + Math.max(MIN_DOUBTFUL, limit >> 2);
  return Math.max(limit, Math.min(MAX_CANDIDATES, Math.max(MIN_CANDIDATES, limit * CANDIDATES_PER_HIT)));
}

function rescore(connection: Connection, hits: readonly ScanHit[], query: Float32Array): ScanHit[] {
  // One blob for all: a buffer for each vector costs more than to compare it.
  const [ids, data] = connection.row<[ids: string | null, data: Uint8Array]>(
    `SELECT group_concat(chunk), CAST(group_concat(data, '') AS BLOB) FROM vectors
     WHERE chunk IN (SELECT value FROM json_each(?))`,
    JSON.stringify(hits.map(({ id }) => id)),
  )!;
  if (ids === null) return [];
  const vectors = decodeVector(data);
  return ids.split(',').map((id, row) => {
    const from = row * query.length;
    let score = 0;
    for (let at = 0; at < query.length; at += 1) score += vectors[from + at]! * query[at]!;
    return { id: Number(id), score };
  });
}

function byScore(a: ScanHit, b: ScanHit): number {
  return b.score - a.score || a.id - b.id;
}
