// Search by meaning through an index of the server, with the filter inside it.

import type { Document } from 'mongodb';
import { VaiError } from '../../../../domain/errors.ts';
import { cosine } from '../../../../domain/vectors.ts';
import type { VectorSearch } from '../../../../ports/store.ts';
import { readVector } from '../../chunks.ts';
import type { Database } from '../../database.ts';
import { searchMessage } from '../../errors.ts';
import { toMongoFilter } from '../../filter.ts';
import type { SearchIndex } from '../indexes.ts';
import type { SearchTarget } from '../scope.ts';

/** A chunk that was found, with its cosine. */
export interface VectorRow {
  id: unknown;
  score: number;
  source: string;
  ordinal: number;
}

interface Row extends Document {
  _id: unknown;
  score?: number | null;
  source?: string;
  _vai?: { ordinal: number; staged?: boolean };
}

interface Query {
  target: SearchTarget;
  index: SearchIndex;
  search: VectorSearch;
}

/** What each kind of index gives at most. */
const MAX_CANDIDATES = { atlas: 10_000, cosmos: 1000 } as const;
/** Reads beyond the limit, so that equal scores are ordered by position and not by the index. */
const TIES = 10;
/** With a filter the index does not know, so many chunks are still compared one by one. */
const MAX_FILTERED = 2000;
const FIELDS = { source: 1, '_vai.ordinal': 1, '_vai.staged': 1 };

type Kind = keyof typeof MAX_CANDIDATES;

export async function indexSearch(database: Database, query: Query & { kind: Kind }): Promise<VectorRow[]> {
  const most = MAX_CANDIDATES[query.kind];
  const wanted = Math.min(query.search.limit + TIES, most);
  for (let limit = wanted; ; limit = Math.min(most, limit * 2)) {
    const rows = await runStage(database, query, limit);
    const published = rows.filter((row) => row._vai?.staged !== true);
    const full = published.length >= wanted || rows.length < limit || limit === most;
    // Chunks of an ingest under way took places that published ones may have: look further.
    if (full || published.length === rows.length) return published.flatMap((row) => toVectorRow(query, row));
  }
}

async function runStage(
  database: Database,
  { target, index, search, kind }: Query & { kind: Kind },
  limit: number,
): Promise<Row[]> {
  const filter = search.scope.filter ? { filter: toMongoFilter(search.scope.filter) } : {};
  const vector = [...search.vector];
  const stage =
    kind === 'atlas'
      ? {
          $vectorSearch: {
            index: index.name,
            path: index.field,
            queryVector: vector,
            numCandidates: Math.min(MAX_CANDIDATES.atlas, Math.max(100, 20 * limit)),
            limit,
            ...filter,
          },
        }
      : {
          $search: {
            cosmosSearch: {
              path: index.field,
              vector,
              k: limit,
              // Looks at so many on the way: more finds more of the nearest.
              efSearch: Math.min(MAX_CANDIDATES.cosmos, Math.max(200, 4 * limit)),
              ...filter,
            },
          },
        };
  const meta = kind === 'atlas' ? 'vectorSearchScore' : 'searchScore';
  try {
    return await database
      .collection(target.name)
      .aggregate<Row>([stage, { $project: { ...FIELDS, score: { $meta: meta } } }], {
        ...database.limits,
        batchSize: limit + 1,
      })
      .toArray();
  } catch (thrown) {
    throw explained(thrown, target, index);
  }
}

/** The search engine's refusals as errors of ours. */
function explained(thrown: unknown, target: SearchTarget, index: SearchIndex): unknown {
  const message = searchMessage(thrown);
  if (/while in state|not.*queryable/i.test(message))
    return new VaiError('INDEX_MISSING', `The vector index of \`${target.name}\` is still being built.`, {
      hint: 'Try again in a minute.',
    });
  const path =
    /^Path '([^']{1,200})' needs to be indexed as/.exec(message)?.[1] ??
    /^The index for filter path '([^']{1,200})' was not found/.exec(message)?.[1];
  if (path !== undefined && index.filterFields.includes(path))
    return new VaiError(
      'INDEX_MISSING',
      `The vector index of \`${target.name}\` does not filter by \`${path}\` yet.`,
      {
        hint: 'It is being built; try again in a minute.',
      },
    );
  if (path !== undefined) return notDeclared([path], index);
  if (/dimensions but queried with|expected \d+ dimensions/.test(message))
    return new VaiError(
      'DIMENSION_MISMATCH',
      `The vector index of \`${target.name}\` has ${index.dimensions} dimensions.`,
      {
        hint: 'Use the model the collection was made with.',
      },
    );
  return thrown;
}

function notDeclared(paths: readonly string[], index: SearchIndex): VaiError {
  const named = paths.map((path) => `\`${path}\``).join(', ');
  const declared = index.filterFields.map((path) => `\`${path}\``).join(', ') || 'none';
  return new VaiError(
    'FILTER_NOT_INDEXED',
    `The vector index cannot filter by ${named}. Declared paths: ${declared}.`,
    {
      hint: `Declare it with \`vai index create --filter-field ${paths[0]}\`.`,
    },
  );
}

/**
 * A filter on paths the index does not know: the chunks that pass it are compared one by one, so the filter is still
 * inside the search; too many of them, and the path has to be declared.
 */
export async function filteredSearch(
  database: Database,
  query: Query & { undeclared: readonly string[]; notices: string[] },
): Promise<VectorRow[]> {
  const { target, index, search, undeclared, notices } = query;
  const rows = await database
    .collection(target.name)
    .find<Row>(
      {
        $and: [
          toMongoFilter(search.scope.filter!),
          { [index.field]: { $exists: true }, '_vai.staged': { $ne: true } },
        ],
      },
      { ...database.limits, projection: { ...FIELDS, [index.field]: 1 }, limit: MAX_FILTERED + 1 },
    )
    .toArray();
  if (rows.length > MAX_FILTERED) throw notDeclared(undeclared, index);
  notices.push(
    `${undeclared.join(', ')} is not declared in the vector index of \`${target.name}\` (declared: ${index.filterFields.join(', ') || 'none'}); ` +
      `the ${rows.length} chunks that pass the filter were compared one by one.`,
  );
  return rows.flatMap((row) => {
    const vector = readVector(row[index.field]);
    if (vector?.length !== search.vector.length) return [];
    return [{ id: row._id, score: cosine(search.vector, vector), ...placeIn(row) }];
  });
}

/** Atlas scales the cosine of cosine and dotProduct indexes to 0…1; for unit vectors both are the cosine. */
function toVectorRow({ index, kind }: Query & { kind: Kind }, row: Row): VectorRow[] {
  const { score } = row;
  // A query of zeros has no direction: DocumentDB answers it with chunks that have no score.
  if (typeof score !== 'number' || !Number.isFinite(score)) return [];
  const scaled = kind === 'atlas' && index.similarity !== 'euclidean';
  return [{ id: row._id, score: scaled ? 2 * score - 1 : score, ...placeIn(row) }];
}

function placeIn(row: Row): { source: string; ordinal: number } {
  return { source: row.source ?? '', ordinal: row._vai?.ordinal ?? 0 };
}
