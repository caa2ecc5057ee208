// Search by meaning, one collection at a time, merged by cosine: through the server's index where it has one, else by
// comparing vectors here. An empty answer of an index has many causes; each that can be distinguished is reported.

import { abortable } from '../../../../domain/abortable.ts';
import { checkRoots, filterPaths } from '../../../../domain/filter.ts';
import type { VectorHits, VectorSearch } from '../../../../ports/store.ts';
import type { Database } from '../../database.ts';
import { formatChunkId } from '../../ids.ts';
import { parallel } from '../../parallel.ts';
import type { SearchIndexes, SearchIndex } from '../indexes.ts';
import { byPlace, type Place } from '../place.ts';
import { targetsOf, type SearchTarget } from '../scope.ts';
import { compareAll, type VectorMemory } from './compare.ts';
import { filteredSearch, indexSearch, type VectorRow } from './through-index.ts';
import { reorderWords } from './reorder.ts';

interface Found extends Place {
  id: string;
  score: number;
}

export interface Searching {
  database: Database;
  indexes: SearchIndexes;
  memory: VectorMemory;
  search: VectorSearch;
  notices: string[];
}

export async function searchVectors(searching: Omit<Searching, 'notices'>): Promise<VectorHits> {
  const { database, indexes, search } = searching;
  if (search.scope.filter) checkRoots(search.scope.filter);
  const notices: string[] = [];
  const all = await targetsOf(database, search.scope.collections);
  const targets = all.filter((target) => fits(target, search));
  const found: Found[] = [];
  await abortable(
    parallel(targets, async (target) => {
      for (const row of await searchTarget({ ...searching, notices }, target))
        found.push(toFound(target, row));
    }),
    search.signal,
  );
  if (found.length === 0 && notices.length === 0 && (await database.server()).search === 'atlas') {
    // Atlas answers nothing for an index that is gone: what was remembered of it is looked up again.
    await parallel(targets, async (target) => {
      indexes.forget(target.name);
      await usableIndex({ ...searching, notices }, target);
    });
  }
  found.sort((a, b) => b.score - a.score || byPlace(a, b));
  return { hits: found.slice(0, search.limit).map(({ id, score }) => ({ id, score })), notices };
}

/** Only vectors of the same model and length are compared; a foreign collection that names no model is given a try. */
function fits(target: SearchTarget, search: VectorSearch): boolean {
  if (target.foreign) return target.model === undefined || target.model === search.model;
  return target.model === search.model && target.dimensions === search.vector.length;
}

async function searchTarget(searching: Searching, target: SearchTarget): Promise<VectorRow[]> {
  const { database, search, notices } = searching;
  const kind = (await database.server()).search;
  const index = kind === 'none' ? undefined : await usableIndex(searching, target);
  if (index) {
    const { filter } = search.scope;
    const undeclared = filter ? filterPaths(filter).filter((path) => !index.filterFields.includes(path)) : [];
    return undeclared.length > 0
      ? filteredSearch(database, { target, index, search, undeclared, notices })
      : indexSearch(database, { target, index, search, kind: kind === 'atlas' ? 'atlas' : 'cosmos' });
  }
  if (kind === 'atlas') return [];
  return (await compareAll(searching, target)) ?? reorderWords(searching, target);
}

/** Undefined, with a notice, where none can answer. A server that is not Atlas is compared instead. */
async function usableIndex(
  { database, indexes, search, notices }: Searching,
  { name, dimensions }: SearchTarget,
): Promise<SearchIndex | undefined> {
  const found = (await indexes.known(name)).filter((index) => index.type === 'vector');
  const { length } = search.vector;
  const fitting = found.filter((index) => index.dimensions === length);
  const ready = fitting.find((index) => index.queryable);
  if (ready || (await database.server()).search !== 'atlas') return ready;
  const say = (text: string): void => void notices.push(text);
  if (found.length === 0)
    say(`index_missing: \`${name}\` has no vector index; create one with \`vai index create ${name}\`.`);
  else if (fitting.length === 0)
    say(
      `wrong_field: the vector index of \`${name}\` is for ${found[0]!.dimensions} dimensions, its vectors have ${dimensions ?? length}.`,
    );
  else if (fitting[0]!.status === 'failed')
    say(`index_missing: the vector index of \`${name}\` failed; drop and create it again.`);
  else say(`index_building: the vector index of \`${name}\` is still being built; try again in a minute.`);
  return undefined;
}

function toFound(target: SearchTarget, { id, score, source, ordinal }: VectorRow): Found {
  return { id: formatChunkId(target.name, id), score, collection: target.name, source, ordinal };
}
