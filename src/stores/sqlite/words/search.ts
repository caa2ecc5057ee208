// Search by words: tiers of one query, each run only while hits are missing. Chunks with every word come first, then
// the ranked OR. Words are pruned only where their postings together would cost too much, and then it is said.

import type { WordHits, WordSearch, ScoredChunk } from '../../../ports/store.ts';
import { throwIfAborted } from '../../../domain/errors.ts';
import type { Connection } from '../connection.ts';
import { keepBy, type Keep, type registerKeep } from '../predicate.ts';
import { collectionIds, jsonList, spansOf, type Span } from '../scope.ts';
import { CHUNK_SPAN } from '../schema.ts';
import { COLUMN_WEIGHTS, compileQuery, HEADING_BOOST, tiersOf, type CompiledQuery } from './compile.ts';

/** Postings a ranked OR may read: about a tenth of a second of CPU. Below that nothing is ever left out. */
const POSTINGS_BUDGET = 400_000;
/** Equal scores at the cut are ordered by place; beyond this many the order of the index decides. */
const MAX_TIES = 2000;
const MAX_SPANS = 4;

interface Hit {
  id: number;
  score: number;
}

interface Run {
  connection: Connection;
  weights: readonly number[];
  spans: Span[];
  collections: number[] | undefined;
  keep: Keep | undefined;
  using: ReturnType<typeof registerKeep>;
}

export function searchWords(
  connection: Connection,
  search: WordSearch,
  using: ReturnType<typeof registerKeep>,
): WordHits {
  const notices: string[] = [];
  const compiled = compileQuery(search.query);
  if (!compiled) return { hits: [], total: 0, totalIsBound: false, notices };
  const collections = collectionIds(connection, search.scope.collections);
  const run: Run = {
    connection,
    weights: search.query.headings
      ? [...COLUMN_WEIGHTS].map((w, i) => (i < 2 ? w * HEADING_BOOST : w))
      : COLUMN_WEIGHTS,
    spans: spansOf(collections),
    collections,
    keep: search.scope.filter && keepBy(connection, search.scope.filter),
    using,
  };
  const tiers = pruned(run, compiled, notices);
  const hits: Hit[] = [];
  const seen = new Set<number>();
  let complete = true;
  for (const tier of tiers) {
    throwIfAborted(search.signal);
    const found = runTier(run, tier, search.limit);
    complete = found.length < search.limit;
    append(
      hits,
      found.filter((hit) => !seen.has(hit.id)),
      seen,
    );
    if (hits.length >= search.limit) break;
  }
  const ordered = hits.slice(0, search.limit);
  return {
    hits: ordered.map(({ id, score }): ScoredChunk => ({ id: String(id), score })),
    total: hits.length,
    totalIsBound: !complete,
    notices,
  };
}

/** Later tiers rank below earlier ones; their scores are drawn together so that the order of scores says the same. */
function append(hits: Hit[], found: readonly Hit[], seen: Set<number>): void {
  const floor = hits.at(-1)?.score;
  const top = found[0]?.score;
  const scale = floor !== undefined && top !== undefined && top >= floor ? (floor / top) * 0.999 : 1;
  for (const hit of found) {
    seen.add(hit.id);
    hits.push({ id: hit.id, score: hit.score * scale });
  }
}

function runTier(run: Run, match: string, limit: number): Hit[] {
  const wanted = limit + 1;
  let hits = fetch(run, match, wanted);
  // A tie across the cut: read on until the tied hits are all there, so that their place decides and not their age.
  if (hits.length === wanted && hits[limit - 1]?.score === hits[limit]!.score && wanted < MAX_TIES)
    hits = fetch(run, match, MAX_TIES);
  return orderTies(run.connection, hits).slice(0, limit);
}

function fetch(run: Run, match: string, limit: number): Hit[] {
  if (run.spans.length === 0) return [];
  if (run.spans.length <= MAX_SPANS) {
    const parts = run.spans.map((span) => select(run, { match, limit, span }));
    return parts.length === 1
      ? parts[0]!
      : parts
          .flat()
          .sort((a, b) => b.score - a.score || a.id - b.id)
          .slice(0, limit);
  }
  return select(run, { match, limit, span: undefined });
}

function select(run: Run, what: { match: string; limit: number; span: Span | undefined }): Hit[] {
  const { connection, weights, keep } = run;
  const join = keep ? 'JOIN chunks c ON c.id = words.rowid' : '';
  const inside = what.span
    ? 'words.rowid BETWEEN ? AND ?'
    : `words.rowid / ${CHUNK_SPAN} IN (SELECT value FROM json_each(?))`;
  const place = what.span ?? [jsonList(run.collections ?? [])];
  const statement = connection.sql(
    `SELECT words.rowid AS id, -bm25(words, ?, ?, ?, ?) AS score FROM words ${join}
     WHERE words MATCH ? AND ${inside} ${keep ? 'AND vai_keep(c.document, c.id)' : ''}
     ORDER BY score DESC, words.rowid LIMIT ?`,
  );
  const rows = (): Hit[] => statement.all(...weights, what.match, ...place, what.limit) as unknown as Hit[];
  return keep ? run.using(keep, rows) : rows();
}

/** Equal scores in the order collection, path, position. */
function orderTies(connection: Connection, hits: Hit[]): Hit[] {
  const tied = hits.some((hit, index) => index > 0 && hits[index - 1]!.score === hit.score);
  if (!tied) return hits;
  const place = connection.sql(
    `SELECT c.name, d.path FROM chunks k JOIN documents d ON d.id = k.document
     JOIN collections c ON c.id = d.collection WHERE k.id = ?`,
  );
  const placed = hits.map((hit) => ({ hit, place: place.get(hit.id) as { name: string; path: string } }));
  placed.sort(
    (a, b) =>
      b.hit.score - a.hit.score ||
      compare(a.place.name, b.place.name) ||
      compare(a.place.path, b.place.path) ||
      a.hit.id - b.hit.id,
  );
  return placed.map(({ hit }) => hit);
}

function compare(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}

/** The tiers to run, without the commonest words where reading all postings would cost too much. */
function pruned(run: Run, compiled: CompiledQuery, notices: string[]): string[] {
  const { sql } = run.connection;
  const { n } = sql('SELECT coalesce(sum(chunks), 0) AS n FROM collections').get() as { n: number };
  if (compiled.should.length < 2 || compiled.should.length * n <= POSTINGS_BUDGET) return compiled.tiers;
  const count = sql('SELECT count(*) AS n FROM (SELECT 1 FROM words WHERE words MATCH ? LIMIT ?)');
  const costs = compiled.should.map((unit) => ({
    unit,
    cost: (count.get(unit, POSTINGS_BUDGET) as { n: number }).n,
  }));
  costs.sort((a, b) => a.cost - b.cost);
  let sum = 0;
  const kept = costs.filter(({ cost }, index) => {
    sum += cost;
    return index === 0 || sum <= POSTINGS_BUDGET;
  });
  if (kept.length === costs.length) return compiled.tiers;
  const left = costs.slice(kept.length).map(({ unit }) => unit.replaceAll(/[()"]/g, ''));
  notices.push(`Left out of the ranking because they are everywhere in this index: ${left.join(', ')}.`);
  const every = tiersOf(compiled.should, compiled.must, compiled.not)[0]!;
  const rest = tiersOf(
    kept.map(({ unit }) => unit),
    compiled.must,
    compiled.not,
  );
  return [...new Set([every, ...rest])];
}
