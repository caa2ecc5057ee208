// Relations as they are read: touched by keys, about words, with their evidence. A walk goes hop by hop over indexed
// ends, many keys at a time; `$graphLookup` cannot merge collections or bound a hub's edges, so it is not used here.

import type { Document, ObjectId } from 'mongodb';
import { parseRelationId, relationId, type Evidence, type Relation } from '../../../domain/graph.ts';
import { mergedRelation, type Statement } from '../../../domain/statements.ts';
import { compareText } from '../../../domain/text.ts';
import type { EdgeOptions, GraphEdge, GraphReads, GraphScope } from '../../../ports/graph-store.ts';
import type { Database } from '../database.ts';
import { inScope } from '../filter.ts';
import { formatChunkId } from '../ids.ts';
import { NAMES, type MentionDocument } from '../layout.ts';
import { labelsOf } from './entities.ts';
import { stems } from './write.ts';

export type RelationReads = Pick<
  GraphReads,
  'relations' | 'edges' | 'relationsAbout' | 'entityEvidence' | 'relationEvidence'
>;

const MAX_WORDS = 32;

type Proof = Map<string, { total: number; evidence: Evidence[] }>;

/** One edge for all collections that state the same relation. */
const MERGED = {
  _id: { source: '$source', target: '$target', type: '$type' },
  mentions: { $sum: '$mentions' },
  confidence: { $max: { $ifNull: ['$confidence', 0.8] } },
};
const EDGE = {
  _id: 0,
  source: '$_id.source',
  target: '$_id.target',
  type: '$_id.type',
  mentions: 1,
  confidence: 1,
};

export function createRelationReads(database: Database): RelationReads {
  return {
    relations: (keys, direction, options) =>
      database.read(async () => {
        const found = await touching(database, { ...options, keys, direction });
        return {
          total: found.length,
          relations: await hydrate(database, found.slice(0, options.limit), options.scope),
        };
      }),
    edges: (keys, direction, options) =>
      database.read(async () =>
        (await touching(database, { keys, direction, ...options })).slice(0, options.limit),
      ),
    relationsAbout: (words, options) => database.read(() => about(database, words, options)),
    entityEvidence: (keys, options) =>
      database.read(() => evidenceOf(database, { store: NAMES.entityMentions, owners: keys, ...options })),
    relationEvidence: (ids, options) =>
      database.read(() =>
        evidenceOf(database, {
          store: NAMES.relationMentions,
          owners: ids.filter(parseRelationId),
          ...options,
        }),
      ),
  };
}

const relations = (database: Database) => database.own('relations');

interface Touch {
  keys: readonly string[];
  direction: 'in' | 'out' | 'both';
  scope: GraphScope;
  types?: EdgeOptions['types'];
  minConfidence?: number;
}

/** Edges merged over collections; heaviest first. */
async function touching(
  database: Database,
  { keys, direction, scope, types, minConfidence }: Touch,
): Promise<GraphEdge[]> {
  const wanted = [...new Set(keys)];
  if (wanted.length === 0) return [];
  const ends: Document[] = [];
  if (direction !== 'in') ends.push({ source: { $in: wanted } });
  if (direction !== 'out') ends.push({ target: { $in: wanted } });
  const edges = await merged(database, [{ $match: { $or: ends, ...inScope(scope), ...ofTypes(types) } }]);
  return minConfidence === undefined ? edges : edges.filter((edge) => edge.confidence >= minConfidence);
}

function ofTypes(types: EdgeOptions['types']): Document {
  if (!types) return {};
  return { type: 'only' in types ? { $in: types.only } : { $nin: types.except } };
}

async function merged(database: Database, first: Document[]): Promise<GraphEdge[]> {
  return relations(database)
    .aggregate<GraphEdge>(
      [
        ...first,
        { $group: MERGED },
        { $project: EDGE },
        { $sort: { confidence: -1, mentions: -1, type: 1, source: 1, target: 1 } },
      ],
      { ...database.limits, allowDiskUse: true },
    )
    .toArray();
}

