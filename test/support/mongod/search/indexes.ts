// Search indexes and their life: PENDING, BUILDING, READY after a delay that the test chooses; an update keeps the old
// definition queryable until the new one is built.

import { ObjectId } from 'bson';
import { ServerError } from '../errors.ts';
import { isDoc } from '../storage/values.ts';
import type { Collection } from '../storage/collection.ts';
import type { Doc } from '../wire/framing.ts';

export interface SearchIndex {
  id: string;
  name: string;
  type: 'vectorSearch' | 'search';
  version: number;
  /** The definition that queries use, once built. */
  active: Doc | undefined;
  latest: Doc;
  createdAt: Date;
  /** Wall clock at which the latest definition is built. */
  readyAt: number;
  buildMs: number;
}

export interface VectorField {
  type: 'vector' | 'filter' | 'autoEmbed';
  path: string;
  model?: string;
  numDimensions?: number;
  similarity?: 'cosine';
}

export function createSearchIndex(collection: Collection, spec: Doc, buildMs: number): SearchIndex {
  const name = typeof spec.name === 'string' ? spec.name : 'default';
  const type = spec.type === 'vectorSearch' ? 'vectorSearch' : 'search';
  if (collection.searchIndexes.has(name))
    throw new ServerError(
      68,
      `Index ${name} already exists with a different definition. Drop it first if needed.`,
    );
  checkDefinition(type, spec.definition);
  const index: SearchIndex = {
    id: new ObjectId().toHexString(),
    name,
    type,
    version: 0,
    active: undefined,
    latest: spec.definition as Doc,
    createdAt: new Date(),
    readyAt: Date.now() + buildMs,
    buildMs,
  };
  collection.searchIndexes.set(name, index);
  return index;
}

export function updateSearchIndex(index: SearchIndex, definition: unknown, buildMs: number): void {
  checkDefinition(index.type, definition);
  settle(index);
  index.latest = definition as Doc;
  index.version += 1;
  index.readyAt = Date.now() + buildMs;
  index.buildMs = buildMs;
}

/** Brings an index up to the clock. */
function settle(index: SearchIndex): SearchIndex {
  if (Date.now() >= index.readyAt) index.active = index.latest;
  return index;
}

function statusOf(index: SearchIndex): { status: string; queryable: boolean } {
  settle(index);
  if (index.active === index.latest) return { status: 'READY', queryable: true };
  const begun = Date.now() >= index.readyAt - index.buildMs / 2;
  return { status: begun ? 'BUILDING' : 'PENDING', queryable: index.active !== undefined };
}

export function describeSearchIndexes(collection: Collection, spec: Doc): Doc[] {
  return [...collection.searchIndexes.values()]
    .filter((index) => spec.name === undefined || spec.name === index.name)
    .map((index) => ({
      id: index.id,
      name: index.name,
      type: index.type,
      ...statusOf(index),
      latestDefinitionVersion: { version: index.version, createdAt: index.createdAt },
      latestDefinition: index.latest,
      statusDetail: [{ hostname: 'stand-in', ...statusOf(index) }],
    }));
}

/** The definition a query runs on; undefined when the name is unknown, which answers nothing as Atlas does. */
export function queryableDefinition(
  collection: Collection,
  name: string,
  type: SearchIndex['type'],
): Doc | undefined {
  const index = collection.searchIndexes.get(name);
  if (index?.type !== type) return undefined;
  const { status, queryable } = statusOf(index);
  if (queryable) return index.active;
  const state = status === 'PENDING' ? 'NOT_STARTED' : 'INITIAL_SYNC';
  const kind = type === 'vectorSearch' ? 'vector' : 'search';
  throw planError(`cannot query ${kind} index ${name} while in state ${state}`);
}

export function planError(message: string): ServerError {
  return new ServerError(8, `PlanExecutor error during aggregation :: caused by :: ${message}`);
}

export function restoreSearchIndex(collection: Collection, entry: Doc): void {
  const { name, type, definition, id } = entry as {
    name: string;
    type: SearchIndex['type'];
    definition: Doc;
    id: string;
  };
  collection.searchIndexes.set(name, {
    id,
    name,
    type,
    version: 0,
    active: definition,
    latest: definition,
    createdAt: new Date(),
    readyAt: 0,
    buildMs: 0,
  });
}

function checkDefinition(type: SearchIndex['type'], definition: unknown): void {
  const bad = (message: string): never => {
    throw new ServerError(72, `"userCommand.indexes[0].definition" ${message}`);
  };
  if (!isDoc(definition)) return bad('is required');
  if (type === 'search') {
    if (!isDoc(definition.mappings)) bad('"mappings" is required');
    return;
  }
  if (!Array.isArray(definition.fields) || definition.fields.length === 0)
    return bad('"fields" cannot be empty');
  const paths = new Set<string>();
  for (const field of definition.fields as VectorField[]) {
    if (!['vector', 'filter', 'autoEmbed'].includes(field.type))
      bad('"fields.type" must be one of [autoEmbed, filter, vector]');
    if (typeof field.path !== 'string' || !field.path) bad('"fields.path" is required');
    if (paths.has(field.path)) bad(`duplicate path "${field.path}"`);
    paths.add(field.path);
    if (field.type === 'filter') continue;
    if (field.type === 'autoEmbed') {
      if (!field.model) bad('"fields.model" is required');
      continue;
    }
    const size = field.numDimensions ?? 0;
    if (!Number.isInteger(size) || size < 1 || size > 8192)
      bad('"fields.numDimensions" must be within bounds [1, 8192]');
    if (field.similarity !== 'cosine')
      bad('"fields.similarity" is required, and only `cosine` is stood in for');
  }
  if ((definition.fields as VectorField[]).every((field) => field.type === 'filter'))
    bad('needs at least one vector field');
}
