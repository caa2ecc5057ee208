// Entities as they are read: rows of the collections in scope, merged by key.

import type { Entity } from '../../../domain/graph.ts';
import { mergedEntity } from '../../../domain/statements.ts';
import { mergeTallies, ranked, readTally, typeOf } from '../../../domain/tally.ts';
import { foldCase } from '../../../domain/text.ts';
import type { EntityLabel, EntityQuery, GraphCounts, GraphReads } from '../../../ports/graph-store.ts';
import type { Connection } from '../connection.ts';
import { collectionIds, jsonList } from '../scope.ts';

export type EntityReads = Pick<GraphReads, 'counts' | 'entities' | 'byKeys' | 'labels' | 'named'>;

interface Count {
  n: number;
}

interface EntityRow {
  key: string;
  description: string;
  mentions: number;
  tally: string;
}

const ROW = 'key, description, mentions, tally';
/** Of the collections that the first parameter names (`scopeParameter`). */
export const IN_SCOPE = '(?1 IS NULL OR collection IN (SELECT value FROM json_each(?1)))';
const MAX_NAMED = 200;

export function createEntityReads(connection: Connection): EntityReads {
  const { sql, read } = connection;
  return {
    async counts(scope) {
      return read(() => countGraph(connection, scopeParameter(connection, scope)));
    },
    async entities(query) {
      return read(() => listEntities(connection, query));
    },
    async byKeys(keys, scope) {
      return read(() => entitiesByKeys(connection, keys, scopeParameter(connection, scope)));
    },
    async labels(keys, scope) {
      return read(() => labelsOf(connection, keys, scopeParameter(connection, scope)));
    },
    async named(text, how, scope) {
      return read(() => {
        const folded = foldCase(text.trim());
        if (folded === '') return [];
        const test = how === 'substring' ? 'instr(n.folded, ?2) > 0' : 'n.folded = ?2';
        const rows = sql<{ key: string }>(
          `SELECT DISTINCT e.key FROM entity_names n JOIN entities e ON e.id = n.entity
           WHERE ${test} AND (?3 IS NULL OR n.name = ?3) AND ${IN_SCOPE} ORDER BY e.mentions DESC, e.key LIMIT ?4`,
        ).all(scopeParameter(connection, scope), folded, how === 'exact' ? text.trim() : null, MAX_NAMED);
        return entitiesByKeys(
          connection,
          rows.map((row) => row.key),
          scopeParameter(connection, scope),
        );
      });
    },
  };
}

/** The scope as statements take it: null for every collection, or a JSON list of ids. */
export function scopeParameter(connection: Connection, scope: readonly string[] | undefined): string | null {
  const ids = collectionIds(connection, scope);
  return ids ? jsonList(ids) : null;
}

function entitiesByKeys(connection: Connection, keys: readonly string[], scope: string | null): Entity[] {
  const rows = connection.sql<EntityRow>(`SELECT ${ROW} FROM entities WHERE key = ?2 AND ${IN_SCOPE}`);
  const entities: Entity[] = [];
  const relations = relationCounter(connection, scope);
  for (const key of new Set(keys)) {
    const found = rows.all(scope, key);
    if (found.length) entities.push(mergedEntity(key, found, relations(key)));
  }
  return entities;
}

/** Names and types to show for keys, where the scope has such an entity. */
export function labelsOf(
  connection: Connection,
  keys: Iterable<string>,
  scope: string | null,
): Map<string, EntityLabel> {
  const rows = connection.sql<{ name: string; type: string; tally: string }>(
    `SELECT name, type, tally FROM entities WHERE key = ?2 AND ${IN_SCOPE}`,
  );
  const labels = new Map<string, EntityLabel>();
  for (const key of new Set(keys)) {
    const found = rows.all(scope, key);
    const [one] = found;
    if (!one) continue;
    // What one collection says is written beside its tally; what several say has to be counted together.
    const tally = found.length > 1 ? mergeTallies(found.map((row) => readTally(row.tally))) : undefined;
    labels.set(key, tally ? { name: ranked(tally, 'name')[0]!, type: typeOf(tally) } : one);
  }
  return labels;
}

