// Relations as they are read: touched by keys, about words, with their evidence. Rows are cut to the limit before
// anything of them is read but what orders them, so that a hub with thousands of edges stays quick.

import type { Evidence, Relation } from '../../../domain/graph.ts';
import { compareText } from '../../../domain/text.ts';
import type { EdgeOptions, GraphReads } from '../../../ports/graph-store.ts';
import type { Connection } from '../connection.ts';
import { jsonList } from '../scope.ts';
import { holders, labelsOf, scopeParameter } from './entities.ts';
import { fieldsOf, fuller, mergeTallies, ranked, readTally } from './tally.ts';

export type RelationReads = Pick<
  GraphReads,
  'relations' | 'edges' | 'relationsAbout' | 'entityEvidence' | 'relationEvidence'
>;

interface Edge {
  source: string;
  target: string;
  type: string;
  mentions: number;
  confidence: number;
}

interface Found extends Edge {
  ids: number[];
}

const IN_SCOPE = '(?1 IS NULL OR collection IN (SELECT value FROM json_each(?1)))';
const MAX_WORDS = 32;
/** Words in more relations than this do not rank them. */
const COMMON = 20_000;

export function createRelationReads(connection: Connection): RelationReads {
  const { sql, read } = connection;
  return {
    async relations(keys, direction, options) {
      return read(() => {
        const scope = scopeParameter(connection, options.scope);
        const { total, edges } = touching(connection, { ...options, keys, direction, scope });
        return { total, relations: hydrate(connection, edges, scope) };
      });
    },
    async edges(keys, direction, options) {
      return read(() => {
        const scope = scopeParameter(connection, options.scope);
        const { edges } = touching(connection, { ...options, keys, direction, scope, plain: true });
        return edges.map(({ source, target, type, mentions, confidence }) => ({
          source,
          target,
          type,
          mentions,
          confidence,
        }));
      });
    },
    async relationsAbout(words, options) {
      return read(() => about(connection, words, options));
    },
    async entityEvidence(keys, { scope, limit }) {
      return read(() => {
        const parameter = scopeParameter(connection, scope);
        const rows = sql(`SELECT id FROM entities WHERE key = ?2 AND ${IN_SCOPE}`);
        const found = new Map<string, { total: number; evidence: Evidence[] }>();
        for (const key of new Set(keys)) {
          const ids = (rows.all(parameter, key) as { id: number }[]).map((row) => row.id);
          if (ids.length) found.set(key, evidenceOf(connection, 'entity', ids, limit));
        }
        return found;
      });
    },
    async relationEvidence(ids, { scope, limit }) {
      return read(() => {
        const parameter = scopeParameter(connection, scope);
        const rows = sql(
          `SELECT id FROM relations WHERE source = ?2 AND target = ?3 AND type = ?4 AND ${IN_SCOPE}`,
        );
        const found = new Map<string, { total: number; evidence: Evidence[] }>();
        for (const id of new Set(ids)) {
          const triple = parseRelationId(id);
          if (!triple) continue;
          const owners = (rows.all(parameter, ...triple) as { id: number }[]).map((row) => row.id);
          if (owners.length) found.set(id, evidenceOf(connection, 'relation', owners, limit));
        }
        return found;
      });
    },
  };
}

/** The same relation has the same id in every collection: its ends and its type. */
function relationId(edge: Pick<Edge, 'source' | 'target' | 'type'>): string {
  return JSON.stringify([edge.source, edge.target, edge.type]);
}

function parseRelationId(id: string): [string, string, string] | undefined {
  try {
    const parts = JSON.parse(id) as unknown;
    if (!Array.isArray(parts) || parts.length !== 3) return undefined;
    return parts.every((part) => typeof part === 'string') ? (parts as [string, string, string]) : undefined;
  } catch {
    return undefined;
  }
}

interface Touching {
  keys: readonly string[];
  direction: 'in' | 'out' | 'both';
  scope: string | null;
  limit: number;
  types?: EdgeOptions['types'];
  minConfidence?: number;
  /** Neither a total nor an order is wanted unless the limit cuts: walking a graph reads thousands of edges. */
  plain?: boolean;
}

