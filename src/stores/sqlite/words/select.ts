// One FTS5 statement: which chunks of a scope match, scored by BM25 or only counted. Counting costs about a twentieth of
// scoring, because a score reads the length of the chunk from a table.

import { compareText } from '../../../domain/text.ts';
import type { Connection } from '../connection.ts';
import type { Keep, registerKeep } from '../predicate.ts';
import { CHUNK_SPAN } from '../schema.ts';
import { jsonList, spansOf, type Span } from '../scope.ts';

export interface Hit {
  id: number;
  score: number;
}

/** Where a search looks and how it weighs. */
export interface Ground {
  connection: Connection;
  weights: readonly number[];
  /** Undefined: every collection. */
  collections: number[] | undefined;
  keep: Keep | undefined;
  using: ReturnType<typeof registerKeep>;
  /** Chunks of the whole index that match. */
  frequency: (match: string) => number;
  placeOf: (chunk: number) => Placed;
}

export interface Choice {
  match: string;
  limit: number;
  /** Only chunks that match this as well and do not match `beyond`; neither takes part in the score. */
  within?: string;
  beyond?: string;
}

/** More ranges than this are tested row by row instead of one statement each. */
export const MAX_SPANS = 4;

const LISTED = 'SELECT rowid FROM words WHERE words MATCH ?';

/** Best first; of equal scores the lower id. */
export function scored(ground: Ground, choice: Choice): Hit[] {
  const hits = perSpan(ground, (span) => {
    const { where, values } = conditions(ground, choice, span);
    const statement = ground.connection.sql(
      `SELECT w.rowid AS id, -bm25(words, ?, ?, ?, ?) AS score FROM words w ${joinOf(ground)}
       WHERE ${where} ORDER BY score DESC, w.rowid LIMIT ?`,
    );
    return run(ground, () => statement.all(...ground.weights, ...values, choice.limit)) as unknown as Hit[];
  });
  return hits.sort((a, b) => b.score - a.score || a.id - b.id).slice(0, choice.limit);
}

/** Chunks of exactly one score, by collection, path and position. */
export function tied(ground: Ground, choice: Choice, score: number): Hit[] {
  const rows = perSpan(ground, (span) => {
    const { where, values } = conditions(ground, choice, span);
    const statement = ground.connection.sql(
      `SELECT w.rowid AS id, n.name, d.path FROM words w JOIN chunks c ON c.id = w.rowid
         JOIN documents d ON d.id = c.document JOIN collections n ON n.id = d.collection
       WHERE ${where} AND -bm25(words, ?, ?, ?, ?) = ? ORDER BY n.name, d.path, w.rowid LIMIT ?`,
    );
    return run(ground, () =>
      statement.all(...values, ...ground.weights, score, choice.limit),
    ) as unknown as Placed[];
  });
  return rows
    .sort(byPlace)
    .slice(0, choice.limit)
    .map(({ id }) => ({ id, score }));
}

export interface Placed {
  id: number;
  name: string;
  path: string;
}

export function readPlace(connection: Connection, id: number): Placed {
  const [name, path] = connection.row<[name: string, path: string]>(
    `SELECT n.name, d.path FROM chunks c JOIN documents d ON d.id = c.document
     JOIN collections n ON n.id = d.collection WHERE c.id = ?`,
    id,
  )!;
  return { id, name, path };
}

export function byPlace(a: Placed, b: Placed): number {
  return compareText(a.name, b.name) || compareText(a.path, b.path) || a.id - b.id;
}

function conditions(
  ground: Ground,
  { match, within, beyond }: Choice,
  span: Span | undefined,
): { where: string; values: (string | number)[] } {
  const { inside, place } = insideOf(ground, span);
  // The plus keeps SQLite from looking up one id after the other, each with the whole query.
  const parts = [
    'words MATCH ?',
    inside,
    ...(within === undefined ? [] : [`+w.rowid IN (${LISTED})`]),
    ...(beyond === undefined ? [] : [`+w.rowid NOT IN (${LISTED})`]),
    ...(ground.keep ? ['vai_keep(c.document, c.id)'] : []),
  ];
  const limits = [within, beyond].filter((text) => text !== undefined);
  return { where: parts.join(' AND '), values: [match, ...place, ...limits] };
}

/** Chunks of the whole index that match, counted up to a limit. */
export function countMatches({ sql }: Connection, match: string, limit: number): number {
  const row = sql('SELECT count(*) AS n FROM (SELECT 1 FROM words WHERE words MATCH ? LIMIT ?)').get(
    match,
    limit,
  );
  return (row as { n: number }).n;
}

function perSpan<T>(ground: Ground, read: (span: Span | undefined) => T[]): T[] {
  const spans = spansOf(ground.collections);
  if (spans.length > MAX_SPANS) return read(undefined);
  return spans.length === 1 ? read(spans[0]) : spans.flatMap((span) => read(span));
}

function insideOf(ground: Ground, span: Span | undefined): { inside: string; place: (string | number)[] } {
  if (span) return { inside: 'w.rowid BETWEEN ? AND ?', place: [...span] };
  const inside = `w.rowid / ${CHUNK_SPAN} IN (SELECT value FROM json_each(?))`;
  return { inside, place: [jsonList(ground.collections ?? [])] };
}

function joinOf(ground: Ground): string {
  return ground.keep ? 'JOIN chunks c ON c.id = w.rowid' : '';
}

function run<T>(ground: Ground, work: () => T): T {
  return ground.keep ? ground.using(ground.keep, work) : work();
}
