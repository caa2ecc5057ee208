// What the graph leaves open: entities without relations, documents without entities, chunks that name much and state
// little. Of the latter only those with the most names are read.

import { LISTING } from '../../../domain/graph.ts';
import { compareText } from '../../../domain/text.ts';
import type { GraphReads, GraphScope, SparseSection } from '../../../ports/graph-store.ts';
import type { Database } from '../database.ts';
import { inScope } from '../filter.ts';
import { formatChunkId } from '../ids.ts';
import { NAMES, type ChunkDocument, type MentionDocument } from '../layout.ts';

export type GapReads = Pick<GraphReads, 'gaps'>;

/** Chunks with most entities that are looked at. */
const CANDIDATES = 500;

export function createGapReads(database: Database): GapReads {
  return {
    gaps: (scope, limit) =>
      database.read(async () => ({
        unrelated: await unrelated(database, scope),
        withoutEntities: await database
          .own('documents')
          .countDocuments({ graph: { $ne: true }, ...inScope(scope) }, database.limits),
        sections: await sections(database, scope, limit),
      })),
  };
}

async function unrelated(database: Database, scope: GraphScope): Promise<number> {
  const ends = await Promise.all(
    ['$source', '$target'].map((end) =>
      database
        .own('relations')
        .aggregate<{ _id: string }>([{ $match: inScope(scope) }, { $group: { _id: end } }], database.limits)
        .toArray(),
    ),
  );
  const keys = await database
    .own('entities')
    .aggregate<{ _id: string }>([{ $match: inScope(scope) }, { $group: { _id: '$key' } }], database.limits)
    .toArray();
  const touched = new Set(ends.flat().map(({ _id }) => _id));
  return keys.filter(({ _id }) => !touched.has(_id)).length;
}

interface Counted {
  _id: { collection: string; chunk: string };
  doc: string;
  n: number;
}

/** Different owners per chunk, most first. */
function counted(
  database: Database,
  store: string,
  stages: { match: object; most?: number; limit?: number },
) {
  return database
    .collection<MentionDocument>(store)
    .aggregate<Counted>(
      [
        { $match: stages.match },
        {
          $group: {
            _id: { collection: '$collection', chunk: '$chunk', owner: '$owner' },
            doc: { $first: '$doc' },
          },
        },
        {
          $group: {
            _id: { collection: '$_id.collection', chunk: '$_id.chunk' },
            doc: { $first: '$doc' },
            n: { $sum: 1 },
          },
        },
        ...(stages.most === undefined ? [] : [{ $match: { n: { $lte: stages.most } } }]),
        { $sort: { n: -1, _id: 1 } },
        ...(stages.limit === undefined ? [] : [{ $limit: stages.limit }]),
      ],
      { ...database.limits, allowDiskUse: true },
    )
    .toArray();
}

async function sections(database: Database, scope: GraphScope, limit: number): Promise<SparseSection[]> {
  const named = await counted(database, NAMES.entityMentions, {
    match: inScope(scope),
    most: LISTING,
    limit: CANDIDATES,
  });
  const many = named.filter(({ n }) => n > 2);
  const stated = await counted(database, NAMES.relationMentions, {
    match: { chunk: { $in: many.map(({ _id }) => _id.chunk) }, ...inScope(scope) },
  });
  const relations = new Map(stated.map(({ _id, n }) => [formatChunkId(_id.collection, _id.chunk), n]));
  const sparse = many
    .map((one) => ({ ...one, said: relations.get(formatChunkId(one._id.collection, one._id.chunk)) ?? 0 }))
    .filter(({ n, said }) => n > 2 * said)
    .sort((a, b) => b.n - 2 * b.said - (a.n - 2 * a.said))
    .slice(0, limit);
  const found = await Promise.all(sparse.map((one) => sectionOf(database, one)));
  const gap = (one: SparseSection) => one.entities - 2 * one.relations;
  return found
    .filter((one) => one !== undefined)
    .sort(
      (a, b) =>
        gap(b) - gap(a) ||
        compareText(a.collection, b.collection) ||
        compareText(a.path, b.path) ||
        a.startLine - b.startLine,
    );
}

async function sectionOf(
  database: Database,
  { _id: { collection, chunk }, doc, n, said }: Counted & { said: number },
): Promise<SparseSection | undefined> {
  const [row, document] = await Promise.all([
    database.collection<ChunkDocument>(collection).findOne({ _id: chunk }, database.limits),
    database.own('documents').findOne({ _id: doc }, database.limits),
  ]);
  if (!row || !document) return undefined;
  const { startLine, endLine, headingPath } = row._vai;
  return {
    ...{ collection, path: document.path, startLine, endLine, headingPath },
    chunkId: formatChunkId(collection, chunk),
    entities: n,
    relations: said,
  };
}