function touching(connection: Connection, query: Touching): { total: number; edges: Found[] } {
  const { sql } = connection;
  const keys = jsonList([...new Set(query.keys)]);
  const owners = holders(connection, 'relations', query.scope);
  if (owners.length === 0) return { total: 0, edges: [] };
  const some = '(SELECT value FROM json_each(?2))';
  const columns = 'id, source, target, type, mentions, confidence';
  // The plus keeps SQLite on the index of the ends: a collection holds far more relations than a few entities do.
  const inside =
    owners.length === 1 ? '+collection = ?1' : '+collection IN (SELECT value FROM json_each(?1))';
  const place = owners.length === 1 ? owners[0]! : jsonList(owners);
  const { test, listed } = typeTest(query.types);
  const sure = query.minConfidence === undefined ? '' : ` AND confidence >= ${Number(query.minConfidence)}`;
  const out = `SELECT ${columns} FROM relations WHERE source IN ${some} AND ${inside}${test}${sure}`;
  const into = `SELECT ${columns} FROM relations WHERE target IN ${some} AND ${inside}${test}${sure}`;
  // A relation between two of the keys is found from both ends and must count once.
  const both = `${out} UNION ALL ${into} AND source NOT IN ${some}`;
  const rows = { out, in: into, both }[query.direction];
  const given = [place, keys, ...listed];
  if (owners.length === 1 && query.plain) {
    const found = sql(`${rows} LIMIT ?`).all(...given, query.limit + 1) as unknown as Edge[];
    // The rows as they are: a hub has thousands, and every copy of them counts.
    if (found.length <= query.limit) return { total: found.length, edges: found as Found[] };
  }
  if (owners.length === 1) {
    const count = () => (sql(`SELECT count(*) AS n FROM (${rows})`).get(...given) as { n: number }).n;
    const found = sql(`${rows} ORDER BY confidence DESC, mentions DESC, type, source, target LIMIT ?`).all(
      ...given,
      query.limit,
    ) as unknown as (Edge & { id: number })[];
    return {
      total: query.plain ? found.length : count(),
      edges: found.map(({ id, ...edge }) => ({ ...edge, ids: [id] })),
    };
  }
  const merged = mergeEdges(sql(rows).all(...given) as unknown as (Edge & { id: number })[]);
  return { total: merged.length, edges: merged.sort(byWeight).slice(0, query.limit) };
}

/** The third parameter of a statement, where types are named. */
function typeTest(types: EdgeOptions['types']): { test: string; listed: string[] } {
  if (!types) return { test: '', listed: [] };
  const [not, list] = 'only' in types ? ['', types.only] : [' NOT', types.except];
  return { test: ` AND type${not} IN (SELECT value FROM json_each(?3))`, listed: [jsonList(list)] };
}

function mergeEdges(rows: readonly (Edge & { id: number })[]): Found[] {
  const merged = new Map<string, Found>();
  for (const row of rows) {
    const id = `${row.source}\n${row.target}\n${row.type}`;
    const known = merged.get(id);
    if (known) {
      known.mentions += row.mentions;
      known.confidence = Math.max(known.confidence, row.confidence);
      known.ids.push(row.id);
    } else {
      const { source, target, type, mentions, confidence } = row;
      merged.set(id, { source, target, type, mentions, confidence, ids: [row.id] });
    }
  }
  return [...merged.values()];
}

function byWeight(a: Edge, b: Edge): number {
  return (
    b.confidence - a.confidence ||
    b.mentions - a.mentions ||
    compareText(a.type, b.type) ||
    compareText(a.source, b.source) ||
    compareText(a.target, b.target)
  );
}

function hydrate(connection: Connection, edges: readonly Found[], scope: string | null): Relation[] {
  const one = connection.sql('SELECT description, tally FROM relations WHERE id = ?');
  const labels = labelsOf(
    connection,
    edges.flatMap((edge) => [edge.source, edge.target]),
    scope,
  );
  return edges.map((edge) => {
    const rows = edge.ids.map((id) => one.get(id) as { description: string; tally: string });
    const tally = mergeTallies(rows.map((row) => readTally(row.tally)));
    const nameOf = (end: 'source' | 'target'): string =>
      labels.get(edge[end])?.name ?? ranked(tally, end)[0] ?? edge[end];
    return {
      id: relationId(edge),
      source: { key: edge.source, name: nameOf('source') },
      target: { key: edge.target, name: nameOf('target') },
      type: edge.type,
      description: rows.map((row) => row.description).reduce(fuller),
      keywords: ranked(tally, 'keyword'),
      fields: fieldsOf(tally),
      mentions: edge.mentions,
      confidence: edge.confidence,
      by: ranked(tally, 'by'),
    };
  });
}

