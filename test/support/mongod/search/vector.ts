// $vectorSearch, computed exactly over every document of the collection. What it does not show is the approximation of
// a real index; what it does show is every rule around one.

import { Binary } from 'bson';
import { matches } from '../query/match.ts';
import { isDoc, valuesAt } from '../storage/values.ts';
import { planError, queryableDefinition, type VectorField } from './indexes.ts';
import { ServerError } from '../errors.ts';
import type { Collection } from '../storage/collection.ts';
import type { Doc } from '../wire/framing.ts';

const KNOWN = new Set(['index', 'path', 'queryVector', 'numCandidates', 'limit', 'filter', 'exact']);
const OPERATORS = new Set([
  '$eq',
  '$ne',
  '$gt',
  '$gte',
  '$lt',
  '$lte',
  '$in',
  '$nin',
  '$exists',
  '$not',
  '$and',
  '$or',
  '$nor',
]);
const vectors = new WeakMap<Doc, Map<string, Float32Array | null>>();

export function vectorSearch(collection: Collection, docs: Doc[], spec: Doc): { doc: Doc; score: number }[] {
  const { limit, path, query } = checkSpec(spec);
  const definition = queryableDefinition(
    collection,
    typeof spec.index === 'string' ? spec.index : 'default',
    'vectorSearch',
  );
  if (!definition) return [];
  const fields = definition.fields as VectorField[];
  const field = fields.find((candidate) => candidate.path === path && candidate.type === 'vector');
  if (!field) throw planError(`Path '${path}' needs to be indexed as vector`);
  if (query.length !== field.numDimensions)
    throw planError(
      `vector field is indexed with ${field.numDimensions} dimensions but queried with ${query.length}`,
    );
  const filter = isDoc(spec.filter) ? spec.filter : {};
  checkFilter(filter, new Set(fields.filter((f) => f.type === 'filter').map((f) => f.path)));
  const scored: { doc: Doc; score: number }[] = [];
  for (const doc of docs) {
    const vector = vectorOf(doc, path);
    if (!vector || vector.length !== query.length || !matches(doc, filter)) continue;
    scored.push({ doc, score: similarity(query, vector) });
  }
  return scored.sort((a, b) => b.score - a.score).slice(0, limit);
}

function checkSpec(spec: Doc): { limit: number; path: string; query: Float32Array } {
  for (const key of Object.keys(spec)) if (!KNOWN.has(key)) throw planError(`unrecognized field "${key}"`);
  const { limit, numCandidates, path, exact } = spec;
  if (typeof path !== 'string' || !path) throw planError('"path" is required');
  if (typeof limit !== 'number' || !Number.isInteger(limit) || limit < 1)
    throw planError('"limit" must be a positive integer');
  if (exact !== true) {
    if (typeof numCandidates !== 'number')
      throw planError('"numCandidates" is required when "exact" is not true');
    if (numCandidates < limit) throw planError('"limit" must be less than or equal to "numCandidates"');
    if (numCandidates > 10_000) throw planError('"numCandidates" must be within bounds [1, 10000]');
  } else if (numCandidates !== undefined)
    throw planError('"numCandidates" must be omitted when "exact" is true');
  const query = toVector(spec.queryVector);
  if (!query || query.length === 0) throw planError('"queryVector" cannot be empty');
  return { limit, path, query };
}

/** Atlas accepts a part of the query language, on declared paths only. */
function checkFilter(filter: Doc, declared: Set<string>): void {
  for (const [key, condition] of Object.entries(filter)) {
    if (key === '$and' || key === '$or' || key === '$nor') {
      if (!Array.isArray(condition) || condition.length === 0)
        throw planError(`"filter.${key}" cannot be empty`);
      for (const part of condition) checkFilter(part as Doc, declared);
      continue;
    }
    if (key.startsWith('$'))
      throw new ServerError(2, `Operator ${key} is not supported in $vectorSearch filter`);
    if (!declared.has(key)) throw planError(`Path '${key}' needs to be indexed as filter`);
    if (isDoc(condition)) checkCondition(key, condition);
  }
}

function checkCondition(path: string, condition: Doc): void {
  for (const [operator, value] of Object.entries(condition)) {
    if (!OPERATORS.has(operator)) throw planError(`"filter.${path}" unsupported operator ${operator}`);
    if ((operator === '$in' || operator === '$nin') && Array.isArray(value) && value.length === 0)
      throw planError(`"filter.${path}.${operator}" cannot be empty`);
    if (operator === '$not' && isDoc(value)) checkCondition(path, value);
  }
}

function vectorOf(doc: Doc, path: string): Float32Array | null {
  let cached = vectors.get(doc);
  if (!cached) vectors.set(doc, (cached = new Map()));
  let vector = cached.get(path);
  if (vector === undefined) cached.set(path, (vector = toVector(valuesAt(doc, path)[0])));
  return vector;
}

function toVector(value: unknown): Float32Array | null {
  if (Array.isArray(value))
    return value.every((v) => typeof v === 'number') ? Float32Array.from(value) : null;
  if (!(value instanceof Binary) || value.sub_type !== Binary.SUBTYPE_VECTOR) return null;
  return value.value()[0] === Binary.VECTOR_TYPE.Float32 ? value.toFloat32Array() : null;
}

function similarity(a: Float32Array, b: Float32Array): number {
  let dot = 0;
  let aa = 0;
  let bb = 0;
  for (let i = 0; i < a.length; i++) {
    const x = a[i]!;
    const y = b[i]!;
    dot += x * y;
    aa += x * x;
    bb += y * y;
  }
  return aa === 0 || bb === 0 ? 0.5 : (1 + dot / Math.sqrt(aa * bb)) / 2;
}
