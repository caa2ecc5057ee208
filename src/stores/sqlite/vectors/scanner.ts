// Nearest vectors of the collections in scope. Exact while they are few; above that the best by code are compared again
// by their exact numbers. Runs where it is called: on the event loop for small scopes, in a worker for large ones.

import type { Filter } from '../../../domain/filter.ts';
import type { Connection } from '../connection.ts';
import { createMemory } from '../memory.ts';
import { keepBy } from '../predicate.ts';
import { collectionIds } from '../scope.ts';
import { createArena, type Arena } from './arena.ts';
import { decodeVector, queryPlanes } from './code.ts';
import {
  bytesNeeded,
  createSegment,
  dropSegment,
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
  search(request: ScanRequest): ScanHit[];
  /** What comparing every vector would read. */
  bytes(request: ScanRequest): number;
  /** Loads at most so many vectors of what an exact search will need; true once nothing is missing. */
  warm(request: ScanRequest, atMost: number): boolean;
}

/** Bytes of f32 up to which every vector is compared: 20,000 of 256 dimensions. */
export const EXACT_BYTES = 20_000 * 256 * 4;
/** Memory for vectors; the least recently used collections make room. */
const MAX_BYTES = 256 * 1024 * 1024;
/** Collections whose state is remembered. */
const MAX_STATES = 1_000;
const MIN_CANDIDATES = 400;
const MAX_CANDIDATES = 5000;
const CANDIDATES_PER_HIT = 10;

export function createScanner(connection: Connection, exactBytes = EXACT_BYTES): Scanner {
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
      dropSegment(arena!, segment);
    }
  }

  /** Scores of every row of a segment; valid until the next call. */
  function scoresOf(segment: Segment, vector: Float32Array): Float32Array {
    const query = segment.form === 'codes' ? queryPlanes(vector) : undefined;
    const input = arena!.take(query ? query.masks.length : segment.stride);
    const out = arena!.take(Math.max(segment.count, 1) * 4);
    if (query) {
      arena!.u8(input).set(query.masks);
      const { rows, factors, count, stride } = segment;
      arena!.kernel.codes(
        input.offset,
        rows.offset,
        factors!.offset,
        out.offset,
        count,
        stride,
        query.a,
        query.b,
        query.c,
      );
    } else {
      arena!.f32(input).fill(0).set(vector);
      arena!.kernel.dots(input.offset, segment.rows.offset, out.offset, segment.count, segment.stride);
    }
    const scores = arena!.f32(out);
    arena!.drop(out);
    arena!.drop(input);
    return scores;
  }

  function search(request: ScanRequest): ScanHit[] {
    const states = statesOf(request);
    if (states.length === 0 || request.vector.every((value) => value === 0)) return [];
    const form = bytes(request) <= exactBytes ? 'exact' : 'codes';
    const keep = request.filter && keepBy(connection, request.filter);
    const wanted = form === 'exact' ? request.limit : candidates(request.limit);
    let best: ScanHit[] = [];
    for (const state of states) {
      const segment = segmentOf(form, state);
      if (segment.count === 0) continue;
      const { chunks, documents } = segment;
      const scores = scoresOf(segment, request.vector);
      const kept = keep && ((index: number): boolean => keep(documents[index]!, chunks[index]!));
      for (const index of topScores(scores, segment.count, wanted, kept))
        best.push({ id: chunks[index]!, score: scores[index]! });
      if (best.length > wanted) best = best.sort(byScore).slice(0, wanted);
    }
    const scored = form === 'exact' ? best : rescore(connection, best, request.vector);
    return scored.sort(byScore).slice(0, request.limit);
  }

  function warm(request: ScanRequest, atMost: number): boolean {
    for (const state of statesOf(request))
      if (segmentOf('exact', state, atMost).version !== state.version) return false;
    return true;
  }

  function bytes(request: ScanRequest): number {
    const vectors = statesOf(request).reduce((sum, state) => sum + state.vectors, 0);
    return vectors * request.vector.length * 4;
  }

  return { search, bytes, warm };
}

/** What is known of the collections a request means, kept until the database changes. */
function createStates(connection: Connection): (request: ScanRequest) => readonly CollectionState[] {
  const known = createMemory<string, readonly CollectionState[]>(connection, {
    limit: MAX_STATES,
    weigh: (states) => states.length + 1,
  });
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

function candidates(limit: number): number {
  return Math.max(limit, Math.min(MAX_CANDIDATES, Math.max(MIN_CANDIDATES, limit * CANDIDATES_PER_HIT)));
}

function rescore(connection: Connection, hits: readonly ScanHit[], query: Float32Array): ScanHit[] {
  const one = connection.sql<{ data: Uint8Array }>('SELECT data FROM vectors WHERE chunk = ?');
  // In the order of the table, so that pages are read once.
  return [...hits]
    .sort((a, b) => a.id - b.id)
    .map(({ id }) => {
      const { data } = one.get(id)!;
      const vector = decodeVector(data);
      let score = 0;
      for (let at = 0; at < vector.length; at += 1) score += vector[at]! * query[at]!;
      return { id, score };
    });
}

function byScore(a: ScanHit, b: ScanHit): number {
  return b.score - a.score || a.id - b.id;
}
