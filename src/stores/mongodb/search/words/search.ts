// Search by words on a server without Atlas Search. The postings of the words that were asked for are read through their
// index and ranked here; a filter is asked of the best in turn, until as many passed as are wanted.

import type { Binary, Document } from 'mongodb';
import { abortable } from '../../../../domain/abortable.ts';
import { throwIfAborted } from '../../../../domain/errors.ts';
import { checkRoots, type Filter } from '../../../../domain/filter.ts';
import { planQuery, type Leaf, type Plan, type QueryPlan } from '../../../../domain/words/plan.ts';
import type { WordHits, WordSearch } from '../../../../ports/store.ts';
import { countingWords, countsOf, wordMemory, type Counts } from '../../counts.ts';
import type { Database } from '../../database.ts';
import { toMongoFilter } from '../../filter.ts';
import { formatChunkId } from '../../ids.ts';
import { type PostingsDocument } from '../../layout.ts';
import { parallel } from '../../parallel.ts';
import { byPlace, type Place } from '../place.ts';
import { stampOf, targetsOf, type SearchTarget } from '../scope.ts';
import { withinBudget } from './budget.ts';
import { foreignMatches } from './foreign.ts';
import { headOf, idIn, readPostings } from './postings.ts';
import { MAX_ENTRIES, readEntries } from './read.ts';
import { matchesIn, type Group, type Ranking } from './rank.ts';
import { endingsOf } from './vocabulary.ts';

/** Chunks that a filter is asked of first; each time after that, four times as many. */
const FIRST_ASKED = 200;
const MOST_ASKED = 5000;

/** A chunk that matches. One of ours is known by its document, and its id is looked up when it is among the best. */
interface Found extends Place {
  score: number;
  doc: string;
  /** Where its group begins, and its position there. */
  first: number;
  chunk: number;
  id?: unknown;
}

export async function searchOwnWords(database: Database, search: WordSearch): Promise<WordHits> {
  const { scope, limit, signal } = search;
  if (scope.filter) checkRoots(scope.filter);
  const plan = planQuery(search.query);
  if (!plan || limit < 1) return { hits: [], total: 0, totalIsBound: false, notices: [] };
  throwIfAborted(signal);
  return abortable(find(database, plan, search), signal);
}

async function find(database: Database, plan: QueryPlan, { scope, limit }: WordSearch): Promise<WordHits> {
  const notices: string[] = [];
  const { targets, reads } = await countingWords(database, async () => {
    const targets = await targetsOf(database, scope.collections);
    const ours = targets.filter((target) => !target.foreign);
    return { targets, reads: await readOwn(database, plan, { ours, notices }) };
  });
  const foreign: Found[] = [];
  await parallel(
    targets.filter((target) => target.foreign),
    async ({ name }) => {
      const found = await foreignMatches(database, name, { plan, filter: scope.filter, notices });
      foreign.push(...found.map((match) => ({ ...match, doc: '', first: 0, chunk: 0 })));
    },
  );
  const ranked = inOrder(reads.flatMap((read) => matchesOf(read, plan)));
  const kept = scope.filter
    ? await passing(database, ranked, { filter: scope.filter, wanted: limit + 1 })
    : ranked;
  const all = foreign.length > 0 ? inOrder([...kept, ...foreign]) : kept;
  return {
    hits: await withIds(database, all.slice(0, limit)),
    shares: true,
    total: all.length,
    totalIsBound: kept !== ranked && kept.length > limit,
    notices,
  };
}

function inOrder(found: Found[]): Found[] {
  return found.sort((a, b) => b.score - a.score || byPlace(a, b));
}

/** What was read of a collection of ours. */
interface Read extends Omit<Ranking, 'plan'> {
  collection: string;
  groups: Group[];
}

async function readOwn(
  database: Database,
  plan: QueryPlan,
  { ours, notices }: { ours: readonly SearchTarget[]; notices: string[] },
): Promise<Read[]> {
  const names = ours.map(({ name }) => name);
  const leaves = leavesOf([...plan.should, ...plan.must, ...plan.not]);
  const endings = await endingsOf(database, names, leaves);
  const terms = [...new Set(leaves.flatMap((leaf) => termsOf(leaf, endings)))];
  const [counts, first] = await Promise.all([
    countsOf(database, ours.map(stampOf)),
    readEntries(database, names, terms, { limit: MAX_ENTRIES + 1 }),
  ]);
  const within =
    first.length <= MAX_ENTRIES ? terms : await withinBudget(database, { plan, terms, names, notices });
  const entries = within === terms ? first : await readEntries(database, names, within);
  const byCollection = Map.groupBy(entries, (entry) => entry.collection);
  return [...counts].map(([collection, counted]) => {
    noteMissing(collection, counted, notices);
    const groups = toGroups(byCollection.get(collection) ?? []);
    remember(wordMemory(database, collection, counted), groups, within);
    return {
      collection,
      groups,
      endings,
      statistics: { chunks: counted.wordedChunks, words: counted.words },
    };
  });
}

