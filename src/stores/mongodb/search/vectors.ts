// Search by meaning: `$vectorSearch` with the filter inside it, one query per collection, merged by cosine. An empty
// answer of MongoDB has many causes; each that can be told apart is told.

import type { Document } from 'mongodb';
import { VaiError } from '../../../domain/errors.ts';
import { filterPaths, type Filter } from '../../../domain/filter.ts';
import type { ScoredChunk, VectorHits, VectorSearch } from '../../../ports/store.ts';
import { readVector } from '../chunks.ts';
import { abortable, type Database } from '../client.ts';
import { codeOf, searchMessage } from '../errors.ts';
import { toMongoFilter } from '../filter.ts';
import { parallel } from '../graph/mentions.ts';
import { formatChunkId } from '../ids.ts';
import type { IndexBook, SearchIndex } from './indexes.ts';
import { targetsOf, type SearchTarget } from './scope.ts';

const MAX_CANDIDATES = 10_000;
/** With a filter the index does not know, so many chunks are still compared one by one. */
const MAX_EXACT = 2000;
const ROOTS = new Set(['source', 'metadata']);

interface Found extends ScoredChunk {
  collection: string;
  source: string;
  ordinal: number;
}

interface Row extends Document {
  _id: unknown;
  score?: number;
  source?: string;
  _vai?: { ordinal: number; staged?: boolean };
}

export async function searchVectors(
  database: Database,
  book: IndexBook,
  search: VectorSearch,
): Promise<VectorHits> {
  const { filter } = search.scope;
  if (filter) checkRoots(filter);
  const found: Found[] = [];
  const notices: string[] = [];
  const targets = (await targetsOf(database, search.scope.collections)).filter((target) =>
    fits(target, search),
  );
  await abortable(
    parallel(targets, async (target) => {
      const index = await usableIndex(book, target, { length: search.vector.length, notices });
      if (!index) return;
      const undeclared = filter
        ? filterPaths(filter).filter((path) => !index.filterFields.includes(path))
        : [];
      const rows =
        undeclared.length > 0
          ? await exactSearch(database, { target, index, search, undeclared, notices })
          : await indexSearch(database, { target, index, search });
      for (const row of rows) found.push(toFound(target, index, row));
    }),
    search.signal,
  );
  if (found.length === 0 && notices.length === 0)
    await explainEmpty(book, targets, { length: search.vector.length, notices });
  found.sort((a, b) => b.score - a.score || byPlace(a, b));
  return { hits: found.slice(0, search.limit).map(({ id, score }) => ({ id, score })), notices };
}

/** Only vectors of the same model and length are compared; a foreign collection that names no model is given a try. */
function fits(target: SearchTarget, search: VectorSearch): boolean {
  if (target.foreign) return target.model === undefined || target.model === search.model;
  return target.model === search.model && target.dimensions === search.vector.length;
}

/** A filter names `source` or something under `metadata`; anything else is a mistake worth telling. */
export function checkRoots(filter: Filter): void {
  const unknown = filterPaths(filter).find((path) => !ROOTS.has(path.split('.', 1)[0]!));
  if (unknown === undefined) return;
  throw new VaiError('FILTER_NOT_INDEXED', `There is no field \`${unknown}\` to filter by.`, {
    hint: `Filter by \`source\` or by \`metadata.<key>\`, for example \`metadata.${unknown}\`.`,
  });
}

async function usableIndex(
  book: IndexBook,
  { name, dimensions }: SearchTarget,
  { length, notices }: { length: number; notices: string[] },
): Promise<SearchIndex | undefined> {
  let indexes: SearchIndex[];
  try {
    indexes = (await book.known(name)).filter((index) => index.type === 'vector');
  } catch (thrown) {
    if (codeOf(thrown) !== 31082) throw thrown;
    notices.push(
      `index_missing: this MongoDB server has no vector search; \`${name}\` was searched by nothing.`,
    );
    return undefined;
  }
  const fitting = indexes.filter((index) => index.dimensions === length);
  const ready = fitting.find((index) => index.queryable);
  if (ready) return ready;
  const say = (text: string): void => void notices.push(text);
  if (indexes.length === 0)
    say(`index_missing: \`${name}\` has no vector index; create one with \`vai index create ${name}\`.`);
  else if (fitting.length === 0)
    say(
      `wrong_field: the vector index of \`${name}\` is for ${indexes[0]!.dimensions} dimensions, its vectors have ${dimensions ?? length}.`,
    );
  else if (fitting[0]!.status === 'failed')
    say(`index_missing: the vector index of \`${name}\` failed; drop and create it again.`);
  else say(`index_building: the vector index of \`${name}\` is still being built; try again in a minute.`);
  return undefined;
}

/** MongoDB answers nothing for an index that is gone: what was remembered of it is looked up again. */
async function explainEmpty(
  book: IndexBook,
  targets: readonly SearchTarget[],
  what: { length: number; notices: string[] },
): Promise<void> {
  await parallel(targets, async (target) => {
    book.forget(target.name);
    await usableIndex(book, target, what);
  });
}