function listEntities(connection: Connection, query: EntityQuery): { total: number; entities: Entity[] } {
  const { sql } = connection;
  const scope = scopeParameter(connection, query.scope);
  const owners = holders(connection, 'entities', scope);
  if (owners.length === 0) return { total: 0, entities: [] };
  // One collection needs no merging, and its index is in the order of the answer.
  const merged = owners.length > 1;
  // With a text to look for, the plus keeps SQLite from reading a whole collection for the few that hold it.
  const plus = query.query ? '+' : '';
  const tests: [string, ...(string | number)[]][] = [
    merged
      ? [`${plus}collection IN (SELECT value FROM json_each(?))`, jsonList(owners)]
      : [`${plus}collection = ?`, owners[0]!],
  ];
  if (query.type !== undefined) tests.push([`${plus}type = ?`, query.type]);
  if (query.except) tests.push(['type NOT IN (SELECT value FROM json_each(?))', jsonList(query.except)]);
  if (query.query) {
    const text = foldCase(query.query);
    const named = 'SELECT entity FROM entity_names WHERE instr(folded, ?) > 0';
    const described = "SELECT id FROM entities WHERE description <> '' AND instr(lower(description), ?) > 0";
    tests.push([`id IN (${named} UNION ALL ${described})`, text, text]);
  }
  const where = tests.map(([test]) => test).join(' AND ');
  const values = tests.flatMap(([, ...given]) => given);
  const counted = merged ? 'count(DISTINCT key)' : 'count(*)';
  const order = merged
    ? 'GROUP BY key ORDER BY sum(mentions) DESC, min(name), key'
    : 'ORDER BY mentions DESC, name, key';
  const total = sql<Count>(`SELECT ${counted} AS n FROM entities WHERE ${where}`).get(...values)!;
  const keys = sql<{ key: string }>(`SELECT key FROM entities WHERE ${where} ${order} LIMIT ?`).all(
    ...values,
    query.limit,
  );
  const found = keys.map((row) => row.key);
  return { total: total.n, entities: entitiesByKeys(connection, found, scope) };
}

/** Collections of the scope that hold any of the graph; looked for one by one, because there are few. */
export function holders(
  connection: Connection,
  table: 'entities' | 'relations',
  scope: string | null,
): number[] {
  const rows = connection
    .sql<{ id: number }>(
      `SELECT c.id FROM collections c WHERE (?1 IS NULL OR c.id IN (SELECT value FROM json_each(?1)))
         AND EXISTS (SELECT 1 FROM ${table} WHERE collection = c.id)`,
    )
    .all(scope);
  return rows.map((row) => row.id);
}

/** Within one collection every relation is one row; over several the same one may be said in each. */
function relationCounter(connection: Connection, scope: string | null): (key: string) => number {
  const apart = holders(connection, 'relations', scope).length > 1;
  const counted = apart
    ? `SELECT count(*) AS n FROM (
         SELECT source, target, type FROM relations WHERE source = ?2 AND ${IN_SCOPE}
         UNION SELECT source, target, type FROM relations WHERE target = ?2 AND ${IN_SCOPE})`
    : `SELECT (SELECT count(*) FROM relations WHERE source = ?2 AND ${IN_SCOPE})
         + (SELECT count(*) FROM relations WHERE target = ?2 AND source <> ?2 AND ${IN_SCOPE}) AS n`;
  const count = connection.sql<Count>(counted);
  return (key) => count.get(scope, key)!.n;
}

function countGraph(connection: Connection, scope: string | null): GraphCounts {
  const { sql } = connection;
  const apart =
    holders(connection, 'entities', scope).length > 1 || holders(connection, 'relations', scope).length > 1;
  const counted = apart ? 'count(DISTINCT key)' : 'count(*)';
  const entities = sql<Count>(`SELECT ${counted} AS n FROM entities WHERE ${IN_SCOPE}`).get(scope)!;
  const relations = sql<Count>(
    apart
      ? `SELECT count(*) AS n FROM (SELECT DISTINCT source, target, type FROM relations WHERE ${IN_SCOPE})`
      : `SELECT count(*) AS n FROM relations WHERE ${IN_SCOPE}`,
  ).get(scope)!;
  const types = sql<Count & { type: string }>(
    `SELECT type, ${counted} AS n FROM entities WHERE ${IN_SCOPE} GROUP BY type ORDER BY n DESC, type`,
  ).all(scope);
  return {
    entities: entities.n,
    relations: relations.n,
    byType: Object.fromEntries(types.map(({ type, n }) => [type, n])),
  };
}