function matchesOf({ collection, groups, endings, statistics }: Read, plan: QueryPlan): Found[] {
  return matchesIn(groups, { plan, endings, statistics }).map(({ group, chunk, score }) => {
    const { doc, source, first } = group;
    return { collection, source, ordinal: first + chunk, score, doc, first, chunk };
  });
}

/** How many chunks have each word, for whoever asks next how rare it is. */
function remember(memory: Map<string, number>, groups: readonly Group[], terms: readonly string[]): void {
  for (const term of terms)
    memory.set(
      term,
      groups.reduce((sum, group) => sum + (group.terms.get(term)?.length ?? 0), 0),
    );
}

function leavesOf(plans: readonly Plan[]): Leaf[] {
  return plans.flatMap((plan) => (plan.kind === 'leaf' ? [plan] : leavesOf(plan.parts)));
}

function termsOf(
  { terms, prefix }: Leaf,
  endings: ReadonlyMap<string, readonly string[]>,
): readonly string[] {
  return prefix ? [...terms.slice(0, -1), ...(endings.get(terms.at(-1)!) ?? [])] : terms;
}

function noteMissing(name: string, { unworded }: Counts, notices: string[]): void {
  if (unworded === 0) return;
  notices.push(
    `index_missing: the words of ${unworded} documents of \`${name}\` are not indexed, so they were not searched by words. \`vai index create ${name} --type text\` does that.`,
  );
}

/** Entries of the same chunks, together. */
function toGroups(entries: readonly PostingsDocument[]): Group[] {
  const groups = new Map<string, Group>();
  for (const { doc, source, first, terms } of entries) {
    const key = headOf(doc, first);
    let group = groups.get(key);
    if (!group) groups.set(key, (group = { doc, source, first, terms: new Map() }));
    for (const [term, places] of Object.entries(terms as Record<string, Binary>))
      group.terms.set(term, readPostings(places));
  }
  return [...groups.values()];
}

/** The best that pass a filter, in their order. */
async function passing(
  database: Database,
  found: readonly Found[],
  { filter, wanted }: { filter: Filter; wanted: number },
): Promise<Found[]> {
  const kept: Found[] = [];
  const keyOf = ({ doc, ordinal }: Found): string => `${doc}:${ordinal}`;
  for (let at = 0, size = FIRST_ASKED; at < found.length && kept.length < wanted;) {
    const asked = found.slice(at, at + size);
    const rows = await database
      .own('words')
      .find({ $and: [{ _id: { $in: asked.map(keyOf) } }, toMongoFilter(filter)] } as Document, {
        ...database.limits,
        projection: { _id: 1 },
        batchSize: size + 1,
      })
      .toArray();
    const passed = new Set(rows.map((row) => row._id));
    kept.push(...asked.filter((match) => passed.has(keyOf(match))));
    at += size;
    size = Math.min(size * 4, MOST_ASKED);
  }
  return kept;
}

/** Hits with the ids of their chunks. One whose document was replaced meanwhile is left out. */
async function withIds(database: Database, found: readonly Found[]): Promise<WordHits['hits']> {
  const heads = new Set(found.filter(({ doc }) => doc !== '').map(({ doc, first }) => headOf(doc, first)));
  const rows =
    heads.size === 0
      ? []
      : await database
          .own('postings')
          .find(
            { _id: { $in: [...heads] } },
            { ...database.limits, projection: { ids: 1 }, batchSize: heads.size + 1 },
          )
          .toArray();
  const ids = new Map(rows.map((row) => [row._id, row.ids]));
  return found.flatMap(({ collection, score, id, doc, first, chunk }) => {
    if (doc === '') return [{ id: formatChunkId(collection, id), score }];
    const known = ids.get(headOf(doc, first));
    return known ? [{ id: formatChunkId(collection, idIn(known, chunk)), score }] : [];
  });
}
