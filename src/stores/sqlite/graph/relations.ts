// Relations as they are read: touched by keys, about words, with their evidence. Rows are cut to the limit before
// anything of them is read but what orders them, so that a hub with thousands of edges stays quick.

import { parseRelationId, type Evidence, type Relation } from '../../../domain/graph.ts';
import { compareEdges, mergedRelation, type Edge } from '../../../domain/statements.ts';
import type { EdgeOptions, GraphReads } from '../../../ports/graph-store.ts';
import type { Connection } from '../connection.ts';
import { placeOf, type PlaceRow } from '../rows.ts';
import { jsonList } from '../scope.ts';
import { holders, IN_SCOPE, labelsOf, scopeParameter } from './entities.ts';

export type RelationReads = Pick<
  GraphReads,
  'relations' | 'edges' | 'relationsAbout' | 'entityEvidence' | 'relationEvidence'
>;

interface Row extends Edge {
  id: number;
}

/** One relation, and its rows in the collections of the scope. */
interface Found extends Edge {
  ids: number[];
}

interface EvidenceRow extends PlaceRow {
  by: string | null;
}

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
        const rows = sql<{ id: number }>(`SELECT id FROM entities WHERE key = ?2 AND ${IN_SCOPE}`);
        const found = new Map<string, { total: number; evidence: Evidence[] }>();
        for (const key of new Set(keys)) {
          const ids = rows.all(parameter, key).map((row) => row.id);
          if (ids.length) found.set(key, evidenceOf(connection, 'entity', ids, limit));
        }
        return found;
      });
    },
    async relationEvidence(ids, { scope, limit }) {
      return read(() => {
        const parameter = scopeParameter(connection, scope);
        const rows = sql<{ id: number }>(
          `SELECT id FROM relations WHERE source = ?2 AND target = ?3 AND type = ?4 AND ${IN_SCOPE}`,
        );
        const found = new Map<string, { total: number; evidence: Evidence[] }>();
        for (const id of new Set(ids)) {
          const edge = parseRelationId(id);
          if (!edge) continue;
          const { source, target, type } = edge;
          const owners = rows.all(parameter, source, target, type).map((row) => row.id);
          if (owners.length) found.set(id, evidenceOf(connection, 'relation', owners, limit));
        }
        return found;
      });
    },
  };
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
    const found = sql<Found>(`${rows} LIMIT ?`).all(...given, query.limit + 1);
    // The rows as they are: a hub has thousands, and every copy of them counts.
    if (found.length <= query.limit) return { total: found.length, edges: found };
  }
  if (owners.length === 1) {
    const count = () => sql<{ n: number }>(`SELECT count(*) AS n FROM (${rows})`).get(...given)!.n;
    const found = sql<Row>(
      `${rows} ORDER BY confidence DESC, mentions DESC, type, source, target LIMIT ?`,
    ).all(...given, query.limit);
    return {
      total: query.plain ? found.length : count(),
      edges: found.map(({ id, ...edge }) => ({ ...edge, ids: [id] })),
    };
  }
  const merged = mergeEdges(sql<Row>(rows).all(...given));
  return { total: merged.length, edges: merged.sort(compareEdges).slice(0, query.limit) };
}

/** The third parameter of a statement, where types are named. */
function typeTest(types: EdgeOptions['types']): { test: string; listed: string[] } {
  if (!types) return { test: '', listed: [] };
  const [not, list] = 'only' in types ? ['', types.only] : [' NOT', types.except];
  return { test: ` AND type${not} IN (SELECT value FROM json_each(?3))`, listed: [jsonList(list)] };
}

