// Search by words through Atlas Search, which ranks. Collections of ours share one index; a foreign one needs its own.
// A filter is a stage between the search and its limit, so it may name any path. A missing index is reported.

import type { Document } from 'mongodb';
import { abortable } from '../../../../domain/abortable.ts';
import { throwIfAborted } from '../../../../domain/errors.ts';
import { checkRoots } from '../../../../domain/filter.ts';
import type { WordHits, WordSearch } from '../../../../ports/store.ts';
import type { Database } from '../../database.ts';
import { toMongoFilter } from '../../filter.ts';
import { formatChunkId } from '../../ids.ts';
import { NAMES } from '../../layout.ts';
import { parallel } from '../../parallel.ts';
import type { SearchIndex } from '../indexes.ts';
import { byPlace, type Place } from '../place.ts';
import { targetsOf, type SearchTarget } from '../scope.ts';
import { compileQuery } from './compile.ts';
import type { AtlasIndexes } from './indexes.ts';

/** Equal scores at the limit are ordered by position; beyond this many the order of the index decides. */
const MAX_TIES = 2000;

interface Hit extends Place {
  id: string;
  score: number;
}

/** One `$search`: the shared words of our collections, or a foreign collection. */
export interface Lane {
  store: string;
  foreign: boolean;
  index: SearchIndex;
  /** Collections of ours that are meant; undefined for all. */
  collections: string[] | undefined;
}

export async function searchWords(
  database: Database,
  indexes: AtlasIndexes,
  search: WordSearch,
): Promise<WordHits> {
  if (search.scope.filter) checkRoots(search.scope.filter);
  const notices: string[] = [];
  const targets = await targetsOf(database, search.scope.collections);
  const lanes = await lanesOf(indexes, targets, { all: search.scope.collections === undefined, notices });
  throwIfAborted(search.signal);
  const hits = await abortable(runLanes(database, lanes, search), search.signal);
  if (hits.length === 0 && notices.length === 0) {
    // MongoDB answers nothing for an index that is gone: what was remembered of it is looked up again.
    for (const { store } of lanes) indexes.forget(store);
    await lanesOf(indexes, targets, { all: true, notices });
  }
  return {
    hits: hits.slice(0, search.limit).map(({ id, score }) => ({ id, score })),
    total: hits.length,
    totalIsBound: hits.length > search.limit,
    notices,
  };
}

export async function lanesOf(
  indexes: AtlasIndexes,
  targets: readonly SearchTarget[],
  { all, notices }: { all: boolean; notices: string[] },
): Promise<Lane[]> {
  const lanes: Lane[] = [];
  const missing: string[] = [];
  const building: string[] = [];
  const ours = targets.filter((target) => !target.foreign).map((target) => target.name);
  const stores = targets
    .filter((target) => target.foreign)
    .map((target) => ({ store: target.name, names: [target.name] }));
  if (ours.length) stores.push({ store: NAMES.words, names: ours });
  await parallel(stores, async ({ store, names }) => {
    const found = await indexes.text(store);
    const index = found.find((candidate) => candidate.queryable);
    const foreign = store !== NAMES.words;
    if (index) lanes.push({ store, foreign, index, collections: all && !foreign ? undefined : names });
    else (found.length ? building : missing).push(...names);
  });
  const named = (names: string[]): string => {
    const shown = names
      .sort()
      .slice(0, 5)
      .map((name) => `\`${name}\``);
    return shown.join(', ') + (names.length > 5 ? ` and ${names.length - 5} more` : '');
  };
  if (missing.length)
    notices.push(
      `index_missing: no text index for ${named(missing)}, so words were not searched there. Create one with \`vai index create ${missing[0]} --type text\`.`,
    );
  if (building.length)
    notices.push(
      `index_building: the text index for ${named(building)} is still being built; try again in a minute.`,
    );
  return lanes;
}

/** The best of all lanes; one more than are wanted says that there are more. */
async function runLanes(database: Database, lanes: readonly Lane[], search: WordSearch): Promise<Hit[]> {
  const hits: Hit[] = [];
  const limit = search.limit + 1;
  await parallel(lanes, async (lane) => {
    const operator = compileQuery(search.query, { foreign: lane.foreign, ...limitsOf(lane) });
    if (!operator) return;
    let found = await fetch(database, lane, { operator, search, limit });
    // A tie across the limit: read on until all tied hits are there, so that their position decides.
    if (found.length === limit && found[limit - 2]?.score === found[limit - 1]!.score && limit < MAX_TIES)
      found = await fetch(database, lane, { operator, search, limit: MAX_TIES });
    hits.push(...found);
  });
  return hits.sort((a, b) => b.score - a.score || byPlace(a, b)).slice(0, limit);
}

export function limitsOf(lane: Lane): { filter: Document[]; mustNot: Document[] } {
  if (lane.foreign) return { filter: [], mustNot: [] };
  return {
    filter: lane.collections ? [{ in: { path: 'collection', value: lane.collections } }] : [],
    mustNot: [{ equals: { path: 'staged', value: true } }],
  };
}

async function fetch(
  database: Database,
  lane: Lane,
  { operator, search, limit }: { operator: Document; search: WordSearch; limit: number },
): Promise<Hit[]> {
  const filter = search.scope.filter ? [{ $match: toMongoFilter(search.scope.filter) }] : [];
  const rows = await database
    .collection(lane.store)
    .aggregate<Document>(
      [
        { $search: { index: lane.index.name, ...operator } },
        ...filter,
        { $limit: limit },
        { $project: { collection: 1, chunk: 1, source: 1, ordinal: 1, score: { $meta: 'searchScore' } } },
      ],
      database.limits,
    )
    .toArray();
  return rows.map((row) => {
    const collection = lane.foreign ? lane.store : (row.collection as string);
    return {
      id: formatChunkId(collection, lane.foreign ? row._id : row.chunk),
      score: row.score as number,
      collection,
      source: (row.source as string | undefined) ?? '',
      ordinal: (row.ordinal as number | undefined) ?? 0,
    };
  });
}
