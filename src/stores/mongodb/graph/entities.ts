// Entities as they are read: rows of the collections in scope, merged by key.

import type { Document, Filter } from 'mongodb';
import type { Entity } from '../../../domain/graph.ts';
import { mergedEntity } from '../../../domain/statements.ts';
import { mergeTallies, ranked, readTally, typeOf } from '../../../domain/tally.ts';
import { foldCase } from '../../../domain/text.ts';
import type {
  EntityLabel,
  EntityQuery,
  GraphCounts,
  GraphReads,
  GraphScope,
} from '../../../ports/graph-store.ts';
import type { Database } from '../database.ts';
import { escaped, inScope } from '../filter.ts';
import { type EntityDocument } from '../layout.ts';

export type EntityReads = Pick<GraphReads, 'counts' | 'entities' | 'byKeys' | 'labels' | 'named'>;

const MAX_NAMED = 200;

export function createEntityReads(database: Database): EntityReads {
  return {
    counts: (scope) => database.read(() => countGraph(database, scope)),
    entities: (query) => database.read(() => listEntities(database, query)),
    byKeys: (keys, scope) => database.read(() => entitiesByKeys(database, keys, scope)),
    labels: (keys, scope) => database.read(() => labelsOf(database, keys, scope)),
    named: (text, how, scope) =>
      database.read(async () => {
        const trimmed = text.trim();
        const folded = foldCase(trimmed);
        if (folded === '') return [];
        const test: Filter<EntityDocument> =
          how === 'substring'
            ? { folded: { $regex: escaped(folded) } }
            : how === 'exact'
              ? { folded, names: trimmed }
              : { folded };
        const rows = await entities(database)
          .find({ ...test, ...inScope(scope) }, { ...database.limits, projection: { key: 1, mentions: 1 } })
          .sort({ mentions: -1, key: 1 })
          .limit(MAX_NAMED)
          .toArray();
        return entitiesByKeys(
          database,
          rows.map((row) => row.key),
          scope,
        );
      }),
  };
}

const entities = (database: Database) => database.own('entities');
const relations = (database: Database) => database.own('relations');

async function rowsByKeys(
  database: Database,
  keys: readonly string[],
  scope: GraphScope,
): Promise<Map<string, EntityDocument[]>> {
  if (keys.length === 0) return new Map();
  const rows = await entities(database)
    .find({ key: { $in: [...new Set(keys)] }, ...inScope(scope) }, database.limits)
    .toArray();
  return Map.groupBy(rows, (row) => row.key);
}

async function entitiesByKeys(
  database: Database,
  keys: readonly string[],
  scope: GraphScope,
): Promise<Entity[]> {
  const rows = await rowsByKeys(database, keys, scope);
  const counts = await relationCounts(database, [...rows.keys()], scope);
  return [...new Set(keys)].flatMap((key) => {
    const found = rows.get(key);
    return found ? [mergedEntity(key, found, counts.get(key) ?? 0)] : [];
  });
}

/** Names to show for keys, where the scope has such an entity. */
export async function labelsOf(
  database: Database,
  keys: readonly string[],
  scope: GraphScope,
): Promise<Map<string, EntityLabel>> {
  const rows = await rowsByKeys(database, keys, scope);
  return new Map(
    [...rows].map(([key, found]) => {
      const tally = mergeTallies(found.map((row) => readTally(row.tally)));
      return [key, { name: ranked(tally, 'name')[0]!, type: typeOf(tally) }];
    }),
  );
}

/** Different relations that touch each key. */
async function relationCounts(
  database: Database,
  keys: readonly string[],
  scope: GraphScope,
): Promise<Map<string, number>> {
  if (keys.length === 0) return new Map();
  const rows = await relations(database)
    .aggregate<{ _id: string; n: number }>(
      [
        { $match: { $or: [{ source: { $in: keys } }, { target: { $in: keys } }], ...inScope(scope) } },
        { $group: { _id: { source: '$source', target: '$target', type: '$type' } } },
        { $project: { ends: { $setUnion: [['$_id.source'], ['$_id.target']] } } },
        { $unwind: '$ends' },
        { $match: { ends: { $in: keys } } },
        { $group: { _id: '$ends', n: { $sum: 1 } } },
      ],
      database.limits,
    )
    .toArray();
  return new Map(rows.map((row) => [row._id, row.n]));
}

async function listEntities(
  database: Database,
  query: EntityQuery,
): Promise<{ total: number; entities: Entity[] }> {
  const pattern = query.query ? { $regex: escaped(foldCase(query.query)), $options: 'i' } : undefined;
  const filter: Document = {
    ...inScope(query.scope),
    ...(query.type === undefined ? {} : { type: query.type }),
    ...(query.except ? { type: { $nin: query.except } } : {}),
    ...(pattern ? { $or: [{ folded: pattern }, { description: pattern }] } : {}),
  };
  const rows = await entities(database)
    .aggregate<{ _id: string }>(
      [
        { $match: filter },
        { $group: { _id: '$key', mentions: { $sum: '$mentions' }, name: { $min: '$name' } } },
        { $sort: { mentions: -1, name: 1, _id: 1 } },
        { $project: { _id: 1 } },
      ],
      { ...database.limits, allowDiskUse: true },
    )
    .toArray();
  const page = rows.slice(0, query.limit).map((row) => row._id);
  return { total: rows.length, entities: await entitiesByKeys(database, page, query.scope) };
}

async function countGraph(database: Database, scope: GraphScope): Promise<GraphCounts> {
  const distinct = async (store: 'entities' | 'relations', id: Document | string): Promise<number> => {
    const [row] = await database
      .own(store)
      .aggregate<{ n: number }>(
        [{ $match: inScope(scope) }, { $group: { _id: id } }, { $count: 'n' }],
        database.limits,
      )
      .toArray();
    return row?.n ?? 0;
  };
  const types = await entities(database)
    .aggregate<{ _id: string; n: number }>(
      [
        { $match: inScope(scope) },
        { $group: { _id: { type: '$type', key: '$key' } } },
        { $group: { _id: '$_id.type', n: { $sum: 1 } } },
        { $sort: { n: -1, _id: 1 } },
      ],
      database.limits,
    )
    .toArray();
  return {
    entities: await distinct('entities', '$key'),
    relations: await distinct('relations', { source: '$source', target: '$target', type: '$type' }),
    byType: Object.fromEntries(types.map((row) => [row._id, row.n])),
  };
}