function mergeEdges(rows: readonly Row[]): Found[] {
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

function hydrate(connection: Connection, edges: readonly Found[], scope: string | null): Relation[] {
  const one = connection.sql<{ description: string; tally: string }>(
    'SELECT description, tally FROM relations WHERE id = ?',
  );
  const labels = labelsOf(
    connection,
    edges.flatMap((edge) => [edge.source, edge.target]),
    scope,
  );
  return edges.map((edge) =>
    mergedRelation(
      edge,
      edge.ids.map((id) => one.get(id)!),
      labels,
    ),
  );
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
  const held = terms.map((term) => ({ match: `"${term}"`, ids: idsWith(connection, `"${term}"`, scope) }));
  const rare = held.filter(({ ids }) => ids.length > 0 && ids.length <= COMMON);
  const common = held.find(({ ids }) => ids.length > COMMON);
  const rows = rare.length
    ? byRelevance(
        connection,
        rare.map(({ ids }) => ids),
        options.limit,
      )
    : common
      ? foremost(connection, common.match, { scope, limit: options.limit })
      : [];
  return hydrate(connection, mergeEdges(rows), scope);
}

const COLUMNS = 'r.id, r.source, r.target, r.type, r.mentions, r.confidence';
const WITH_WORD = `FROM relation_words w JOIN relations r ON r.id = w.rowid WHERE relation_words MATCH ?2 AND ${IN_SCOPE}`;

/** Up to one more than what counts as common: how many hold the word beyond that does not matter. */
function idsWith({ rows }: Connection, match: string, scope: string | null): number[] {
  const most = COMMON + 1;
  const found =
    scope === null
      ? rows<[id: number]>(
          'SELECT rowid FROM relation_words WHERE relation_words MATCH ? LIMIT ?',
          match,
          most,
        )
      : rows<[id: number]>(`SELECT r.id ${WITH_WORD} LIMIT ?3`, scope, match, most);
  return found.map(([id]) => id);
}

/** By what they hold of the words, the rarer the more. Counted in scope: FTS5's own ranking knows every collection. */
function byRelevance({ sql }: Connection, words: readonly (readonly number[])[], limit: number): Row[] {
  const ranks = new Map<number, number>();
  for (const ids of words) {
    const weight = Math.log(1 + COMMON / ids.length);
    for (const id of ids) ranks.set(id, (ranks.get(id) ?? 0) + weight);
  }
  // Of many thousands only those are read that can be among the first.
  const least = Float64Array.from(ranks.values()).sort().at(-limit) ?? 0;
  const best = [...ranks].flatMap(([id, rank]) => (rank >= least ? [id] : []));
  return sql<Row>(`SELECT ${COLUMNS} FROM relations r WHERE r.id IN (SELECT value FROM json_each(?))`)
    .all(jsonList(best))
    .sort((a, b) => ranks.get(b.id)! - ranks.get(a.id)! || b.mentions - a.mentions || a.id - b.id)
    .slice(0, limit);
}

/** A word that nearly every relation holds says nothing about rank: those said most often come first. */
function foremost(
  { sql }: Connection,
  match: string,
  { scope, limit }: { scope: string | null; limit: number },
): Row[] {
  const some = sql<Row>(`SELECT ${COLUMNS} ${WITH_WORD} LIMIT ${COMMON}`);
  return some.all(scope, match).sort(compareEdges).slice(0, limit);
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
  const rows = sql<EvidenceRow>(
    `SELECT c.name AS collection, d.path, m.start_line, m.end_line, k.heading_path, m.chunk,
       json_extract(m.said, '$.by') AS by
     FROM ${kind}_mentions m JOIN chunks k ON k.id = m.chunk JOIN documents d ON d.id = k.document
       JOIN collections c ON c.id = d.collection
     WHERE m.${mine} ORDER BY c.name, d.path, m.start_line, m.end_line, m.chunk LIMIT ?`,
  ).all(given, limit + 1);
  const count = () =>
    sql<{ n: number }>(`SELECT count(*) AS n FROM ${kind}_mentions WHERE ${mine}`).get(given)!;
  return {
    // Most are stated in a few places: where all of them were read, they need not be counted.
    total: rows.length <= limit ? rows.length : count().n,
    evidence: rows
      .slice(0, limit)
      .map((row) => ({ ...placeOf(row), ...(row.by === null ? {} : { by: row.by }) })),
  };
}