function about(
  connection: Connection,
  words: readonly string[],
  options: { scope: readonly string[] | undefined; limit: number },
): Relation[] {
  const terms = [...new Set(words.map((word) => word.replaceAll(/["\0]/g, ' ').trim()))]
    .filter((word) => /[\p{L}\p{N}]/u.test(word))
    .slice(0, MAX_WORDS);
  const scope = scopeParameter(connection, options.scope);
  const counted = terms.map((term) => ({ match: `"${term}"`, n: frequencyOf(connection, `"${term}"`) }));
  const telling = counted.filter(({ n }) => n > 0 && n <= COMMON);
  const common = counted.filter(({ n }) => n > COMMON).sort((a, b) => a.n - b.n)[0];
  const rows = telling.length
    ? byRelevance(connection, {
        match: telling.map(({ match }) => match).join(' OR '),
        scope,
        limit: options.limit,
      })
    : common
      ? foremost(connection, { match: common.match, scope, limit: options.limit })
      : [];
  return hydrate(connection, mergeEdges(rows), scope);
}

interface About {
  match: string;
  scope: string | null;
  limit: number;
}

type Row = Edge & { id: number };

/** Up to one more than what counts as common: how many hold the word beyond that does not matter. */
function frequencyOf({ sql }: Connection, match: string): number {
  const row = sql(
    'SELECT count(*) AS n FROM (SELECT 1 FROM relation_words WHERE relation_words MATCH ? LIMIT ?)',
  );
  return (row.get(match, COMMON + 1) as { n: number }).n;
}

function byRelevance({ sql }: Connection, { match, scope, limit }: About): Row[] {
  return sql(
    `SELECT r.id, r.source, r.target, r.type, r.mentions, r.confidence FROM relation_words w JOIN relations r ON r.id = w.rowid
     WHERE relation_words MATCH ?2 AND ${IN_SCOPE} ORDER BY bm25(relation_words), r.mentions DESC, r.id LIMIT ?3`,
  ).all(scope, match, limit) as unknown as Row[];
}

/** A word that nearly every relation holds says nothing about rank: those said most often come first. */
function foremost({ sql }: Connection, { match, scope, limit }: About): Row[] {
  return sql(
    `SELECT r.id, r.source, r.target, r.type, r.mentions, r.confidence FROM relation_words w JOIN relations r ON r.id = w.rowid
     WHERE relation_words MATCH ?2 AND ${IN_SCOPE} LIMIT ${COMMON}`,
  )
    .all(scope, match)
    .map((row) => row as unknown as Row)
    .sort((a, b) => byWeight(a, b))
    .slice(0, limit);
}

function evidenceOf(
  { sql }: Connection,
  kind: 'entity' | 'relation',
  owners: readonly number[],
  limit: number,
): { total: number; evidence: Evidence[] } {
  // Almost always there is one, and a plain comparison is several times quicker than a list.
  const [mine, given] =
    owners.length === 1
      ? [`${kind} = ?`, owners[0]!]
      : [`${kind} IN (SELECT value FROM json_each(?))`, jsonList(owners)];
  const rows = sql(
    `SELECT c.name AS collection, d.path, m.start_line, m.end_line, k.heading_path, m.chunk
     FROM ${kind}_mentions m JOIN chunks k ON k.id = m.chunk JOIN documents d ON d.id = k.document
       JOIN collections c ON c.id = d.collection
     WHERE m.${mine} ORDER BY c.name, d.path, m.start_line, m.end_line, m.chunk LIMIT ?`,
  ).all(given, limit + 1) as unknown as {
    collection: string;
    path: string;
    start_line: number;
    end_line: number;
    heading_path: string;
    chunk: number;
  }[];
  const count = () =>
    sql(`SELECT count(*) AS n FROM ${kind}_mentions WHERE ${mine}`).get(given) as { n: number };
  return {
    // Most are said in a few places: where all of them were read, they need not be counted.
    total: rows.length <= limit ? rows.length : count().n,
    evidence: rows.slice(0, limit).map((row) => ({
      collection: row.collection,
      path: row.path,
      startLine: row.start_line,
      endLine: row.end_line,
      headingPath: JSON.parse(row.heading_path) as string[],
      chunkId: String(row.chunk),
    })),
  };
}