interface Query {
  target: SearchTarget;
  index: SearchIndex;
  search: VectorSearch;
}

const STAGED = '_vai.staged';
const FIELDS = { source: 1, '_vai.ordinal': 1, '_vai.staged': 1 };

async function indexSearch(database: Database, query: Query): Promise<Row[]> {
  const wanted = Math.min(query.search.limit, MAX_CANDIDATES);
  for (let limit = wanted; ; limit = Math.min(MAX_CANDIDATES, limit * 2)) {
    const rows = await runStage(database, query, limit);
    const published = rows.filter((row) => row._vai?.staged !== true);
    const full = published.length >= wanted || rows.length < limit || limit === MAX_CANDIDATES;
    // Chunks of an ingest under way took places that published ones may have: look further.
    if (full || published.length === rows.length) return published.slice(0, wanted);
  }
}

async function runStage(database: Database, { target, index, search }: Query, limit: number): Promise<Row[]> {
  const stage = {
    index: index.name,
    path: index.field,
    queryVector: [...search.vector],
    numCandidates: Math.min(MAX_CANDIDATES, Math.max(100, 20 * limit)),
    limit,
    ...(search.scope.filter ? { filter: toMongoFilter(search.scope.filter) } : {}),
  };
  try {
    return await database
      .collection(target.name)
      .aggregate<Row>(
        [{ $vectorSearch: stage }, { $project: { ...FIELDS, score: { $meta: 'vectorSearchScore' } } }],
        database.limits,
      )
      .toArray();
  } catch (thrown) {
    throw explained(thrown, target, index);
  }
}

/** What the search engine refuses, said in our words. */
function explained(thrown: unknown, target: SearchTarget, index: SearchIndex): unknown {
  const message = searchMessage(thrown);
  if (/while in state|not.*queryable/i.test(message))
    return new VaiError('INDEX_MISSING', `The vector index of \`${target.name}\` is still being built.`, {
      hint: 'Try again in a minute.',
    });
  const path = /^Path '([^']{1,200})' needs to be indexed as/.exec(message)?.[1];
  if (path !== undefined && index.filterFields.includes(path))
    return new VaiError(
      'INDEX_MISSING',
      `The vector index of \`${target.name}\` does not filter by \`${path}\` yet.`,
      {
        hint: 'It is being built; try again in a minute.',
      },
    );
  if (path !== undefined) return notDeclared([path], index);
  if (/dimensions but queried with/.test(message))
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
async function exactSearch(
  database: Database,
  query: Query & { undeclared: readonly string[]; notices: string[] },
): Promise<Row[]> {
  const { target, index, search, undeclared, notices } = query;
  const rows = await database
    .collection(target.name)
    .find<Row>(
      {
        $and: [
          toMongoFilter(search.scope.filter!),
          { [index.field]: { $exists: true }, [STAGED]: { $ne: true } },
        ],
      },
      { ...database.limits, projection: { ...FIELDS, [index.field]: 1 }, limit: MAX_EXACT + 1 },
    )
    .toArray();
  if (rows.length > MAX_EXACT) throw notDeclared(undeclared, index);
  notices.push(
    `${undeclared.join(', ')} is not declared in the vector index of \`${target.name}\` (declared: ${index.filterFields.join(', ') || 'none'}); ` +
      `the ${rows.length} chunks that pass the filter were compared one by one.`,
  );
  return rows.flatMap((row) => {
    const vector = readVector(row[index.field]);
    return vector?.length === search.vector.length
      ? [{ ...row, score: (1 + cosine(search.vector, vector)) / 2 }]
      : [];
  });
}

function cosine(a: Float32Array, b: Float32Array): number {
  let dot = 0;
  let aa = 0;
  let bb = 0;
  for (let at = 0; at < a.length; at += 1) {
    dot += a[at]! * b[at]!;
    aa += a[at]! ** 2;
    bb += b[at]! ** 2;
  }
  return aa && bb ? dot / Math.sqrt(aa * bb) : 0;
}

function toFound(target: SearchTarget, index: SearchIndex, row: Row): Found {
  const score = row.score ?? 0;
  return {
    id: formatChunkId(target.name, row._id),
    // Atlas scales the cosine of cosine and dotProduct indexes to 0…1; for unit vectors both are the cosine.
    score: index.similarity === 'euclidean' ? score : 2 * score - 1,
    collection: target.name,
    source: row.source ?? '',
    ordinal: row._vai?.ordinal ?? 0,
  };
}

export function byPlace(
  a: { collection: string; source: string; ordinal: number },
  b: { collection: string; source: string; ordinal: number },
): number {
  const compare = (x: string, y: string): number => (x < y ? -1 : x > y ? 1 : 0);
  return compare(a.collection, b.collection) || compare(a.source, b.source) || a.ordinal - b.ordinal;
}
