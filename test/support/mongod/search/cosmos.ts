// The vector index of DocumentDB: an ordinary index of the kind `cosmosSearch`, and the stage that asks it. Computed
// exactly over every document; what it shows is every rule around one, as v0.106 was seen to keep it.

import { ServerError } from '../errors.ts';
import { matches } from '../query/match.ts';
import { documents, type Collection } from '../storage/collection.ts';
import { isDoc, valuesAt } from '../storage/values.ts';
import type { IndexSpec } from '../storage/indexes.ts';
import type { Doc } from '../wire/framing.ts';

const OPTIONS = ['cosmosSearch', 'knnBeta'];
const KINDS = ['vector-hnsw', 'vector-ivf'];
const MAX_DIMENSIONS = { full: 2000, half: 4000 };
const MAX_EF = 1000;

export function isCosmosIndex({ key }: IndexSpec): boolean {
  return Object.values(key).includes('cosmosSearch');
}

/** Refuses a definition the server could not build. */
export function checkCosmosIndex(collection: Collection, spec: IndexSpec): void {
  const options = (spec.cosmosSearchOptions ?? {}) as Doc;
  const bad = (why: string): never => {
    throw new ServerError(67, `Error in specification ${JSON.stringify(spec)} :: caused by :: ${why}`);
  };
  if (!KINDS.includes(String(options.kind))) bad(`Invalid search index kind ${String(options.kind)}`);
  const most = options.compression === 'half' ? MAX_DIMENSIONS.half : MAX_DIMENSIONS.full;
  if (Number(options.dimensions) > most)
    bad(`field cannot have more than ${most} dimensions for vector index`);
  if (cosmosIndex(collection, Object.keys(spec.key)[0]!))
    throw new ServerError(
      85,
      `An equivalent index already exists with a different name and options. Requested index: ${JSON.stringify(spec)}`,
    );
}

function cosmosIndex(collection: Collection, path: string): IndexSpec | undefined {
  return [...collection.indexes.values()].find(({ spec }) => isCosmosIndex(spec) && path in spec.key)?.spec;
}

/** A list of numbers of another length is refused; anything else is not indexed and not refused. */
export function checkVectors(collection: Collection, doc: Doc): void {
  for (const { spec } of collection.indexes.values()) {
    if (!isCosmosIndex(spec)) continue;
    const vector = vectorAt(doc, Object.keys(spec.key)[0]!);
    const { dimensions } = spec.cosmosSearchOptions as { dimensions: number };
    if (vector && vector.length !== dimensions)
      throw new ServerError(2, `expected ${dimensions} dimensions, not ${vector.length}`);
  }
}

function vectorAt(doc: Doc, path: string): number[] | undefined {
  const [value] = valuesAt(doc, path);
  return Array.isArray(value) && value.length > 0 && value.every((one) => typeof one === 'number')
    ? value
    : undefined;
}

interface Query {
  path: string;
  vector: number[];
  limit: number;
  filter: Doc;
}

export function cosmosSearch(collection: Collection | undefined, spec: Doc): { doc: Doc; score: number }[] {
  const { path, vector, limit, filter } = queryOf(spec);
  if (!collection) throw new ServerError(2, '$search must be the first stage in the pipeline');
  const index = cosmosIndex(collection, path);
  if (!index)
    throw new ServerError(2, 'Similarity index was not found for a vector similarity search query.');
  const { dimensions } = index.cosmosSearchOptions as { dimensions: number };
  if (vector.length !== dimensions)
    throw new ServerError(2, `expected ${dimensions} dimensions, not ${vector.length}`);
  for (const used of pathsIn(filter)) checkFilterIndex(collection, used);
  const scored = [...documents(collection, undefined)].flatMap((doc) => {
    const own = vectorAt(doc, path);
    return own && matches(doc, filter) ? [{ doc, score: cosine(own, vector) }] : [];
  });
  return scored.sort((a, b) => b.score - a.score || 0).slice(0, limit);
}

function queryOf(spec: Doc): Query {
  const [option] = Object.keys(spec).filter((key) => key !== 'returnStoredSource');
  if (!OPTIONS.includes(option ?? ''))
    throw new ServerError(
      40324,
      `Unrecognized $search option: ${option}, should be one of: ${OPTIONS.join(', ')}.`,
    );
  const query = spec[option!] as Doc;
  if (typeof query.efSearch === 'number' && query.efSearch > MAX_EF)
    throw new ServerError(2, `$efSearch must be less than or equal to ${MAX_EF}.`);
  return { ...(query as unknown as Query), limit: Number(query.k), filter: filterOf(query) };
}

function filterOf({ filter }: Doc): Doc {
  return isDoc(filter) ? filter : {};
}

function pathsIn(filter: Doc): string[] {
  return Object.entries(filter).flatMap(([key, value]) =>
    key.startsWith('$') ? (value as Doc[]).flatMap(pathsIn) : [key],
  );
}

function checkFilterIndex(collection: Collection, path: string): void {
  const indexed = [...collection.indexes.values()].some(({ fields }) => fields[0] === path);
  if (!indexed)
    throw new ServerError(
      2,
      `The index for filter path '${path}' was not found, please check whether the index is created.`,
    );
}

/** A vector of zeros has no direction: the score is no number. */
function cosine(a: readonly number[], b: readonly number[]): number {
  const dot = (x: readonly number[], y: readonly number[]): number =>
    x.reduce((sum, value, at) => sum + value * y[at]!, 0);
  return dot(a, b) / Math.sqrt(dot(a, a) * dot(b, b));
}