async function hydrate(
  database: Database,
  edges: readonly GraphEdge[],
  scope: GraphScope,
): Promise<Relation[]> {
  if (edges.length === 0) return [];
  const labels = await labelsOf(
    database,
    edges.flatMap((edge) => [edge.source, edge.target]),
    scope,
  );
  const found = await relations(database)
    .find(
      { $or: edges.map(({ source, target, type }) => ({ source, target, type })), ...inScope(scope) },
      database.limits,
    )
    .toArray();
  const rows = Map.groupBy(found, relationId);
  return edges.flatMap((edge) => {
    const own = rows.get(relationId(edge));
    return own ? [mergedRelation(edge, own, labels)] : [];
  });
}

async function about(
  database: Database,
  words: readonly string[],
  options: { scope: GraphScope; limit: number },
): Promise<Relation[]> {
  const terms = [...new Set(words.flatMap(stems))].slice(0, MAX_WORDS);
  if (terms.length === 0) return [];
  const rows = await relations(database)
    .aggregate<GraphEdge>(
      [
        { $match: { words: { $in: terms }, ...inScope(options.scope) } },
        {
          $set: {
            hits: { $size: { $setIntersection: ['$words', { $literal: terms }] } },
            length: { $size: '$words' },
          },
        },
        {
          $group: {
            ...MERGED,
            hits: { $max: '$hits' },
            length: { $min: '$length' },
          },
        },
        { $sort: { hits: -1, length: 1, mentions: -1, '_id.type': 1, '_id.source': 1, '_id.target': 1 } },
        { $limit: options.limit },
        { $project: EDGE },
      ],
      database.limits,
    )
    .toArray();
  return hydrate(database, rows, options.scope);
}

interface EvidenceQuery {
  store: string;
  owners: readonly string[];
  scope: GraphScope;
  limit: number;
}

async function evidenceOf(
  database: Database,
  { store, owners, scope, limit }: EvidenceQuery,
): Promise<Proof> {
  const proof: Proof = new Map();
  const wanted = [...new Set(owners)];
  if (wanted.length === 0) return proof;
  const rows = await database
    .collection<MentionDocument>(store)
    .find({ owner: { $in: wanted }, ...inScope(scope) }, { ...database.limits, projection: { said: 0 } })
    .toArray();
  const documents = await database
    .own('documents')
    .find(
      { _id: { $in: [...new Set(rows.map((row) => row.doc))] } },
      { ...database.limits, projection: { path: 1 } },
    )
    .toArray();
  const paths = new Map(documents.map((row) => [row._id, row.path]));
  const all = rows.flatMap((row) => {
    const path = paths.get(row.doc);
    return path === undefined ? [] : [{ row, path }];
  });
  all.sort(
    (a, b) =>
      compareText(a.row.collection, b.row.collection) ||
      compareText(a.path, b.path) ||
      a.row.startLine - b.row.startLine ||
      a.row.endLine - b.row.endLine ||
      a.row.ordinal - b.row.ordinal,
  );
  const totals = new Map<string, number>();
  const shown = all.filter(({ row }) => {
    const before = totals.get(row.owner) ?? 0;
    totals.set(row.owner, before + 1);
    return before < limit;
  });
  const readers = await readersOf(
    database,
    store,
    shown.map(({ row }) => row._id),
  );
  for (const { row, path } of shown) {
    const known = proof.get(row.owner) ?? { total: totals.get(row.owner)!, evidence: [] };
    proof.set(row.owner, known);
    const by = readers.get(String(row._id));
    known.evidence.push({
      collection: row.collection,
      path,
      startLine: row.startLine,
      endLine: row.endLine,
      headingPath: row.headingPath,
      chunkId: formatChunkId(row.collection, row.chunk),
      ...(by === undefined ? {} : { by }),
    });
  }
  return proof;
}

/** Who read each of some mentions; asked for what is shown only, because a hub has thousands. */
async function readersOf(
  database: Database,
  store: string,
  ids: readonly ObjectId[],
): Promise<Map<string, string | undefined>> {
  const rows = await database
    .collection<MentionDocument>(store)
    .find({ _id: { $in: [...ids] } }, { ...database.limits, projection: { said: 1 } })
    .toArray();
  return new Map(rows.map((row) => [String(row._id), (JSON.parse(row.said) as Statement).by]));
}
