// How many chunks have a word, asked of the index: one `$searchMeta` for each word over everything that is searched.

import type { Document } from 'mongodb';
import type { WordNode } from '../../../../domain/query.ts';
import { termOf } from '../../../../domain/words/tokens.ts';
import { countsOf, wordMemory } from '../../counts.ts';
import type { Database } from '../../database.ts';
import { parallel } from '../../parallel.ts';
import { stampOf, targetsOf } from '../scope.ts';
import { compileQuery } from './compile.ts';
import type { AtlasIndexes } from './indexes.ts';
import { lanesOf, limitsOf, type Lane } from './words.ts';

/** Undefined where there is no index that could say. */
export async function countAtlasWords(
  database: Database,
  indexes: AtlasIndexes,
  { words, collections }: { words: readonly string[]; collections: readonly string[] },
): Promise<{ chunks: number; having: number[] } | undefined> {
  const ours = (await targetsOf(database, collections)).filter((target) => !target.foreign);
  const counts = [...(await countsOf(database, ours.map(stampOf))).values()];
  const [lane] = await lanesOf(indexes, ours, { all: false, notices: [] });
  if (!lane && ours.length > 0) return undefined;
  const sum = (field: 'documents' | 'chunks'): number =>
    counts.reduce((total, counted) => total + counted[field], 0);
  const chunks = sum('chunks');
  const scope = ours.map(({ name }) => name).join();
  const having = wordMemory(database, scope, { documents: sum('documents'), wordedChunks: chunks });
  const terms = words.map(termOf);
  const unknown = new Map(words.map((word, at) => [terms[at]!, word]));
  for (const term of unknown.keys()) if (term === '' || having.has(term)) unknown.delete(term);
  if (lane)
    await parallel([...unknown], async ([term, word]) => {
      having.set(term, await chunksWith(database, lane, word));
    });
  return { chunks, having: terms.map((term) => having.get(term) ?? 0) };
}

async function chunksWith(database: Database, lane: Lane, word: string): Promise<number> {
  const must: WordNode[] = [{ kind: 'phrase', words: [word] }];
  const query = { must, should: [], not: [], headings: false, notices: [] };
  const operator = compileQuery(query, { foreign: false, ...limitsOf(lane) });
  if (!operator) return 0;
  const [found] = await database
    .collection(lane.store)
    .aggregate<Document>(
      [{ $searchMeta: { index: lane.index.name, ...operator, count: { type: 'total' } } }],
      database.limits,
    )
    .toArray();
  return Number((found as { count?: { total?: unknown } } | undefined)?.count?.total ?? 0);
}
