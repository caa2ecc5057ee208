// How many chunks have a word, which its rarity follows from. Exact, except of words that are almost everywhere in a very
// large collection: those are counted in a sample.

import type { Binary } from 'mongodb';
import { termOf } from '../../../../domain/words/tokens.ts';
import { countsOf, wordMemory, wordsCounted } from '../../counts.ts';
import type { Database } from '../../database.ts';
import { type PostingsDocument } from '../../layout.ts';
import { parallel } from '../../parallel.ts';
import { stampOf, targetsOf } from '../scope.ts';
import { readPostings } from './postings.ts';
import { MAX_ENTRIES, readEntries } from './read.ts';

const SAMPLE = 1000;

type Having = Map<string, number>;

export async function countWords(
  database: Database,
  words: readonly string[],
  collections: readonly string[],
): Promise<{ chunks: number; having: number[] }> {
  const ours = (await targetsOf(database, collections)).filter((target) => !target.foreign);
  const counts = await countsOf(database, ours.map(stampOf));
  const memories = new Map([...counts].map(([name, counted]) => [name, wordMemory(database, name, counted)]));
  await wordsCounted(database);
  const terms = words.map(termOf);
  const isKnown = (term: string): boolean => [...memories.values()].every((having) => having.has(term));
  await addCounts(
    database,
    memories,
    [...new Set(terms)].filter((term) => term !== '' && !isKnown(term)),
  );
  return {
    chunks: [...counts.values()].reduce((sum, { wordedChunks }) => sum + wordedChunks, 0),
    having: terms.map((term) =>
      [...memories.values()].reduce((sum, having) => sum + (having.get(term) ?? 0), 0),
    ),
  };
}

async function addCounts(
  database: Database,
  memories: ReadonlyMap<string, Having>,
  terms: readonly string[],
): Promise<void> {
  const entries = await readEntries(database, [...memories.keys()], terms, {
    limit: MAX_ENTRIES + 1,
    owners: false,
  });
  const all = entries.length <= MAX_ENTRIES;
  for (const [name, having] of memories) {
    const own = entries.filter(({ collection }) => collection === name);
    if (all) for (const term of terms) having.set(term, chunksWith(own, term));
    else await parallel(terms, async (term) => void having.set(term, await estimate(database, name, term)));
  }
}

async function estimate(database: Database, name: string, term: string): Promise<number> {
  const sample = await readEntries(database, [name], [term], { limit: SAMPLE, owners: false });
  const found = chunksWith(sample, term);
  if (sample.length < SAMPLE) return found;
  const entries = await database
    .own('postings')
    .countDocuments({ collection: name, tokens: term }, database.limits);
  return Math.round((found / SAMPLE) * entries);
}

function chunksWith(entries: readonly PostingsDocument[], term: string): number {
  return entries.reduce((sum, { terms }) => {
    const places = (terms as Record<string, Binary>)[term];
    return sum + (places ? readPostings(places).length : 0);
  }, 0);
}
